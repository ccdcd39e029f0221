// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Payload;
import org.apache.flink.api.java.tuple.Tuple3;

/**
 * A record with a payload: its number, the bytes, and the times it went through a component. Not the one of the other drivers,
 * since Flink's quickest serializer is that of tuples.
 */
@SuppressWarnings("unchecked") // Tuple3 overrides copy() so
public final class Message extends Tuple3<Long, byte[], long[]> {
    private static final long serialVersionUID = 1L;
    private static final long[] NO_TIMES = {};

    public Message() {}

    private Message(long number, byte[] payload, long[] times) {
        super(number, payload, times);
    }

    /** A record with a new copy of the template, and its number in the first bytes of it. */
    static Message of(long number, byte[] template) {
        return new Message(number, Payload.of(number, template), NO_TIMES);
    }

    static Message of(long number, byte[] template, long timeNs) {
        return new Message(number, Payload.of(number, template), new long[] {timeNs});
    }

    /** A record with that payload, which has its number in the first bytes. */
    static Message read(byte[] payload, long... times) {
        return new Message(Payload.number(payload), payload, times);
    }

    /** A record of its own with a copy of the payload, and one more time. */
    Message stamped() {
        return new Message(f0, f1.clone(), Payload.andNow(f2));
    }

    long number() {
        return f0;
    }

    long[] times() {
        return f2;
    }

    boolean isWhole(int length) {
        return Payload.isWhole(f1, length, f0);
    }
}
