// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.BadRecordException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Text on its way into a file, in UTF-8. A row is written piece by piece and ended; where it fails half-way,
 * {@link #dropRow} takes it back.
 */
public final class TextOutput {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int LONG_DIGITS = 20;

    private OutputFile file;
    private final boolean rowByRow;
    private final @Nullable Stale stale;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int size;
    /** How much of the buffer is whole rows. */
    private int rows;

    private TextOutput(OutputFile file, boolean rowByRow, @Nullable Stale stale) {
        this.file = file;
        this.rowByRow = rowByRow;
        this.stale = stale;
    }

    /** Each row is written as it ends: somebody may be waiting for it at the other end of a pipe. */
    static TextOutput standard(PrintStream console) {
        return new TextOutput(OutputFile.standard(console), true, null);
    }

    static TextOutput file(Path path) throws IOException {
        return new TextOutput(OutputFile.open(path), false, null);
    }

    /** A file that has its hidden name until somebody gives it another one. */
    static TextOutput hidden(Path path) {
        try {
            return new TextOutput(OutputFile.hidden(path), false, null);
        } catch (IOException e) {
            throw new ConnectorException("cannot write " + path + ": " + OutputFile.reason(e), e);
        }
    }

    static TextOutput part(Path directory, String extension, int task, int parallelism) throws IOException {
        Path part = directory.resolve(String.format("part-%05d%s", task, extension));
        return new TextOutput(
                OutputFile.open(part), false, task == 0 ? new Stale(directory, extension, parallelism) : null);
    }

    /** @throws BadRecordException where half a surrogate pair stands in the text, which UTF-8 cannot hold */
    public TextOutput text(String text) {
        int length = text.length();
        reserve(length);
        int at = size;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                if (firstUnpaired(text, i) >= 0) {
                    throw new BadRecordException(
                            "half a surrogate pair stands in a text, which UTF-8 cannot hold", text);
                }
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                return bytes(bytes, 0, bytes.length);
            }
            buffer[at++] = (byte) c;
        }
        size = at;
        return this;
    }

    /** Where a surrogate first stands that is half of a pair, or -1. */
    public static int firstUnpaired(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    public TextOutput bytes(byte[] bytes, int from, int length) {
        reserve(length);
        System.arraycopy(bytes, from, buffer, size, length);
        size += length;
        return this;
    }

    /** A character of ASCII. */
    public TextOutput ascii(char c) {
        reserve(1);
        buffer[size++] = (byte) c;
        return this;
    }

    public TextOutput number(long value) {
        if (value == Long.MIN_VALUE) {
            return text(Long.toString(value));
        }
        reserve(LONG_DIGITS);
        if (value < 0) {
            buffer[size++] = '-';
        }
        long rest = Math.abs(value);
        int digits = 1;
        for (long power = 10; digits < LONG_DIGITS - 1 && rest >= power; power *= 10) {
            digits++;
        }
        for (int at = size + digits - 1; at >= size; at--) {
            buffer[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        size += digits;
        return this;
    }

    /** Ends a row with a line feed and lets it go. */
    public void endRow() {
        ascii('\n');
        rows = size;
        if (rowByRow || size >= BUFFER_BYTES / 2) {
            flush();
        }
    }

    /** Takes back what was written since the last row ended. */
    public void dropRow() {
        size = rows;
    }

    private void reserve(int length) {
        if (length > buffer.length - size) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + length));
        }
    }

    private void flush() {
        try {
            file.write(buffer, 0, rows);
        } catch (IOException e) {
            throw unwritable(e);
        }
        size = 0;
        rows = 0;
        if (buffer.length > BUFFER_BYTES) {
            buffer = new byte[BUFFER_BYTES];
        }
    }

    /** What was written becomes visible. */
    public void finish() {
        flush();
        try {
            file.finish();
            if (stale != null) {
                stale.delete();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /**
     * What {@link #resume} needs to go on from here; nothing where what was written cannot be taken back.
     *
     * @param whole true where nothing will be added any more
     */
    byte[] save(boolean whole) {
        flush();
        try {
            OutputFile.Saved saved = file.save(whole);
            ByteWriter out = new ByteWriter(128);
            if (saved != null) {
                out.writeText(saved.temporary());
                out.writeText(saved.place());
                out.writeVarLong(saved.length());
                out.writeBoolean(saved.whole());
                out.writeText(saved.key());
            }
            return out.toByteArray();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Goes on where {@link #save} was, instead of what was opened. */
    void resume(byte[] saved) {
        if (saved.length == 0) {
            return;
        }
        ByteReader in = new ByteReader(saved);
        close();
        size = 0;
        rows = 0;
        try {
            file = OutputFile.resume(new OutputFile.Saved(
                    in.readText(), in.readText(), in.readVarLong(), in.readBoolean(), in.readText()));
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Ends the file where it is, under its hidden name, and says which that is. */
    Path seal() {
        flush();
        try {
            return file.seal();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** What was not finished vanishes, unless a checkpoint counts on it. */
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private ConnectorException unwritable(IOException e) {
        return new ConnectorException("cannot write " + file.name() + ": " + OutputFile.reason(e), e);
    }

    /** Parts that an earlier run with more tasks left behind. */
    private record Stale(Path directory, String extension, int parallelism) {
        void delete() throws IOException {
            String parts = "part-[0-9][0-9][0-9][0-9][0-9]" + extension;
            try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, parts)) {
                for (Path part : all) {
                    if (Integer.parseInt(part.getFileName().toString().substring(5, 10)) >= parallelism) {
                        Files.delete(part);
                    }
                }
            }
        }
    }
}
