// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.StreamSerializer;
import io.thalweg.lab.driver.SinkMeter;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * A number, bytes that are only forwarded, and the moments at which it was handled.
 *
 * @param data its first eight bytes are the number
 */
record Message(long number, byte[] data, long[] times) {
    static final long[] UNTIMED = {};

    private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** A new one with a copy of the template. */
    static Message of(long number, byte[] template, long[] times) {
        byte[] data = template.clone();
        NUMBER.set(data, 0, number);
        return new Message(number, data, times);
    }

    /** One that was made elsewhere. */
    static Message read(byte[] data) {
        return new Message(number(data), data, UNTIMED);
    }

    static long number(byte[] data) {
        return (long) NUMBER.get(data, 0);
    }

    /** One hop further: a copy, handled now. */
    Message next() {
        long[] more = Arrays.copyOf(times, times.length + 1);
        more[times.length] = System.nanoTime();
        return new Message(number, data.clone(), more);
    }

    void count(int length, SinkMeter meter) {
        if (data.length != length || number(data) != number) {
            meter.damaged();
        }
        if (times.length > 0) {
            meter.received(number, times[0]);
        } else {
            meter.received(number);
        }
    }

    static final class Serializer implements StreamSerializer<Message> {
        @Override
        public int getTypeId() {
            return 2;
        }

        @Override
        public void write(ObjectDataOutput out, Message value) throws IOException {
            out.writeLong(value.number);
            out.writeByteArray(value.data);
            out.writeLongArray(value.times);
        }

        @Override
        public Message read(ObjectDataInput in) throws IOException {
            return new Message(
                    in.readLong(),
                    Objects.requireNonNull(in.readByteArray()),
                    Objects.requireNonNull(in.readLongArray()));
        }
    }
}
