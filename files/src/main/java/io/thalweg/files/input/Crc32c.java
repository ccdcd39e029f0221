// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

/** Arithmetic on CRC-32C checksums. */
final class Crc32c {
    /** The polynomial, bit-reversed: x^31 is the lowest bit. */
    private static final int POLYNOMIAL = 0x82f63b78;

    private static final int ONE = 1 << 31;
    private static final int X_TO_THE_8 = 1 << 23;

    private Crc32c() {}

    /**
     * The checksum of two stretches of bytes, one after the other, from those of each: the first one's polynomial times x to the
     * number of bits in the second one, plus the second one's.
     */
    static int join(int first, int second, long secondBytes) {
        int shift = ONE;
        int square = X_TO_THE_8;
        for (long left = secondBytes; left > 0; left >>>= 1) {
            if ((left & 1) != 0) {
                shift = multiply(shift, square);
            }
            square = multiply(square, square);
        }
        return multiply(shift, first) ^ second;
    }

    /** The product of two polynomials modulo {@link #POLYNOMIAL}. */
    private static int multiply(int a, int b) {
        int product = 0;
        int power = b;
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= power;
            }
            power = (power & 1) != 0 ? (power >>> 1) ^ POLYNOMIAL : power >>> 1;
        }
        return product;
    }
}
