// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** What a record carries: its number in the first eight bytes, big endian, and what fills it up, alike in all engines. */
public final class Payload {
    private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final byte FILLING = 'x';

    private Payload() {}

    /** What all engines make their records of. To and from Python it is a text, in which JSON has six letters for a zero. */
    public static byte[] template(int length) {
        byte[] template = new byte[length];
        Arrays.fill(template, FILLING);
        return template;
    }

    /** Whether all bytes are those of the template, but for the number. */
    static boolean isAsMade(byte[] data) {
        for (int i = Long.BYTES; i < data.length; i++) {
            if (data[i] != FILLING) {
                return false;
            }
        }
        return true;
    }

    /** A copy of the template with that number. */
    public static byte[] of(long number, byte[] template) {
        byte[] data = template.clone();
        setNumber(data, number);
        return data;
    }

    public static void setNumber(byte[] data, long number) {
        NUMBER.set(data, 0, number);
    }

    public static long number(byte[] data) {
        return (long) NUMBER.get(data, 0);
    }

    /** Whether it came out as it went in, as far as that can be seen. */
    public static boolean isWhole(byte[] data, int length, long number) {
        return data.length == length && number(data) == number;
    }

    /** The moments at which a record was handled, and now. */
    public static long[] andNow(long[] times) {
        long[] more = Arrays.copyOf(times, times.length + 1);
        more[times.length] = System.nanoTime();
        return more;
    }
}
