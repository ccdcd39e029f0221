// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.Decimal;
import io.thalweg.files.record.Digits;
import io.thalweg.files.record.MalformedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Reads numbers. Whole numbers must be written as such: neither {@code 1.0} nor {@code 1e3} is a long. A double is the one
 * nearest to what is written, exactly.
 */
final class JsonNumber {
    /** The powers of ten that a double holds exactly; beyond them one rounding does not make the nearest double. */
    private static final double[] EXACT_POWERS = new double[23];

    static {
        for (int i = 0; i < EXACT_POWERS.length; i++) {
            EXACT_POWERS[i] = Double.parseDouble("1e" + i);
        }
    }

    private JsonNumber() {}

    static long readLong(JsonInput in) {
        int next = in.peek();
        if (next <= ' ') {
            next = in.skipWhitespace();
        }
        int at = in.position;
        boolean negative = next == '-';
        if (negative) {
            at++;
        }
        long word = in.word(at);
        int digits = Digits.count(word);
        int after = (int) (word >>> (8 * digits)) & 0xff;
        if (digits == 0 || digits == 8 || leadingZero(word, digits) || fraction(after)) {
            return longer(in, at, negative);
        }
        in.position = at + digits;
        long value = Digits.value(word, digits);
        return negative ? -value : value;
    }

    static int readInt(JsonInput in) {
        int begin = in.position;
        long value = readLong(in);
        if ((int) value != value) {
            throw overflow(in, begin, "an int");
        }
        return (int) value;
    }

    static short readShort(JsonInput in) {
        int begin = in.position;
        long value = readLong(in);
        if ((short) value != value) {
            throw overflow(in, begin, "a short");
        }
        return (short) value;
    }

    static byte readByte(JsonInput in) {
        int begin = in.position;
        long value = readLong(in);
        if ((byte) value != value) {
            throw overflow(in, begin, "a byte");
        }
        return (byte) value;
    }

    /** Eight digits and more, and whatever is wrong. */
    private static long longer(JsonInput in, int first, boolean negative) {
        int begin = negative ? first - 1 : first;
        int at = first;
        long value = 0;
        int digits;
        do {
            long word = in.word(at);
            digits = Digits.count(word);
            value = value * Digits.power(digits) + (digits == 0 ? 0 : Digits.value(word, digits));
            at += digits;
        } while (digits == 8);
        int length = at - first;
        int end = end(in, begin);
        if (end > at) {
            throw in.wrong(begin, "a whole number is expected, found " + text(in, begin, end));
        }
        // Nineteen digits fit 64 bits without a sign.
        if (length > 19 || (length == 19 && (negative ? value - 1 < 0 : value < 0))) {
            throw overflow(in, begin, at, "a long");
        }
        in.position = at;
        return negative ? -value : value;
    }

    static double readDouble(JsonInput in) {
        int next = in.peek();
        if (next <= ' ') {
            next = in.skipWhitespace();
        }
        int at = in.position;
        boolean negative = next == '-';
        if (negative) {
            at++;
        }
        long word = in.word(at);
        int digits = Digits.count(word);
        if (digits == 0 || digits == 8 || leadingZero(word, digits)) {
            return anyDouble(in);
        }
        int after = (int) (word >>> (8 * digits)) & 0xff;
        if (!fraction(after)) {
            in.position = at + digits;
            double value = Digits.value(word, digits);
            return negative ? -value : value;
        }
        at += digits + 1;
        long decimals = in.word(at);
        int places = Digits.count(decimals);
        if (after != '.' || places == 0 || places == 8 || fraction((int) (decimals >>> (8 * places)) & 0xff)) {
            return anyDouble(in);
        }
        in.position = at + places;
        // At most fourteen digits: a double holds them, and the power too, so that the quotient is rounded only once.
        double value = (Digits.value(word, digits) * Digits.power(places) + Digits.value(decimals, places))
                / EXACT_POWERS[places];
        return negative ? -value : value;
    }

    private static double anyDouble(JsonInput in) {
        int begin = in.position;
        int end = end(in, begin);
        in.position = end;
        double value = Decimal.toDouble(in.bytes, begin, end);
        if (Double.isInfinite(value)) {
            throw overflow(in, begin, end, "a double");
        }
        return value;
    }

    static float readFloat(JsonInput in) {
        if (in.peek() <= ' ') {
            in.skipWhitespace();
        }
        int begin = in.position;
        int end = end(in, begin);
        in.position = end;
        float value = Decimal.toFloat(in.bytes, begin, end);
        if (Float.isInfinite(value)) {
            throw overflow(in, begin, end, "a float");
        }
        return value;
    }

