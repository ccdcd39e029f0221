// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The tuple of the storm-2012 study: data that is only forwarded, and the moments at which it was handled.
 *
 * @param data 1000 bytes, the first eight of them its number
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Message(byte[] data, long[] times) {
    static final int BYTES = 1_000;
    private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** A copy of the template with a number of its own, handled now. */
    static Message first(byte[] template, long number) {
        byte[] copy = template.clone();
        NUMBER.set(copy, 0, number);
        return new Message(copy, new long[] {System.nanoTime()});
    }

    /** One hop further: a copy, handled now. */
    Message next() {
        long[] more = Arrays.copyOf(times, times.length + 1);
        more[times.length] = System.nanoTime();
        return new Message(data.clone(), more);
    }

    long number() {
        return (long) NUMBER.get(data, 0);
    }
}
