// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.TextCache;
import io.thalweg.files.record.Utf8;
import io.thalweg.files.record.Words;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads strings. The end of a string is sought first, its bytes are looked up as they are, and only a string not seen
 * before is checked and decoded. A lone surrogate can stand in an escape and is kept; raw bytes must be valid UTF-8.
 */
final class JsonText {
    private static final long QUOTES = '"' * Words.ONES;
    private static final long BACKSLASHES = '\\' * Words.ONES;
    private static final long SPACES = ' ' * Words.ONES;

    private JsonText() {}

    static @Nullable String readOrNull(JsonInput in) {
        return in.peek() != '"' && in.nextIsNull() ? null : read(in);
    }

    static String read(JsonInput in) {
        if (in.peek() != '"' && in.skipWhitespace() != '"') {
            throw in.expected("a string");
        }
        byte[] bytes = in.bytes;
        int begin = in.position + 1;
        long hash = 0;
        for (int at = begin; at <= in.lastWord; at += Long.BYTES) {
            long word = Words.at(bytes, at);
            long ends = ends(word);
            if (ends != 0) {
                int end = at + Words.first(ends);
                if (bytes[end] != '"') {
                    break;
                }
                in.position = end + 1;
                // The mask ends below the quote's own byte.
                long rest = word & ((ends & -ends) >>> 7) - 1;
                return cached(in, begin, end, hash, rest);
            }
            hash = TextCache.hash(hash, word);
        }
        return uncached(in, begin);
    }

    private static String cached(JsonInput in, int begin, int end, long hash, long rest) {
        int length = end - begin;
        if (length > TextCache.MAX_LENGTH) {
            return plain(in, begin, end);
        }
        long tail = TextCache.tail(rest, length);
        String known = in.texts.find(in.bytes, begin, length, hash, tail);
        if (known != null) {
            return known;
        }
        return in.texts.put(plain(in, begin, end), in.bytes, begin, length, hash, tail);
    }

