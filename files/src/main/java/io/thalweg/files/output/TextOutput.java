// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.record.Digits;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Text on its way into a file, in UTF-8. A row is written piece by piece and ended; where it fails half-way,
 * {@link #dropRow} takes it back.
 */
public final class TextOutput {
    static final String HEAD = "thalweg file 2";
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int LONG_DIGITS = 20;

    /** Doubles from the first to before the second are printed without an exponent. */
    private static final double LEAST_PLAIN = 1e-3;

    private static final double PLAIN_END = 1e7;
    private static final int MAX_PLACES = 9;

    /** Of fifteen digits each decimal is another double. */
    private static final long MAX_DIGITS_END = 1_000_000_000_000_000L;

    private static final int SECONDS_A_DAY = 86_400;

    /** In between, years are printed with four digits. */
    private static final long YEAR_0 = -62_167_219_200L;

    private static final long YEAR_10_000 = 253_402_300_800L;

    private OutputFile file;
    private final boolean rowByRow;
    private final OutputFile.@Nullable Target target;
    private final @Nullable Stale stale;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int size;
    /** How much of the buffer is whole rows. */
    private int rows;

    /** Went on, or tried to, with what a checkpoint counts on. */
    private boolean restored;

    private TextOutput(OutputFile file, boolean rowByRow, OutputFile.@Nullable Target target, @Nullable Stale stale) {
        this.file = file;
        this.rowByRow = rowByRow;
        this.target = target;
        this.stale = stale;
    }

    /** Each row is written as it ends: somebody may be waiting for it at the other end of a pipe. */
    static TextOutput standard(PrintStream console) {
        return new TextOutput(OutputFile.standard(console), true, null, null);
    }

    /** What is no regular file. */
    static TextOutput device(Path path) throws IOException {
        return new TextOutput(OutputFile.device(path), false, null, null);
    }

    static TextOutput file(Path path, SinkContext context) throws IOException {
        Path place = OutputFile.place(path);
        Ownership ownership = Ownership.ofFile(place, context, completed -> {
            List<Path> left = Temporaries.all(place);
            if (completed && !left.isEmpty()) {
                throw PartNames.counted(path, left.get(0), place.resolveSibling("." + place.getFileName() + ".owner"));
            }
        });
        return owned(new OutputFile.Target(place, ownership), context, null);
    }

    static TextOutput part(PartNames parts, SinkContext context) throws IOException {
        Ownership ownership = Ownership.ofDirectory(parts.directory(), context, parts::beginUnchecked);
        Path place = parts.part(context.task());
        return owned(new OutputFile.Target(place, ownership), context, new Stale(parts, context.parallelism()));
    }

    /** What an earlier attempt left goes: it was killed, and its records come again. */
    private static TextOutput owned(OutputFile.Target target, SinkContext context, @Nullable Stale stale)
            throws IOException {
        boolean opened = false;
        try {
            if (context.checkpoint() <= 0) {
                for (Path left : Temporaries.all(target.place())) {
                    Files.deleteIfExists(left);
                }
            }
            TextOutput made = new TextOutput(OutputFile.open(target), false, target, stale);
            opened = true;
            return made;
        } finally {
            if (!opened) {
                target.ownership().release(false);
            }
        }
    }

    /** No file at all: each row is taken by {@link #takeRow}. */
    public static TextOutput memory() {
        return standard(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    /** A file that has its hidden name until somebody gives it another one. */
    static TextOutput hidden(Path path) {
        try {
            return new TextOutput(OutputFile.hidden(path), false, null, null);
        } catch (IOException e) {
            throw new ConnectorException("cannot write " + path + ": " + OutputFile.reason(e), e);
        }
    }

    /** @throws BadRecordException if half a surrogate pair stands in the text, which UTF-8 cannot hold */
    public TextOutput text(String text) {
        int length = text.length();
        reserve(length);
        int at = size;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                if (firstUnpaired(text, i) >= 0) {
                    throw new BadRecordException(
                            "the text contains half a surrogate pair, which UTF-8 cannot encode", text);
                }
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                return bytes(bytes, 0, bytes.length);
            }
            buffer[at++] = (byte) c;
        }
        size = at;
        return this;
    }

    /** Writes a text of ASCII without the characters that are marked; false, with nothing written, if it is none. */
    public boolean plain(String text, boolean[] marked) {
        int length = text.length();
        reserve(length);
        byte[] to = buffer;
        int at = size;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= marked.length || marked[c]) {
                return false;
            }
            to[at + i] = (byte) c;
        }
        size = at + length;
        return true;
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

    /** Appends bytes as they are. */
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

    /** Appends a number in decimal. */
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

    /** As {@link Double#toString(double)} has it. */
    public TextOutput number(double value) {
        double magnitude = Math.abs(value);
        if (magnitude >= LEAST_PLAIN && magnitude < PLAIN_END) {
            for (int places = 3; places <= MAX_PLACES; places += 3) {
                long digits = (long) (magnitude * Digits.power(places) + 0.5);
                if (digits < MAX_DIGITS_END && (double) digits / Digits.power(places) == magnitude) {
                    return decimal(value < 0, digits, places);
                }
            }
        }
        return text(Double.toString(value));
    }

    /**
     * So few digits that no other decimal of as many, or of fewer, is the same double. So these are the digits to print, without the
     * zeros at the end.
     */
    private TextOutput decimal(boolean negative, long digits, int places) {
        long rest = digits;
        int left = places;
        while (left > 1 && rest % 10 == 0) {
            rest /= 10;
            left--;
        }
        if (negative) {
            ascii('-');
        }
        long power = Digits.power(left);
        return number(rest / power).ascii('.').digits((int) (rest % power), left);
    }

    /** So many digits, with zeros before them. */
    private TextOutput digits(int value, int count) {
        reserve(count);
        int rest = value;
        for (int at = size + count - 1; at >= size; at--) {
            buffer[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        size += count;
        return this;
    }

    /** As {@link Instant#toString} has it. */
    public TextOutput instant(Instant instant) {
        long seconds = instant.getEpochSecond();
        if (seconds < YEAR_0 || seconds >= YEAR_10_000) {
            return text(instant.toString());
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(seconds, SECONDS_A_DAY));
        int second = Math.floorMod(seconds, SECONDS_A_DAY);
        digits(date.getYear(), 4)
                .ascii('-')
                .digits(date.getMonthValue(), 2)
                .ascii('-')
                .digits(date.getDayOfMonth(), 2);
        ascii('T')
                .digits(second / 3_600, 2)
                .ascii(':')
                .digits(second / 60 % 60, 2)
                .ascii(':')
                .digits(second % 60, 2);
        int nano = instant.getNano();
        if (nano % 1_000 != 0) {
            ascii('.').digits(nano, 9);
        } else if (nano % 1_000_000 != 0) {
            ascii('.').digits(nano / 1_000, 6);
        } else if (nano != 0) {
            ascii('.').digits(nano / 1_000_000, 3);
        }
        return ascii('Z');
    }

    /** Ends a row with a line feed and lets it go. */
    public void endRow() {
        endRow(true);
    }

    /** Ends a row, with a line feed or without, and lets it go. */
    void endRow(boolean line) {
        if (line) {
            ascii('\n');
        }
        endRows();
        if (rowByRow || size >= BUFFER_BYTES / 2) {
            flush();
        }
    }

    /** What was written so far is not taken back any more. */
    public void endRows() {
        rows = size;
    }

    /** True if nothing was written since the last row ended. */
    public boolean isRowEmpty() {
        return size == rows;
    }

    /** Takes back what was written since the last row ended. */
    public void dropRow() {
        size = rows;
    }

    /** What was written since the last row, instead of letting it go. */
    public byte[] takeRow() {
        byte[] row = Arrays.copyOfRange(buffer, rows, size);
        dropRow();
        return row;
    }

    private void reserve(int length) {
        if (length > buffer.length - size) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length + buffer.length / 4, size + length + LONG_DIGITS));
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

    /** What was written is on the disk, and nothing follows. */
    void prepare() {
        flush();
        try {
            file.prepare();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** What was written becomes visible; after {@link #prepare}. */
    void finish() {
        try {
            file.finish();
            if (stale != null && target != null && !stale.parts().someAreHidden()) {
                target.ownership().check();
                stale.delete();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /**
     * What {@link #resume} needs to continue from here; no more than a head if what was written cannot be taken back.
     *
     * @param whole true if nothing will be added any more
     */
    byte[] save(boolean whole) {
        flush();
        try {
            OutputFile.Saved saved = file.save(whole);
            ByteWriter out = new ByteWriter(128);
            out.writeText(HEAD);
            if (saved != null) {
                out.writeText(saved.temporary());
                out.writeText(saved.directory());
                out.writeBoolean(saved.whole());
                saved.print().writeTo(out);
            }
            return out.toByteArray();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** A checkpoint is complete. */
    void completed() {
        if (target != null && file.isKept()) {
            try {
                target.ownership().completed();
            } catch (IOException e) {
                throw unwritable(e);
            }
        }
    }

    /** Goes on where {@link #save} was, instead of what was opened. */
    void resume(byte[] bytes) {
        OutputFile.Saved saved = read(bytes);
        if (saved == null || target == null) {
            return;
        }
        restored = true;
        byte[] head = Arrays.copyOf(buffer, rows);
        size = 0;
        rows = 0;
        try {
            file.close();
            file = OutputFile.resume(saved, target);
            if (!file.beginsWith(head)) {
                throw new ConnectorException("cannot restore output " + file.name()
                        + ": it was begun with other columns, below which rows of this job do not fit;"
                        + " restore the job with the columns that it had at the checkpoint");
            }
            for (Path left : Temporaries.all(target.place())) {
                if (!left.endsWith(saved.temporary())) {
                    Files.delete(left); // written after the checkpoint, or by an attempt that was killed
                }
            }
            completed();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private OutputFile.@Nullable Saved read(byte[] bytes) {
        try {
            ByteReader in = new ByteReader(bytes);
            if (in.readText().equals(HEAD)) {
                return in.remaining() == 0
                        ? null
                        : new OutputFile.Saved(in.readText(), in.readText(), in.readBoolean(), Fingerprint.read(in));
            }
        } catch (RuntimeException e) {
            throw notReadable(file.name(), e);
        }
        throw notReadable(file.name(), null);
    }

    static ConnectorException notReadable(String output, @Nullable Exception cause) {
        return new ConnectorException(
                "cannot restore " + output
                        + ": the checkpoint has no state of such an output, or was taken by another version of Thalweg",
                cause);
    }

    /** Ends the file where it is, under its hidden name, and says how to know it again. */
    Fingerprint seal() {
        flush();
        try {
            return file.seal();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** What was not finished vanishes, unless a checkpoint counts on it. */
    void close() {
        try {
            try {
                file.close();
            } finally {
                if (target != null) {
                    target.ownership().release(file.isFinished() || (!restored && !file.isKept()));
                }
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private ConnectorException unwritable(IOException e) {
        return new ConnectorException("cannot write " + file.name() + ": " + OutputFile.reason(e), e);
    }

    /** Parts that an earlier run with more tasks left behind. The last task to show its own removes them. */
    private record Stale(PartNames parts, int parallelism) {
        void delete() throws IOException {
            for (Path part : parts.uncheckedBehind(parallelism)) {
                Files.deleteIfExists(part); // two tasks may be the last
            }
        }
    }
}
