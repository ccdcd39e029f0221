// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import java.time.Instant;

/** Times as numbers of a unit; a second has {@code 10^digits} of them. */
public final class Times {
    private static final int NANO_DIGITS = 9;

    private Times() {}

    /** Nanoseconds in one unit. */
    public static long nanosPerUnit(int digits) {
        return power(NANO_DIGITS - digits);
    }

    /** The instant that is so many units after 1970. */
    public static Instant instant(long units, int digits) {
        long perSecond = power(digits);
        return Instant.ofEpochSecond(
                Math.floorDiv(units, perSecond), Math.floorMod(units, perSecond) * nanosPerUnit(digits));
    }

    /**
     * Units since 1970.
     *
     * @throws ArithmeticException if it is out of range, or finer than the unit
     */
    public static long units(Instant instant, int digits) {
        long whole = Math.multiplyExact(instant.getEpochSecond(), power(digits));
        return Math.addExact(whole, units(instant.getNano(), digits));
    }

    /**
     * Nanoseconds in units.
     *
     * @throws ArithmeticException if it is finer than the unit
     */
    public static long units(long nanos, int digits) {
        long perUnit = nanosPerUnit(digits);
        if (nanos % perUnit != 0) {
            throw new ArithmeticException("finer than the unit");
        }
        return nanos / perUnit;
    }

    private static long power(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }
}
