// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import java.io.Serializable;
import java.math.BigInteger;

/**
 * What a record class does not say of its columns.
 *
 * @param timeDigits how many digits of a second times have: 6 or 9
 * @param precision digits of a BigDecimal
 * @param scale digits of a BigDecimal behind the point
 */
public record Writing(int timeDigits, int precision, int scale) implements Serializable {
    public static final int MAX_PRECISION = 38;

    public Writing {
        if (precision < 1 || precision > MAX_PRECISION || scale < 0 || scale > precision) {
            throw new IllegalArgumentException("a decimal of " + precision + " digits, " + scale
                    + " of them after the point: there may be 1 to " + MAX_PRECISION
                    + " digits, and not more behind the point than there are");
        }
    }

    public static Writing defaults() {
        return new Writing(6, MAX_PRECISION, MAX_PRECISION / 2 - 1);
    }

    public Writing nanoseconds() {
        return new Writing(9, precision, scale);
    }

    public Writing decimals(int digits, int behindThePoint) {
        return new Writing(timeDigits, digits, behindThePoint);
    }

    /** Digits of a number of the class. */
    public int precisionOf(Class<?> type) {
        return type == BigInteger.class ? MAX_PRECISION : precision;
    }

    /** Digits behind the point of a number of the class. */
    public int scaleOf(Class<?> type) {
        return type == BigInteger.class ? 0 : scale;
    }
}
