// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;

/**
 * The environment of an operator: which task it is, and the times of the current record. Its methods may be called only
 * on the task's thread, from the operator's own calls.
 */
public interface OperatorContext {
    /** The name of the operator in the topology. */
    String operator();

    /** The number of this task, from 0 to {@link #parallelism()} - 1. */
    int task();

    /** The number of tasks of the operator. */
    int parallelism();

    /**
     * The event time of the current record, in epoch milliseconds; {@link #NO_TIME} if the stream has no event time.
     */
    long eventTime();

    /**
     * The watermark that the split of the current record had before the record came; {@link #NO_TIME} if it had none,
     * or if the stream has no event time. The record is late if its {@link #eventTime} is not after its stamp. The
     * stamp depends on the record's split alone, whereas the {@link #watermark} of the operator also depends on the
     * progress of other splits; the watermark is never ahead of the stamp of a record still to come. If the split was
     * idle, and time went on without it, the stamp is at least the watermark that was reached then.
     */
    long stamp();

    /**
     * Counts the current record as late, as windows do with theirs. What becomes of the record is up to the operator.
     */
    void countLate();

    /**
     * The same, and shows the record among the job's late records if it is one of those that are kept.
     *
     * @param record the current one; its {@code toString} is called now, or not at all
     */
    default void countLate(Object record) {
        countLate();
    }

    /**
     * Counts and keeps a bad record and returns, unless the job runs with {@code --on-bad fail}. For an operator that
     * has more to do for the current record; throwing the exception does the same and ends the call.
     */
    void countBad(BadRecordException bad);

    /**
     * Declares a map that is the same in every task, for a {@link BroadcastOperator} or a {@link
     * KeyedBroadcastOperator}. Must be called in {@code open}.
     *
     * @param name stable across versions of the job: a restored job finds its state by it
     * @throws IllegalStateException if the name is taken, the operator is already open, or it is an operator of another
     *     kind
     */
    <F, V> BroadcastState<F, V> broadcastState(String name, Type<F> field, Type<V> value);

    /**
     * The watermark of the operator, in epoch milliseconds: no record that is not late will have an event time at or
     * before it. {@link #NO_TIME} before the first.
     */
    long watermark();

    /**
     * Where an operator, such as a lookup, tells that it lost a system that it asks. To be called in {@code open}; any thread
     * may report there.
     */
    default ConnectionReports connections() {
        return ConnectionReports.none();
    }

    /** Stands for no event time, and for no watermark yet. */
    long NO_TIME = Long.MIN_VALUE;
}
