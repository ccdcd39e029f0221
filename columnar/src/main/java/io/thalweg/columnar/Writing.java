// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import java.io.Serializable;
import java.math.BigInteger;

/**
 * How columns are written, where the record class leaves it open. Immutable.
 *
 * @param timeDigits unit of times: 6 for microseconds, 9 for nanoseconds
 * @param precision of BigDecimal columns: digits in total, 1 to {@link #MAX_PRECISION}
 * @param scale of BigDecimal columns: digits after the point, 0 to {@code precision}
 */
public record Writing(int timeDigits, int precision, int scale) implements Serializable {
    /** Digits that 16 bytes can hold. */
    public static final int MAX_PRECISION = 38;

    /** @throws IllegalArgumentException if precision or scale is out of range */
    public Writing {
        if (precision < 1 || precision > MAX_PRECISION || scale < 0 || scale > precision) {
            throw new IllegalArgumentException("a decimal of " + precision + " digits, " + scale
                    + " of them after the point: there may be 1 to " + MAX_PRECISION
                    + " digits, and not more behind the point than there are");
        }
    }

    /** Microseconds; decimals of 38 digits, 18 of them after the point. */
    public static Writing defaults() {
        return new Writing(6, MAX_PRECISION, MAX_PRECISION / 2 - 1);
    }

    /** The same with times in nanoseconds. */
    public Writing nanoseconds() {
        return new Writing(9, precision, scale);
    }

    /**
     * The same with another precision and scale.
     *
     * @throws IllegalArgumentException if one of them is out of range
     */
    public Writing decimals(int digits, int behindThePoint) {
        return new Writing(timeDigits, digits, behindThePoint);
    }

    /** Precision of a column of this class, BigDecimal or BigInteger. */
    public int precisionOf(Class<?> type) {
        return type == BigInteger.class ? MAX_PRECISION : precision;
    }

    /** Scale of a column of this class; 0 for BigInteger. */
    public int scaleOf(Class<?> type) {
        return type == BigInteger.class ? 0 : scale;
    }
}
