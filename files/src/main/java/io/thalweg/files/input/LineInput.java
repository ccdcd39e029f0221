// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.files.record.Words;
import java.io.IOException;
import java.util.Arrays;

/**
 * Finds the lines of an input in one large buffer; no line is copied. Lines end with LF or CRLF; the last may go without.
 * A byte order mark at the beginning of the input is left out.
 */
public final class LineInput implements AutoCloseable {
    /** What {@link #next} found. */
    public enum Found {
        /** A line stands in {@link #bytes} between {@link #from} and {@link #to}. */
        LINE,
        /** A line longer than allowed began; so much of it as is kept stands there. The rest will be passed over. */
        TOO_LONG,
        /** Nothing yet, though it took its time; call again. */
        NOTHING,
        END
    }

    /** What is kept of a line that is too long. */
    public static final int KEPT_BYTES = 64 * 1024;

    public static final int DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;
    private static final int HIGHEST_MAX_LINE_BYTES = 1024 * 1024 * 1024;

    private static final int READ_BYTES = 256 * 1024;
    /** Who reads eight bytes at a time may do so at the last byte too. */
    private static final int SLACK_BYTES = Long.BYTES;

    private final ByteInput input;
    private final int maxLineBytes;

    private byte[] buffer = {};
    /** Offset in the input of the buffer's first byte. */
    private long base;

    private int start;
    private int end;
    private boolean ended;
    private boolean passing;

    private int from;
    private int to;
    private long offset;
    private long lines;
    /** Where {@link #seek} went; the lines before it are counted when somebody asks. */
    private long uncounted;

    public LineInput(ByteInput input, int maxLineBytes) {
        this.input = input;
        this.maxLineBytes = maxLineBytes;
    }

    public static int checkMaxLineBytes(int bytes) {
        if (bytes < 1 || bytes > HIGHEST_MAX_LINE_BYTES) {
            throw new IllegalArgumentException(
                    "maxLineBytes must be from 1 to " + HIGHEST_MAX_LINE_BYTES + ", not " + bytes);
        }
        return bytes;
    }

    public Found next() {
        if (passing && !pass()) {
            return ended ? Found.END : Found.NOTHING;
        }
        if (base == 0 && end == 0) {
            begin();
        }
        int scanned = start;
        int lineEnd;
        while ((lineEnd = Words.indexOf((byte) '\n', buffer, scanned, end)) < 0) {
            if (end - start > maxLineBytes) {
                return tooLong(end);
            }
            int length = end - start;
            if (!fill()) {
                return last();
            }
            scanned = start + length;
        }
        int textEnd = lineEnd > start && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
        if (textEnd - start > maxLineBytes) {
            return tooLong(textEnd);
        }
        take(start, textEnd, lineEnd + 1);
        return Found.LINE;
    }

    private void take(int first, int last, int next) {
        from = first;
        to = last;
        offset = base + first;
        start = next;
        lines++;
    }

    private Found last() {
        if (start == end) {
            return Found.END;
        }
        take(start, end, end);
        return Found.LINE;
    }

    private Found tooLong(int last) {
        take(start, Math.min(last, start + KEPT_BYTES), start);
        passing = true;
        return Found.TOO_LONG;
    }

    /** Looks for the end of a line that is too long, in one buffer at most. */
    private boolean pass() {
        int lineEnd = Words.indexOf((byte) '\n', buffer, start, end);
        if (lineEnd >= 0) {
            start = lineEnd + 1;
            passing = false;
            return true;
        }
        start = end;
        passing = fill();
        return false;
    }

    private void begin() {
        while (end < 3 && fill()) {
            // A pipe may give a byte at a time.
        }
        if (end >= 3 && buffer[0] == (byte) 0xef && buffer[1] == (byte) 0xbb && buffer[2] == (byte) 0xbf) {
            start = 3;
        }
    }

    /** Reads more behind what is in the buffer, which may move; false at the end. */
    private boolean fill() {
        if (ended) {
            return false;
        }
        if (buffer.length == 0) {
            buffer = new byte[(int) Math.min(READ_BYTES, input.likelyLength() + 1) + SLACK_BYTES];
        }
        if (start > 0 && end == buffer.length - SLACK_BYTES) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            base += start;
            end -= start;
            start = 0;
        }
        if (end == buffer.length - SLACK_BYTES) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, maxLineBytes + (long) READ_BYTES));
        }
        int count = input.read(buffer, end, buffer.length - SLACK_BYTES - end);
        ended = count < 0;
        end += Math.max(count, 0);
        return !ended;
    }

    /** What is read, for messages. */
    public String name() {
        return input.split();
    }

    /** Valid, with {@link #from} and {@link #to}, until the next call; at least seven more bytes may be looked at. */
    public byte[] bytes() {
        return buffer;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    public byte[] copy() {
        return Arrays.copyOfRange(buffer, from, to);
    }

    /** Where the line begins, in bytes of the unpacked input. */
    public long offset() {
        return offset;
    }

    /** Where the next line begins; while one that is too long is passed over, where that one does. */
    public long nextOffset() {
        return passing ? offset : base + start;
    }

    /** Number of the line found last, from 1. */
    public long line() {
        if (uncounted > 0) {
            lines += LineCount.before(input.split(), uncounted);
            uncounted = 0;
        }
        return lines;
    }

    /** Goes to where a line begins, before the first {@link #next}. */
    public void seek(long position) throws IOException {
        input.seek(position);
        base = position;
        uncounted = position;
    }

    @Override
    public void close() throws IOException {
        input.close();
        buffer = new byte[0];
    }
}
