// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.Words;
import java.util.Arrays;

/**
 * Finds the fields of a row. A quote may stay open where a line ends; then the row continues with the next. Places are
 * counted from the row's first byte, for the buffer that holds it may move meanwhile.
 */
final class CsvRow {
    private static final long QUOTES = '"' * Words.ONES;
    private static final long RETURNS = '\r' * Words.ONES;

    private final char delimiter;
    private final long delimiters;

    private int[] begins = new int[16];
    private int[] ends = new int[16];
    private boolean[] quoted = new boolean[16];
    private boolean[] doubled = new boolean[16];
    private int size;

    private int position;
    private boolean open;

    /** All bytes of fields without quotes, and nobody knows what else, or-ed together; all bits once a quote has opened. */
    private long seen;

    CsvRow(char delimiter) {
        this.delimiter = delimiter;
        this.delimiters = delimiter * Words.ONES;
    }

    void begin() {
        size = 0;
        position = 0;
        open = false;
        seen = 0;
    }

    /**
     * Goes on to the end of a line. False if a quote is open there: call again with the next line added.
     *
     * @throws MalformedException if a quote or carriage return stands where none may
     */
    boolean read(byte[] bytes, int from, int to) {
        int length = to - from;
        while (true) {
            if (!open && position < length && bytes[from + position] == '"') {
                open = true;
                seen = -1;
                position++;
                add(position, true);
            }
            if (!open) {
                add(position, false);
                position = plainEnd(bytes, from, length);
                ends[size - 1] = position;
            } else if (!close(bytes, from, length)) {
                return false;
            }
            if (position == length) {
                return true;
            }
            position++;
        }
    }

    private void add(int begin, boolean inQuotes) {
        if (size == begins.length) {
            begins = Arrays.copyOf(begins, size * 2);
            ends = Arrays.copyOf(ends, size * 2);
            quoted = Arrays.copyOf(quoted, size * 2);
            doubled = Arrays.copyOf(doubled, size * 2);
        }
        begins[size] = begin;
        quoted[size] = inQuotes;
        doubled[size] = false;
        size++;
    }

    private int plainEnd(byte[] bytes, int from, int length) {
        int at = from + position;
        int to = from + length;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = Words.at(bytes, at);
            seen |= word;
            long marks = Words.zeros(word ^ delimiters) | Words.zeros(word ^ QUOTES) | Words.zeros(word ^ RETURNS);
            if (marks != 0) {
                at += Words.first(marks);
                break;
            }
        }
        while (at < to && bytes[at] != delimiter) {
            seen |= bytes[at];
            if (bytes[at] == '"') {
                throw wrong(at - from, "a quote in a field that does not begin with one");
            }
            if (bytes[at] == '\r') {
                throw wrong(at - from, "a carriage return outside quotes");
            }
            at++;
        }
        return at - from;
    }

    /** Looks for the quote that closes the field; false if the line ends before. */
    private boolean close(byte[] bytes, int from, int length) {
        int to = from + length;
        int at = from + position;
        while ((at = Words.indexOf((byte) '"', bytes, at, to)) >= 0) {
            if (at + 1 == to || bytes[at + 1] != '"') {
                ends[size - 1] = at - from;
                position = at + 1 - from;
                open = false;
                if (position < length && bytes[from + position] != delimiter) {
                    throw wrong(position, "a field continues after its closing quote");
                }
                return true;
            }
            doubled[size - 1] = true;
            at += 2;
        }
        position = length;
        return false;
    }

    /** @param where within what no quote was found */
    MalformedException unclosed(String where) {
        return wrong(begins[size - 1] - 1, "the quote opened here is not closed " + where);
    }

    private static MalformedException wrong(int at, String reason) {
        return new MalformedException("byte " + at + ": " + reason, at);
    }

    /** True if all of the row is ASCII; false if nobody knows. */
    boolean isAscii() {
        return (seen & Words.HIGH_BITS) == 0;
    }

    int size() {
        return size;
    }

    /** Where a field begins, its quote left out. */
    int begin(int field) {
        return begins[field];
    }

    int end(int field) {
        return ends[field];
    }

    /** True for nothing at all; two quotes with nothing between them are an empty text. */
    boolean isNull(int field) {
        return begins[field] == ends[field] && !quoted[field];
    }

    /** True if quotes in the field are doubled; what it says is then to be had by {@link #undoubled}. */
    boolean isDoubled(int field) {
        return doubled[field];
    }

    byte[] undoubled(int field, byte[] bytes, int from) {
        byte[] text = new byte[ends[field] - begins[field]];
        int length = 0;
        for (int at = from + begins[field]; at < from + ends[field]; at++) {
            text[length++] = bytes[at];
            at += bytes[at] == '"' ? 1 : 0;
        }
        return Arrays.copyOf(text, length);
    }
}
