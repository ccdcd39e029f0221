// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import org.jspecify.annotations.Nullable;

/** A number as it is written: digits times ten to the exponent. */
record Decimal(boolean negative, long digits, int exponent) {
    private static final int MAX_DIGITS = 18;
    private static final int MAX_EXPONENT = 99_999;

    /** Reads a number whose form was checked; null where it has too many digits for a long. */
    static @Nullable Decimal of(byte[] bytes, int begin, int end) {
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

    /** The nearest double; exact where the digits are below 2^53 and the exponent within 22. */
    double toDouble(double[] powers) {
        double value = exponent < 0 ? digits / powers[-exponent] : digits * powers[exponent];
        return negative ? -value : value;
    }

    float toFloat(float[] powers) {
        float value = exponent < 0 ? digits / powers[-exponent] : digits * powers[exponent];
        return negative ? -value : value;
    }
}
