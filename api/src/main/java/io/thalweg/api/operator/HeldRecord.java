// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A record that a {@link ThreadedOperator} holds. Any thread may call, until the record was acked or has failed.
 *
 * <p>What is emitted through it inherits its event time and stamp and belongs to it: the watermark does not pass the record while it
 * is held, so nothing of that is late that would not have been late at once. In a job with the guarantee {@code acked}, the source
 * record is acked when this record and all that was emitted through it are done.
 *
 * @param <R> records out
 */
public interface HeldRecord<R> extends Output<R> {
    /**
     * Emits a record that belongs to this one.
     *
     * @throws NullValueException if the value is null
     * @throws IllegalStateException if this record is no longer held, the task has ended, or the thread was interrupted while it
     *     waited for room
     */
    @Override
    void emit(R value);

    /**
     * Like {@link #emit(Object)}, with an event time of its own, as {@link Output#emitAt} has it.
     *
     * @param time in epoch milliseconds; not before the event time of this record
     * @throws IllegalArgumentException if it is before that time
     * @throws IllegalStateException as for {@link #emit(Object)}, or if this record has no event time
     */
    @Override
    void emitAt(long time, R value);

    /**
     * Emits to a side output, like {@link #emit(Object)}.
     *
     * @throws NullValueException if the value is null
     * @throws IllegalStateException as there
     */
    @Override
    <S> void emit(SideOutput<S> side, S value);

    /** The record is done. Never waits. Does nothing if the record is no longer held. */
    void ack();

    /**
     * The record could not be processed, as if the operator had thrown a {@link RecordFailedException}: in a job with the guarantee
     * {@code acked} it is retried, in any other the job fails. Never waits. Does nothing if the record is no longer held.
     *
     * @param reason what went wrong, in one line; null is taken for no reason
     */
    void fail(String reason);
}
