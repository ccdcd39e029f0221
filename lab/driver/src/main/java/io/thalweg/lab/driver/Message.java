// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

/**
 * A record with a payload, for engines that take any object: Flink and Storm are quickest with tuples of their own.
 *
 * @param data a {@link Payload} that is only forwarded
 * @param times the moments at which it was handled; none where latency is not measured
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Message(long number, byte[] data, long[] times) {
    public static final long[] UNTIMED = {};

    /** A new one with a copy of the template. */
    public static Message of(long number, byte[] template, long[] times) {
        return new Message(number, Payload.of(number, template), times);
    }

    /** One that was made elsewhere. */
    public static Message read(byte[] data) {
        return new Message(Payload.number(data), data, UNTIMED);
    }

    /** One hop further: a copy, handled now. */
    public Message next() {
        return new Message(number, data.clone(), Payload.andNow(times));
    }

    /** Checks and counts one that came out. */
    public void count(int length, SinkMeter meter) {
        if (!Payload.isWhole(data, length, number)) {
            meter.damaged();
        }
        meter.data(data);
        if (times.length > 0) {
            meter.received(number, times[0]);
        } else {
            meter.received(number);
        }
    }
}
