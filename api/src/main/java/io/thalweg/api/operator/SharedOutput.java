// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.Collection;

/**
 * What a {@link ThreadedOperator} emits to from its own threads. Any thread may call, at any time between {@link
 * ThreadedOperator#start} and the end of the task.
 *
 * <ul>
 *   <li><b>Order.</b> The records of one thread stay in the order in which it emitted them. Nothing is said of those of different
 *       threads.
 *   <li><b>Backpressure.</b> If downstream is full, a thread of the operator's waits in {@code emit}. It does not wait while the
 *       task itself is within a call of the operator, which may be waiting for that thread. The task's own thread never waits.
 *   <li><b>What belongs to no record.</b> A record emitted here has no event time, and nobody retries it: in a checkpoint, or when
 *       its job fails, it may be lost. One emitted through a {@link HeldRecord} has the event time of that record, and belongs to it.
 *   <li><b>The end.</b> After the task has ended, or was stopped, all that emits throws an {@link IllegalStateException}, and threads
 *       that wait in {@code emit} do so too. This happens before {@link Operator#close} is called.
 * </ul>
 *
 * @param <R> records out
 */
public interface SharedOutput<R> extends Output<R> {
    /**
     * Emits a record that belongs to no other and has no event time.
     *
     * @throws NullValueException if the value is null
     * @throws IllegalStateException if the task has ended, or the thread was interrupted while it waited for room
     */
    @Override
    void emit(R value);

    /**
     * Refused: without a record that holds the watermark back, windows may have fired already. Hold a record, and emit through it.
     *
     * @throws IllegalStateException always
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

    /**
     * Emits a record that belongs to several held records at once, such as a join of them. In a job with the guarantee {@code acked},
     * each of their source records is acked only when this record is done, and all of them are retried if it fails. Its event time is
     * the latest of theirs.
     *
     * <pre>{@code
     * shared.emit(List.of(order, payment), new Receipt(…));
     * order.ack();
     * payment.ack();
     * }</pre>
     *
     * @param anchors what {@link #hold} of this task returned; as {@link #emit(Object)} if there are none
     * @throws NullValueException if the value is null
     * @throws IllegalArgumentException if one of them is held by another task
     * @throws IllegalStateException if one of them is no longer held, or as for {@link #emit(Object)}
     */
    void emit(Collection<? extends HeldRecord<R>> anchors, R value);

    /**
     * Emits to a side output, like {@link #emit(Collection, Object)}.
     *
     * @throws NullValueException if the value is null
     * @throws IllegalArgumentException as there
     * @throws IllegalStateException as there
     */
    <S> void emit(SideOutput<S> side, Collection<? extends HeldRecord<R>> anchors, S value);

    /**
     * Holds the current record beyond the call of {@code process}. Until {@link HeldRecord#ack} or {@link HeldRecord#fail} is
     * called, the record is not acked, watermarks wait, and the job does not end. The same object each time within one call. If
     * {@code process} throws, the record is no longer held.
     *
     * @throws IllegalStateException anywhere but within {@code process}, on the task's thread
     */
    HeldRecord<R> hold();

    /**
     * The job does not end by itself until {@link #close} is called, although all input has ended. {@code finish} is called when it
     * has. Does nothing to a job that is cancelled.
     */
    void keepOpen();

    /** Nothing more will be emitted: whatever emits after that throws an {@link IllegalStateException}. May be called again. */
    void close();

    /**
     * Fails the job, with the name of the operator. For what a thread of the operator's throws: {@code
     * thread.setUncaughtExceptionHandler((t, e) -> output.fail(e))}. Only the first failure counts. Null is taken for a failure without a
     * cause.
     */
    void fail(Throwable cause);
}
