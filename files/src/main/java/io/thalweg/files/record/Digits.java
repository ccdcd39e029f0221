// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

/** Decimal digits in words of eight bytes, of which the first is the lowest: see {@link Words}. */
public final class Digits {
    private static final long ZEROS = '0' * Words.ONES;

    /** The powers of ten that a long holds. */
    private static final long[] POWERS = new long[19];

    static {
        long power = 1;
        for (int i = 0; i < POWERS.length; i++, power *= 10) {
            POWERS[i] = power;
        }
    }

    private Digits() {}

    /** How many bytes, from the lowest, are digits before one that is none. */
    public static int count(long word) {
        long values = word ^ ZEROS;
        // A byte above 9 carries into its highest bit; what a carry does to the bytes above it does not matter.
        long others = (values + 0x7676_7676_7676_7676L | values) & Words.HIGH_BITS;
        return Words.first(others);
    }

    /** The number that the lowest bytes, 1 to 8 of them, write in decimal. */
    public static long value(long word, int digits) {
        // The digits move to the high end, zeros before them; then pairs, fours and eights are joined.
        long values = (word ^ ZEROS) << (Long.SIZE - Byte.SIZE * digits);
        values = values * 10 + (values >>> 8);
        return ((values & 0x0000_00ff_0000_00ffL) * 0x000f_4240_0000_0064L
                        + (values >>> 16 & 0x0000_00ff_0000_00ffL) * 0x0000_2710_0000_0001L)
                >>> 32;
    }

    /** Ten to an exponent from 0 to 18. */
    public static long power(int exponent) {
        return POWERS[exponent];
    }
}
