// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.operator.MessageHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps bad records (dead letters), one JSON object per line: {@code topology}, {@code operator}, {@code split}, {@code
 * line} (0 if the source has no lines), {@code offset}, {@code reason}, {@code bytes} in base64, and {@code text} if
 * the bytes are valid UTF-8; {@code key} and {@code keyText} likewise, if the record was read from a message with a
 * key; {@code headers}, if the message has some, each with {@code name}, {@code value} and {@code text}. The file is
 * created when the first record comes, readable by its owner only; an existing file is appended to. Several processes
 * may append to one file. Thread-safe.
 */
public final class DeadLetterFile implements AutoCloseable {
    /** The default limit of the file's size: 100 MB. */
    public static final long DEFAULT_LIMIT_BYTES = 100_000_000;

    private final Path path;
    private final long limitBytes;
    private final Consumer<String> warnings;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(1 << 10);
    private final JsonFactory factory = new JsonFactory();
    private @Nullable LineFile file;
    private long count;
    private long left;

    /** The file that is open has reached its limit. */
    private boolean full;

    /** A file that grows to 100 MB at most. */
    public DeadLetterFile(Path path) {
        this(path, DEFAULT_LIMIT_BYTES, warning -> {});
    }

    /**
     * A file with a limit.
     *
     * @param path where the file is
     * @param limitBytes maximum size of the file, including what it contained before; later records are counted but not
     *     kept. Pipes and devices have no limit
     * @param warnings receives one line, once, when the limit is reached
     */
    public DeadLetterFile(Path path, long limitBytes, Consumer<String> warnings) {
        this.path = path;
        this.limitBytes = limitBytes;
        this.warnings = warnings;
    }

    /** Where the file is. */
    public Path path() {
        return path;
    }

    /** What it writes: the file; nothing if it is a pipe or a device, which have no lines to read again. */
    public List<WriteTarget> writes() {
        try {
            return LineFile.isSpecial(path) ? List.of() : List.of(new WriteTarget.File(path));
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** The number of records kept so far. */
    public synchronized long count() {
        return count;
    }

    /** The number of records that were not kept because the file had reached its limit. */
    public synchronized long left() {
        return left;
    }

    /**
     * Checks before a long run that dead letters can be written. Opens a pipe or a device, so that it waits for its
     * reader before the job begins and not in the middle of it.
     *
     * @throws ConnectorException if no dead letter could be written to the path
     */
    public synchronized void check() {
        String problem = LineFile.problem(path);
        if (problem != null) {
            throw new ConnectorException("cannot keep dead letters in " + path + ": " + problem);
        }
        try {
            if (LineFile.isSpecial(path)) {
                file = LineFile.open(path);
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /**
     * Keeps a bad record.
     *
     * @throws ConnectorException if the file cannot be written: bad records are never lost silently
     */
    public synchronized void accept(String topology, String operator, BadRecord record) {
        try {
            LineFile to = open();
            if (full) { // a shorter one might fit, but then those kept would not be the first
                left++;
                return;
            }
            if (to.append(ByteBuffer.wrap(bytes(topology, operator, record)), limitBytes)) {
                count++;
                return;
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
        full = true;
        left++;
        warnings.accept("dead letters: " + path + " has reached --dead-letters-limit (" + limitBytes
                + " bytes); further bad records are counted but not kept");
    }

    /**
     * Makes durable (fsync) what was kept so far. Closing the file does so too.
     *
     * @throws IOException if the disk fails
     */
    public synchronized void force() throws IOException {
        LineFile open = file;
        if (open != null) {
            open.force();
        }
    }

    private LineFile open() throws IOException {
        LineFile open = file;
        if (open != null && open.isThere()) {
            return open;
        }
        if (open != null) {
            file = null;
            open.close();
        }
        open = LineFile.open(path);
        file = open;
        full = false;
        return open;
    }

    private byte[] bytes(String topology, String operator, BadRecord record) throws IOException {
        line.reset();
        try (JsonGenerator json = factory.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("topology", topology);
            json.writeStringField("operator", operator);
            json.writeStringField("split", record.split());
            json.writeNumberField("line", record.line());
            json.writeNumberField("offset", record.offset());
            json.writeStringField("reason", record.reason());
            write(json, "bytes", "text", record.bytes());
            if (record.key() != null) {
                write(json, "key", "keyText", record.key());
            }
            if (!record.headers().isEmpty()) {
                json.writeArrayFieldStart("headers");
                for (MessageHeader header : record.headers()) {
                    write(json, header);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }
        line.write('\n');
        return line.toByteArray();
    }

    private static void write(JsonGenerator json, MessageHeader header) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", header.name());
        if (header.value() == null) {
            json.writeNullField("value");
        } else {
            write(json, "value", "text", header.value());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, String textName, byte[] bytes) throws IOException {
        json.writeBinaryField(name, bytes);
        String text = text(bytes);
        if (text != null) {
            json.writeStringField(textName, text);
        }
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

    /** Makes the file durable and closes it. */
    @Override
    public synchronized void close() {
        LineFile open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw unwritable(e);
            }
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such directory";
        }
        String message = e.getMessage();
        return e instanceof AccessDeniedException ? "permission denied" : message == null ? e.toString() : message;
    }

    private ConnectorException unwritable(IOException e) {
        return new ConnectorException(
                "cannot write dead letters to " + path + ": " + reason(e)
                        + "; free some space, or choose another file with --dead-letters",
                e);
    }
}
