// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A number as it is written: digits times ten to the exponent. What is read from it is the value nearest to what is
 * written, exactly. The form, as RFC 8259 has it save that zeros may lead, was checked before.
 *
 * @param negative it begins with a minus, which may stand before a 0
 * @param digits without sign and point
 * @param exponent of ten
 */
public record Decimal(boolean negative, long digits, int exponent) {
    /** What a BigDecimal or BigInteger may have in characters: what they cost grows faster than their length. */
    public static final int MAX_BIG_LENGTH = 1_000;

    private static final int MAX_BIG_EXPONENT = 9_999;
    private static final int MAX_DIGITS = 18;
    private static final int MAX_EXPONENT = 99_999;

    /** The powers of ten that a double holds exactly; beyond them one rounding does not make the nearest double. */
    private static final double[] DOUBLE_POWERS = new double[23];

    private static final float[] FLOAT_POWERS = new float[11];

    static {
        for (int i = 0; i < DOUBLE_POWERS.length; i++) {
            DOUBLE_POWERS[i] = Double.parseDouble("1e" + i);
        }
        for (int i = 0; i < FLOAT_POWERS.length; i++) {
            FLOAT_POWERS[i] = Float.parseFloat("1e" + i);
        }
    }

    /** Infinite if it does not fit a double. */
    public static double toDouble(byte[] bytes, int begin, int end) {
        Decimal decimal = of(bytes, begin, end);
        if (decimal == null || decimal.digits > 1L << 53 || Math.abs(decimal.exponent) >= DOUBLE_POWERS.length) {
            return Double.parseDouble(text(bytes, begin, end));
        }
        double value = decimal.exponent < 0
                ? decimal.digits / DOUBLE_POWERS[-decimal.exponent]
                : decimal.digits * DOUBLE_POWERS[decimal.exponent];
        return decimal.negative ? -value : value;
    }

    /** Infinite if it is beyond what a float holds. */
    public static float toFloat(byte[] bytes, int begin, int end) {
        Decimal decimal = of(bytes, begin, end);
        if (decimal == null || decimal.digits > 1L << 24 || Math.abs(decimal.exponent) >= FLOAT_POWERS.length) {
            return Float.parseFloat(text(bytes, begin, end));
        }
        float value = decimal.exponent < 0
                ? decimal.digits / FLOAT_POWERS[-decimal.exponent]
                : decimal.digits * FLOAT_POWERS[decimal.exponent];
        return decimal.negative ? -value : value;
    }

    /** Null if it is longer, or its exponent larger, than is good for anybody. */
    public static @Nullable BigDecimal toBigDecimal(byte[] bytes, int begin, int end) {
        Decimal decimal = of(bytes, begin, end);
        if (decimal != null && Math.abs(decimal.exponent) <= MAX_BIG_EXPONENT) {
            return BigDecimal.valueOf(decimal.negative ? -decimal.digits : decimal.digits, -decimal.exponent);
        }
        if (end - begin <= MAX_BIG_LENGTH) {
            try {
                BigDecimal value = new BigDecimal(text(bytes, begin, end));
                if (Math.abs((long) value.scale()) <= MAX_BIG_EXPONENT) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // The exponent alone is too large.
            }
        }
        return null;
    }

    private static String text(byte[] bytes, int begin, int end) {
        return new String(bytes, begin, end - begin, StandardCharsets.ISO_8859_1);
    }

    /** Null if it has too many digits for a long. */
    private static @Nullable Decimal of(byte[] bytes, int begin, int end) {
        boolean negative = bytes[begin] == '-';
        int at = negative ? begin + 1 : begin;
        long digits = 0;
        int count = 0;
        int places = 0;
        boolean point = false;
        int exponent = 0;
        for (; at < end; at++) {
            int next = bytes[at];
            if (next == '.') {
                point = true;
            } else if ((next | 0x20) == 'e') {
                exponent = exponent(bytes, at + 1, end);
                break;
            } else {
                digits = digits * 10 + (next - '0');
                count = digits == 0 ? 0 : count + 1;
                places += point ? 1 : 0;
                if (count > MAX_DIGITS) {
                    return null;
                }
            }
        }
        return new Decimal(negative, digits, exponent - places);
    }

    private static int exponent(byte[] bytes, int begin, int end) {
        boolean negative = bytes[begin] == '-';
        int exponent = 0;
        for (int at = negative || bytes[begin] == '+' ? begin + 1 : begin; at < end && exponent <= MAX_EXPONENT; at++) {
            exponent = exponent * 10 + (bytes[at] - '0');
        }
        return negative ? -exponent : exponent;
    }
}
