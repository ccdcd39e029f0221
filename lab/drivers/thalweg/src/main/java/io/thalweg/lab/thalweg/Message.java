// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.lab.driver.SinkMeter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A number, bytes that are only forwarded, and the moments at which it was handled.
 *
 * @param data its first eight bytes are the number
 */
record Message(long number, byte[] data, long[] times) {
    private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long[] UNTIMED = {};

    static LoadSource.Maker<Message> maker(int payload, boolean timed) {
        byte[] template = new byte[payload];
        return load -> {
            long[] times = timed ? new long[] {load.dueNs()} : UNTIMED;
            long number = load.take();
            byte[] data = template.clone();
            NUMBER.set(data, 0, number);
            return new Message(number, data, times);
        };
    }

    /** One hop further: a copy, handled now. */
    Message next() {
        long[] more = Arrays.copyOf(times, times.length + 1);
        more[times.length] = System.nanoTime();
        return new Message(number, data.clone(), more);
    }

    void count(int payload, boolean timed, SinkMeter meter) {
        if (data.length != payload || (long) NUMBER.get(data, 0) != number) {
            meter.damaged();
        }
        if (timed) {
            meter.received(number, times[0]);
        } else {
            meter.received(number);
        }
    }
}
