// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps bad records, one JSON object a line: {@code topology}, {@code operator}, {@code split}, {@code line} (0 where
 * lines mean nothing), {@code offset}, {@code reason}, {@code bytes} in base64, and {@code text} where they are valid
 * UTF-8. Made when the first record comes, and appended to where it is there already. Any thread may call.
 */
public final class DeadLetterFile implements AutoCloseable {
    private final Path path;
    private @Nullable JsonGenerator generator;
    private long count;

    public DeadLetterFile(Path path) {
        this.path = path;
    }

    public Path path() {
        return path;
    }

    /** Records kept so far. */
    public synchronized long count() {
        return count;
    }

    /** @throws ConnectorException where the file cannot be written: bad records are never lost silently */
    public synchronized void accept(String topology, String operator, BadRecord record) {
        try {
            JsonGenerator json = open();
            json.writeStartObject();
            json.writeStringField("topology", topology);
            json.writeStringField("operator", operator);
            json.writeStringField("split", record.split());
            json.writeNumberField("line", record.line());
            json.writeNumberField("offset", record.offset());
            json.writeStringField("reason", record.reason());
            json.writeBinaryField("bytes", record.bytes());
            String text = text(record.bytes());
            if (text != null) {
                json.writeStringField("text", text);
            }
            json.writeEndObject();
            json.writeRaw('\n');
            json.flush(); // a process that is killed has kept what it counted
            count++;
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private JsonGenerator open() throws IOException {
        JsonGenerator open = generator;
        if (open == null) {
            OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            open = new JsonFactory().createGenerator(out);
            open.setRootValueSeparator(null);
            generator = open;
        }
        return open;
    }

    private static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    @Override
    public synchronized void close() {
        if (generator != null) {
            try {
                generator.close();
            } catch (IOException e) {
                throw unwritable(e);
            }
        }
    }

    private ConnectorException unwritable(IOException e) {
        return new ConnectorException("cannot write dead letters to " + path + ": " + e, e);
    }
}
