// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.flink.api.java.tuple.Tuple3;

/** A record with a payload: its number, the bytes, and the times it went through a component. Flink's quickest serializer is that of tuples. */
@SuppressWarnings("unchecked") // Tuple3 overrides copy() so
public final class Message extends Tuple3<Long, byte[], long[]> {
    private static final long serialVersionUID = 1L;
    private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long[] NO_TIMES = {};

    public Message() {}

    private Message(long number, byte[] payload, long[] times) {
        super(number, payload, times);
    }

    /** A record with a new copy of the template, and its number in the first bytes of it. */
    static Message of(long number, byte[] template) {
        return new Message(number, numbered(number, template), NO_TIMES);
    }

    static Message of(long number, byte[] template, long timeNs) {
        return new Message(number, numbered(number, template), new long[] {timeNs});
    }

    /** A record with that payload, which has its number in the first bytes. */
    static Message read(byte[] payload, long... times) {
        return new Message(numberIn(payload), payload, times);
    }

    static long numberIn(byte[] bytes) {
        return (long) NUMBER.get(bytes, 0);
    }

    private static byte[] numbered(long number, byte[] template) {
        byte[] payload = template.clone();
        NUMBER.set(payload, 0, number);
        return payload;
    }

    /** A record of its own with a copy of the payload, and one more time. */
    Message stamped(long timeNs) {
        long[] times = Arrays.copyOf(f2, f2.length + 1);
        times[f2.length] = timeNs;
        return new Message(f0, f1.clone(), times);
    }

    long number() {
        return f0;
    }

    long[] times() {
        return f2;
    }

    boolean isWhole(int length) {
        return f1.length == length && numberIn(f1) == f0;
    }
}
