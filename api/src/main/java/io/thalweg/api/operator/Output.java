// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * Receives what an operator emits. Valid only during the call it was passed to, on the calling thread. If downstream is
 * full, the runner slows the operator down (backpressure); emitting never fails for lack of room. If an operator further down fails, so
 * does the job, also if this one catches what it is thrown.
 *
 * @param <R> records out
 */
public interface Output<R> {
    /**
     * Emits to the main stream. The record inherits event time and stamp of the current record or timer.
     *
     * @throws NullValueException if the value is null
     */
    void emit(R value);

    /**
     * Emits to the main stream with an event time of its own, such as the time of the later of two joined records. The
     * stamp is one millisecond before that time, or the stamp of the current record if that is later: so the result is
     * late further down only if the current record, or a timer, came too late for that time already.
     *
     * @param time in epoch milliseconds; not before the event time of the current record or timer
     * @throws IllegalArgumentException if it is before that time
     * @throws IllegalStateException if the stream, or the current record, has no event time
     */
    void emitAt(long time, R value);

    /**
     * Emits to a side output, which the topology reads with {@code stream.side(side)}. The operator must declare it in
     * {@code sideOutputs()}.
     *
     * @throws NullValueException if the value is null
     */
    <S> void emit(SideOutput<S> side, S value);
}