    private static String plain(JsonInput in, int begin, int end) {
        return new String(
                in.bytes,
                begin,
                end - begin,
                check(in, begin, end) ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    private static String uncached(JsonInput in, int begin) {
        int end = end(in, begin);
        in.position = end + 1;
        int escape = firstEscape(in.bytes, begin, end);
        if (escape == end) {
            return plain(in, begin, end);
        }
        check(in, begin, end);
        return unescape(in, begin, escape, end);
    }

    private static int firstEscape(byte[] bytes, int begin, int end) {
        int at = begin;
        while (at < end && bytes[at] != '\\') {
            at++;
        }
        return at;
    }

    /**
     * Which of the declared fields has the name that stands there, or -1.
     *
     * @param begin the opening quote of a name that was passed over
     */
    static int index(JsonInput in, FieldNames names, int begin, int end) {
        int index = names.find(in.bytes, begin + 1, end - 1);
        if (index >= 0) {
            return index;
        }
        int escape = firstEscape(in.bytes, begin + 1, end - 1);
        return escape == end - 1 ? -1 : names.find(unescape(in, begin + 1, escape, end - 1));
    }

    /**
     * Passes over a string, eight bytes at a time: its end, escapes and control characters are found together, and whether
     * there is anything but ASCII. Returns where it ends.
     *
     * @param begin the opening quote
     */
    static int skip(JsonInput in, int begin) {
        byte[] bytes = in.bytes;
        int at = begin + 1;
        long seen = 0;
        while (at <= in.lastWord) {
            long word = Words.at(bytes, at);
            long stops = stops(word);
            if (stops == 0) {
                seen |= word;
                at += Long.BYTES;
                continue;
            }
            seen |= word & (stops & -stops) - 1;
            at += Words.first(stops);
            if (bytes[at] == '"') {
                boolean ascii = (seen & Words.HIGH_BITS) == 0;
                return ascii || Utf8.firstInvalid(bytes, begin + 1, at) < 0 ? at + 1 : skipCarefully(in, begin);
            }
            int escaped = afterEscape(in, at);
            if (escaped < 0) {
                break;
            }
            at = escaped;
        }
        return skipCarefully(in, begin);
    }

    /** Where a valid escape ends that begins at a place; -1 if there is none, or it stands too near to the limit to tell. */
    private static int afterEscape(JsonInput in, int at) {
        byte[] bytes = in.bytes;
        if (bytes[at] != '\\' || at + 6 > in.limit) {
            return -1;
        }
        return switch (bytes[at + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
            case 'u' -> {
                boolean valid = true;
                for (int i = at + 2; i < at + 6; i++) {
                    valid &= digit(bytes[i]) >= 0;
                }
                yield valid ? at + 6 : -1;
            }
            default -> -1;
        };
    }

    /** The same step by step, for what is unusual: says what is wrong. */
    private static int skipCarefully(JsonInput in, int quote) {
        int begin = quote + 1;
        int end = end(in, begin);
        check(in, begin, end);
        int escape = firstEscape(in.bytes, begin, end);
        if (escape < end) {
            unescape(in, begin, escape, end);
        }
        return end + 1;
    }

    /** Marks the bytes that are a quote, a backslash or a control character; exact for the lowest of them. */
    private static long stops(long word) {
        return ((word ^ QUOTES) - Words.ONES | (word ^ BACKSLASHES) - Words.ONES | word - SPACES)
                & ~word
                & Words.HIGH_BITS;
    }

    /** Where the closing quote stands. */
    private static int end(JsonInput in, int begin) {
        int at = begin;
        while (at < in.limit) {
            long ends = ends(in.word(at));
            if (ends == 0) {
                at += Long.BYTES;
            } else {
                at += Words.first(ends);
                if (at < in.limit && in.bytes[at] == '"') {
                    return at;
                }
                at += 2; // a backslash, and what it escapes
            }
        }
        throw in.wrong(in.limit, "");
    }

    /** Marks the bytes that are a quote or a backslash; exact for the lowest of them. */
    private static long ends(long word) {
        return Words.zeros(word ^ QUOTES) | Words.zeros(word ^ BACKSLASHES);
    }

    /** Refuses control characters and invalid UTF-8; true if all is ASCII. */
    private static boolean check(JsonInput in, int begin, int end) {
        byte[] bytes = in.bytes;
        boolean ascii = true;
        int at = begin;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            long word = Words.at(bytes, at);
            if ((((word - SPACES) | word) & Words.HIGH_BITS) != 0) {
                ascii &= checkBytes(in, at, at + Long.BYTES);
            }
        }
        ascii &= checkBytes(in, at, end);
        if (!ascii) {
            int invalid = Utf8.firstInvalid(bytes, begin, end);
            if (invalid >= 0) {
                throw in.wrong(invalid, "invalid UTF-8");
            }
        }
        return ascii;
    }

    private static boolean checkBytes(JsonInput in, int begin, int end) {
        boolean ascii = true;
        for (int at = begin; at < end; at++) {
            int next = in.bytes[at];
            if (next >= 0 && next < ' ') {
                throw in.wrong(at, "a control character must be escaped, found " + JsonInput.describe(next));
            }
            ascii &= next >= 0;
        }
        return ascii;
    }

    /** @param first where the first backslash stands */
    private static String unescape(JsonInput in, int begin, int first, int end) {
        byte[] bytes = in.bytes;
        StringBuilder text = new StringBuilder(end - begin);
        int at = begin;
        int escape = first;
        while (escape < end) {
            text.append(new String(bytes, at, escape - at, StandardCharsets.UTF_8));
            at = escape + 2;
            int kind = bytes[escape + 1];
            if (kind == 'u') {
                text.append(hexadecimal(in, at, end));
                at += 4;
            } else {
                text.append(escaped(in, escape + 1, kind));
            }
            escape = firstEscape(bytes, at, end);
        }
        return text.append(new String(bytes, at, end - at, StandardCharsets.UTF_8))
                .toString();
    }

    private static char escaped(JsonInput in, int at, int kind) {
        return switch (kind) {
            case '"', '\\', '/' -> (char) kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> throw in.wrong(at, "a backslash must not be followed by " + JsonInput.describe(kind));
        };
    }

    private static int digit(byte hexadecimal) {
        return hexadecimal > 0 ? Character.digit(hexadecimal, 16) : -1;
    }

    private static char hexadecimal(JsonInput in, int at, int end) {
        int value = 0;
        for (int i = at; i < at + 4; i++) {
            int digit = i < end ? digit(in.bytes[i]) : -1;
            if (digit < 0) {
                throw in.wrong(i, "four hexadecimal digits are expected after \\u");
            }
            value = value << 4 | digit;
        }
        return (char) value;
    }
}
