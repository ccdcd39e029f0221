// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

/** Checks UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
    private Utf8() {}

    /** Where the first byte stands that no valid UTF-8 can have there, or -1. */
    public static int firstInvalid(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            at = asciiEnd(bytes, at, to);
            if (at < to) {
                int length = sequence(bytes, at, to);
                if (length == 0) {
                    return at;
                }
                at += length;
            }
        }
        return -1;
    }

    /** Where the first byte above 0x7f stands, or {@code to}. */
    public static int asciiEnd(byte[] bytes, int from, int to) {
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long high = Words.at(bytes, at) & Words.HIGH_BITS;
            if (high != 0) {
                return at + Words.first(high);
            }
        }
        while (at < to && bytes[at] >= 0) {
            at++;
        }
        return at;
    }

    /** Length of the sequence of two to four bytes that begins at a place; 0 if it is none. */
    private static int sequence(byte[] bytes, int at, int to) {
        int first = bytes[at] & 0xff;
        if (first < 0xc2 || first > 0xf4) {
            return 0;
        }
        int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (to - at < length) {
            return 0;
        }
        for (int i = 1; i < length; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        int second = bytes[at + 1] & 0xff;
        boolean valid = switch (first) {
            case 0xe0 -> second >= 0xa0;
            case 0xed -> second < 0xa0;
            case 0xf0 -> second >= 0x90;
            case 0xf4 -> second < 0x90;
            default -> true;
        };
        return valid ? length : 0;
    }
}
