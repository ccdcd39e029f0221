// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;

/** What an operator may know of its surroundings. Its methods may be called from the operator's own calls only. */
public interface OperatorContext {
    String operator();

    /** From 0 to {@link #parallelism()} - 1. */
    int task();

    int parallelism();

    /** Event time of the record in hand, in epoch milliseconds; {@link #NO_TIME} if the stream has no event time. */
    long eventTime();

    /**
     * The watermark that the split of the record in hand had before it; {@link #NO_TIME} if it had none, or if the stream has
     * no event time. The record is late if its {@link #eventTime} is not after its stamp. That depends on its split alone, and
     * the {@link #watermark} of the operator also on how fast other splits are: it is never ahead of the stamp of a record
     * still to come.
     */
    long stamp();

    /** Counts the record in hand as late, as windows count theirs. What becomes of it is up to the operator. */
    void countLate();

    /**
     * Counts and keeps a bad record, and returns, unless the job runs with {@code --on-bad fail}. For an operator that has more
     * to do for the record in hand; to throw the exception does the same and ends the call.
     */
    void countBad(BadRecordException bad);

    /**
     * Declares a map that is the same in every task, for a {@link BroadcastOperator} or a {@link KeyedBroadcastOperator}. To be
     * called in {@code open} only.
     *
     * @param name stable over versions of the job: a restored job finds its state by it
     * @throws IllegalStateException if the name is taken, the operator is already open, or it is an operator of another kind
     */
    <F, V> BroadcastState<F, V> broadcastState(String name, Type<F> field, Type<V> value);

    /** The highest watermark the operator has been told of; {@link #NO_TIME} before the first. */
    long watermark();

    long NO_TIME = Long.MIN_VALUE;
}
