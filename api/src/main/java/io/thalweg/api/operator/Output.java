// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** Where an operator emits. Valid during the call it was handed to, on the calling thread. */
public interface Output<R> {
    /** Emits to the main stream; the record inherits event time and stamp of the one in hand. */
    void emit(R value);

    /**
     * Emits to the main stream with an event time of its own, as for a result of two records that has the time of the later
     * one. The result is never late further down: its stamp is one millisecond before its time, or that of the record in hand
     * if that is later.
     *
     * @param time in epoch milliseconds; not before the event time of the record in hand, or of the timer
     * @throws IllegalArgumentException if it is before that time
     * @throws IllegalStateException if the stream, or the record in hand, has no event time
     */
    void emitAt(long time, R value);

    /**
     * Emits to a side stream, which the topology reads with {@code stream.side(side)}. The operator names it in {@code
     * sideOutputs()}.
     */
    <S> void emit(SideOutput<S> side, S value);
}
