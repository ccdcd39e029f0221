// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.files.record.Utf8;
import io.thalweg.files.record.Words;

/**
 * Finds where the fields of an ordinary row end, each byte looked at once, eight at a time. What is wrong, and what is merely rare,
 * such as a line break within quotes, gives {@link #UNUSUAL}: then the row is read again by {@link CsvRow}, which knows all rules.
 *
 * <p>A word may be taken at every place before {@code limit}, which is where the bytes end that were read so far.
 */
final class FieldScan {
    static final int UNUSUAL = -1;

    private static final long QUOTES = '"' * Words.ONES;
    private static final long RETURNS = '\r' * Words.ONES;
    private static final long FEEDS = '\n' * Words.ONES;

    /** The first character behind the quote: line breaks and quotes are below. */
    private static final long BEHIND_QUOTE = ('"' + 1) * Words.ONES;

    private FieldScan() {}

    /** Where the delimiter stands that ends the field that begins at a place. */
    static int field(byte[] bytes, int at, int limit, long delimiters) {
        int end = end(bytes, at, limit, delimiters);
        return end >= 0 && bytes[end] == (byte) delimiters ? end : UNUSUAL;
    }

    /** Passes over so many fields; where the delimiter behind the last of them stands. */
    static int fields(byte[] bytes, int at, int limit, long delimiters, int count) {
        int end = field(bytes, at, limit, delimiters);
        for (int i = 1; i < count && end >= 0; i++) {
            end = field(bytes, end + 1, limit, delimiters);
        }
        return end;
    }

    /** Where the line break stands that ends the last field of the row. */
    static int last(byte[] bytes, int at, int limit, long delimiters) {
        int end = end(bytes, at, limit, delimiters);
        if (end < 0 || bytes[end] == '\n') {
            return end;
        }
        return bytes[end] == '\r' && end + 1 < limit && bytes[end + 1] == '\n' ? end : UNUSUAL;
    }

    /** What stands behind a field: a delimiter, a line break, or something else that is wrong there. */
    private static int end(byte[] bytes, int begin, int limit, long delimiters) {
        for (int at = begin; at < limit; at += Long.BYTES) {
            long word = Words.at(bytes, at);
            // What may end a field, spaces, control characters and all that is not ASCII; exact for the lowest mark.
            long marks = Words.zeros(word ^ delimiters) | (((word - BEHIND_QUOTE) | word) & Words.HIGH_BITS);
            if (marks != 0) {
                int end = at + Words.first(marks);
                if (end >= limit) {
                    return UNUSUAL;
                }
                byte found = bytes[end];
                if (found == (byte) delimiters || found == '\n') {
                    return end;
                }
                return found == '"' && end == begin
                        ? quoted(bytes, begin + 1, limit)
                        : otherEnd(bytes, begin, end, limit, delimiters);
            }
        }
        return UNUSUAL;
    }

    /** The same, from a byte on that may be a space or the first that is not ASCII. */
    private static int otherEnd(byte[] bytes, int begin, int from, int limit, long delimiters) {
        long seen = 0;
        for (int at = from; at < limit; at += Long.BYTES) {
            long word = Words.at(bytes, at);
            long marks = Words.zeros(word ^ delimiters)
                    | Words.zeros(word ^ FEEDS)
                    | Words.zeros(word ^ QUOTES)
                    | Words.zeros(word ^ RETURNS);
            if (marks != 0) {
                int end = at + Words.first(marks);
                seen |= word & (Long.lowestOneBit(marks) - 1);
                return end < limit && isText(seen, bytes, begin, end) ? end : UNUSUAL;
            }
            seen |= word;
        }
        return UNUSUAL;
    }

    /** What stands behind the quote that closes a field, which begins behind the one that opens it. */
    private static int quoted(byte[] bytes, int begin, int limit) {
        long seen = 0;
        int at = begin;
        while (at < limit) {
            long word = Words.at(bytes, at);
            long marks = Words.zeros(word ^ QUOTES) | Words.zeros(word ^ FEEDS);
            if (marks == 0) {
                seen |= word;
                at += Long.BYTES;
                continue;
            }
            seen |= word & (Long.lowestOneBit(marks) - 1);
            at += Words.first(marks);
            if (at + 1 >= limit || bytes[at] == '\n') {
                return UNUSUAL;
            }
            if (bytes[at + 1] != '"') {
                return isText(seen, bytes, begin, at) ? at + 1 : UNUSUAL;
            }
            at += 2; // a quote, doubled
        }
        return UNUSUAL;
    }

    private static boolean isText(long seen, byte[] bytes, int begin, int end) {
        return (seen & Words.HIGH_BITS) == 0 || Utf8.firstInvalid(bytes, begin, end) < 0;
    }
}
