// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at eight bytes at a time: the byte that comes first is the lowest of the long. */
public final class Words {
    public static final long ONES = 0x0101_0101_0101_0101L;
    public static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Words() {}

    /** The eight bytes from {@code at} on, which must all be in the array. */
    public static long at(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** Marks, by its highest bit, the bytes that are 0; exact for the lowest of them. */
    public static long zeros(long word) {
        return word - ONES & ~word & HIGH_BITS;
    }

    /** Which byte, 0 to 7, bears the lowest mark; 8 if there is none. */
    public static int first(long marks) {
        return Long.numberOfTrailingZeros(marks) >>> 3;
    }

    /** Where a byte first stands, or -1. */
    public static int indexOf(byte value, byte[] bytes, int from, int to) {
        long pattern = (value & 0xff) * ONES;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long marks = zeros(at(bytes, at) ^ pattern);
            if (marks != 0) {
                return at + first(marks);
            }
        }
        for (; at < to; at++) {
            if (bytes[at] == value) {
                return at;
            }
        }
        return -1;
    }

    /** Where a byte last stands, or -1. */
    public static int lastIndexOf(byte value, byte[] bytes, int from, int to) {
        int at = to - 1;
        while (at >= from && bytes[at] != value) {
            at--;
        }
        return at < from ? -1 : at;
    }
}