    static BigDecimal readDecimal(JsonInput in) {
        if (in.peek() <= ' ') {
            in.skipWhitespace();
        }
        int begin = in.position;
        int end = end(in, begin);
        in.position = end;
        BigDecimal value = Decimal.toBigDecimal(in.bytes, begin, end);
        if (value == null) {
            throw overflow(in, begin, end, "a BigDecimal here");
        }
        return value;
    }

    static BigInteger readBigInteger(JsonInput in) {
        if (in.peek() <= ' ') {
            in.skipWhitespace();
        }
        int begin = in.position;
        int end = end(in, begin);
        if (digitsEnd(in, in.peek() == '-' ? begin + 1 : begin) != end) {
            throw in.wrong(begin, "a whole number is expected, found " + text(in, begin, end));
        }
        if (end - begin > Decimal.MAX_BIG_LENGTH) {
            throw overflow(in, begin, end, "a BigInteger here");
        }
        in.position = end;
        return new BigInteger(text(in, begin, end));
    }

    /** The same as {@link #end}, with the least work for numbers that are not long. */
    static int skip(JsonInput in, int begin) {
        int at = in.byteAt(begin) == '-' ? begin + 1 : begin;
        long word = in.word(at);
        int digits = Digits.count(word);
        if (digits == 0 || digits == 8 || leadingZero(word, digits)) {
            return end(in, begin);
        }
        at += digits;
        int after = (int) (word >>> (8 * digits)) & 0xff;
        if (!fraction(after)) {
            return at;
        }
        long decimals = in.word(at + 1);
        int places = Digits.count(decimals);
        if (after != '.' || places == 0 || places == 8 || fraction((int) (decimals >>> (8 * places)) & 0xff)) {
            return end(in, begin);
        }
        return at + 1 + places;
    }

    /** Where the number that begins at a place ends, its form checked against RFC 8259. */
    static int end(JsonInput in, int begin) {
        int at = begin;
        int first = in.byteAt(at);
        if (first != '-' && (first < '0' || first > '9')) {
            in.position = begin;
            throw in.expected("a number");
        }
        if (first == '-') {
            at++;
        }
        int end = someDigits(in, at, "after '-'");
        if (end - at > 1 && in.bytes[at] == '0') {
            throw in.wrong(at, "a number must not begin with 0");
        }
        if (in.byteAt(end) == '.') {
            end = someDigits(in, end + 1, "after the decimal point");
        }
        if ((in.byteAt(end) | 0x20) == 'e') {
            int sign = in.byteAt(end + 1);
            end = someDigits(in, sign == '+' || sign == '-' ? end + 2 : end + 1, "in the exponent");
        }
        return end;
    }

    /** True if JSON writes numbers so. */
    static boolean isNumber(String text) {
        int begin = text.startsWith("-") ? 1 : 0;
        int at = digitsEnd(text, begin);
        boolean valid = at > begin && (at == begin + 1 || text.charAt(begin) != '0');
        if (at < text.length() && text.charAt(at) == '.') {
            int end = digitsEnd(text, at + 1);
            valid &= end > at + 1;
            at = end;
        }
        if (at < text.length() && (text.charAt(at) | 0x20) == 'e') {
            int sign = at + 1 < text.length() && "+-".indexOf(text.charAt(at + 1)) >= 0 ? 1 : 0;
            int end = digitsEnd(text, at + 1 + sign);
            valid &= end > at + 1 + sign;
            at = end;
        }
        return valid && at == text.length();
    }

    private static int digitsEnd(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    private static int someDigits(JsonInput in, int at, String where) {
        int end = digitsEnd(in, at);
        if (end == at) {
            throw in.wrong(at, "a digit is expected " + where);
        }
        return end;
    }

    private static int digitsEnd(JsonInput in, int at) {
        int end = at;
        int digits;
        do {
            digits = Digits.count(in.word(end));
            end += digits;
        } while (digits == 8);
        return Math.min(end, in.limit); // what follows the text is not part of it
    }

    private static boolean leadingZero(long word, int digits) {
        return (word & 0xff) == '0' && digits > 1;
    }

    private static boolean fraction(int after) {
        return after == '.' || (after | 0x20) == 'e';
    }

    private static MalformedException overflow(JsonInput in, int begin, String type) {
        int end = in.position;
        in.position = begin;
        in.skipWhitespace();
        return overflow(in, in.position, end, type);
    }

    private static MalformedException overflow(JsonInput in, int begin, int end, String type) {
        return in.wrong(begin, text(in, begin, Math.min(end, begin + 40)) + " does not fit " + type);
    }

    private static String text(JsonInput in, int begin, int end) {
        return new String(in.bytes, begin, end - begin, StandardCharsets.ISO_8859_1);
    }
}
