// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.files.record.Digits;
import io.thalweg.files.record.Words;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of fields, quotes included, that {@link FieldScan} found. What has another form than it should gives a value that
 * says so, and the row is read again: {@link #NO_LONG}, {@link #isNone} or null. A word may be taken at the first byte.
 */
final class FieldValue {
    /** Also a value; a row that holds it is read again, and gives the same. */
    static final long NO_LONG = Long.MIN_VALUE;

    /** A NaN that no text gives. */
    private static final double NO_DOUBLE = Double.longBitsToDouble(0x7ff8_0000_0000_0badL);

    /** A double holds so many digits, and the power of ten that goes with them. */
    private static final int EXACT_DIGITS = 15;

    private static final double[] POWERS = new double[EXACT_DIGITS + 1];

    static {
        for (int i = 0; i < POWERS.length; i++) {
            POWERS[i] = Digits.power(i);
        }
    }

    private FieldValue() {}

    static long toLong(byte[] bytes, int from, int to) {
        boolean negative = bytes[from] == '-';
        int at = negative ? from + 1 : from;
        int length = to - at;
        if (length <= 0 || length > 2 * Long.BYTES || at + Long.BYTES > bytes.length) {
            return otherLong(bytes, from, to);
        }
        long word = Words.at(bytes, at);
        int digits = Math.min(Digits.count(word), length);
        if (digits < Math.min(length, Long.BYTES)) {
            return otherLong(bytes, from, to);
        }
        long value = Digits.value(word, digits);
        if (length > Long.BYTES) {
            int more = length - Long.BYTES;
            if (to > bytes.length - Long.BYTES) {
                return otherLong(bytes, from, to);
            }
            long rest = Words.at(bytes, at + Long.BYTES);
            if (Digits.count(rest) < more) {
                return otherLong(bytes, from, to);
            }
            value = value * Digits.power(more) + Digits.value(rest, more);
        }
        return negative ? -value : value;
    }

    /** Longer ones, those in quotes, and what is none. */
    private static long otherLong(byte[] bytes, int from, int to) {
        boolean quoted = isQuoted(bytes, from, to);
        Object value = CsvValue.LONG.parse().value(bytes, quoted ? from + 1 : from, quoted ? to - 1 : to);
        return value == null ? NO_LONG : (long) value;
    }

    static double toDouble(byte[] bytes, int from, int to) {
        boolean negative = bytes[from] == '-';
        int at = negative ? from + 1 : from;
        if (to - at > EXACT_DIGITS || to > bytes.length - Long.BYTES) {
            return otherDouble(bytes, from, to);
        }
        long word = Words.at(bytes, at);
        int digits = Digits.count(word);
        int rest = to - at - digits;
        if (digits == 0 || digits == Long.BYTES || rest < 0) {
            return otherDouble(bytes, from, to);
        }
        double value = Digits.value(word, digits);
        if (rest > 0) {
            int places = rest - 1;
            long decimals = Words.at(bytes, at + digits + 1);
            if (bytes[at + digits] != '.' || places == 0 || places > Long.BYTES || Digits.count(decimals) < places) {
                return otherDouble(bytes, from, to);
            }
            // The digits are exact, and so is the power: one rounding, as there is for the nearest double.
            value = (Digits.value(word, digits) * Digits.power(places) + Digits.value(decimals, places))
                    / POWERS[places];
        }
        return negative ? -value : value;
    }

    private static double otherDouble(byte[] bytes, int from, int to) {
        boolean quoted = isQuoted(bytes, from, to);
        Object value = CsvValue.DOUBLE.parse().value(bytes, quoted ? from + 1 : from, quoted ? to - 1 : to);
        return value == null ? NO_DOUBLE : (double) value;
    }

    static boolean isNone(double value) {
        return Double.doubleToRawLongBits(value) == Double.doubleToRawLongBits(NO_DOUBLE);
    }

    /** Null if it is empty or has another form. */
    static @Nullable Object parsed(CsvValue.Parse parse, byte[] bytes, int from, int to) {
        if (from == to) {
            return null;
        }
        if (bytes[from] != '"') {
            return parse.value(bytes, from, to);
        }
        if (!isQuoted(bytes, from, to)) {
            byte[] text = undoubled(bytes, from + 1, to - 1);
            return parse.value(text, 0, text.length);
        }
        return parse.value(bytes, from + 1, to - 1);
    }

    static @Nullable Object text(ColumnTexts texts, byte[] bytes, int from, int to) {
        return from == to || bytes[from] == '"' ? parsed(texts, bytes, from, to) : texts.value(bytes, from, to);
    }

    /** True for a field in quotes that holds none. */
    private static boolean isQuoted(byte[] bytes, int from, int to) {
        return to - from >= 2 && bytes[from] == '"' && Words.indexOf((byte) '"', bytes, from + 1, to - 1) < 0;
    }

    private static byte[] undoubled(byte[] bytes, int from, int to) {
        byte[] text = new byte[to - from];
        int length = 0;
        for (int at = from; at < to; at++) {
            text[length++] = bytes[at];
            at += bytes[at] == '"' ? 1 : 0;
        }
        return Arrays.copyOf(text, length);
    }
}
