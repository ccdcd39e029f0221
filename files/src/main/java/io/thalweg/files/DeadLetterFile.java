// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps bad records, one JSON object a line: {@code topology}, {@code operator}, {@code split}, {@code line} (0 if
 * lines mean nothing), {@code offset}, {@code reason}, {@code bytes} in base64, and {@code text} if they are valid
 * UTF-8. Made when the first record comes, for its owner only, and appended to if it is there already. Several processes may
 * append to one file. Any thread may call.
 */
public final class DeadLetterFile implements AutoCloseable {
    /** 100 MB: how long the file may grow unless told. */
    public static final long DEFAULT_LIMIT_BYTES = 100_000_000;

    private final Path path;
    private final long limitBytes;
    private final Consumer<String> warnings;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(1 << 10);
    private final JsonFactory factory = new JsonFactory();
    private @Nullable LineFile file;
    private long count;
    private long left;

    /** Grows to 100 MB at most. */
    public DeadLetterFile(Path path) {
        this(path, DEFAULT_LIMIT_BYTES, warning -> {});
    }

    /**
     * @param limitBytes how long the file may grow, what it held before included; later records are counted and not kept. What is
     *     no regular file has no limit
     * @param warnings hears, in one line and once, that the limit is reached
     */
    public DeadLetterFile(Path path, long limitBytes, Consumer<String> warnings) {
        this.path = path;
        this.limitBytes = limitBytes;
        this.warnings = warnings;
    }

    public Path path() {
        return path;
    }

    /** Records kept so far. */
    public synchronized long count() {
        return count;
    }

    /** Records that were not kept, since the file is as long as it may be. */
    public synchronized long left() {
        return left;
    }

    /**
     * Opens the file if it is a pipe or a device, so that it waits for its reader before the job begins and not in the middle of
     * it.
     *
     * @throws ConnectorException if no dead letter could be written to the path: better known before a long run than after it
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

    /** @throws ConnectorException if the file cannot be written: bad records are never lost silently */
    public synchronized void accept(String topology, String operator, BadRecord record) {
        if (left > 0) { // a shorter one might fit, but then those kept would not be the first
            left++;
            return;
        }
        try {
            if (open().append(ByteBuffer.wrap(bytes(topology, operator, record)), limitBytes)) {
                count++;
                return;
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
        left = 1;
        warnings.accept("dead letters: " + path + " has reached --dead-letters-limit (" + limitBytes
                + " bytes); further bad records are counted but not kept");
    }

    /**
     * Sees that what was kept so far survives a power loss. The file is forced when it is closed, too.
     *
     * @throws IOException if the disk refuses
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
            json.writeBinaryField("bytes", record.bytes());
            String text = text(record.bytes());
            if (text != null) {
                json.writeStringField("text", text);
            }
            json.writeEndObject();
        }
        line.write('\n');
        return line.toByteArray();
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

    /** What was kept is on the disk. */
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
