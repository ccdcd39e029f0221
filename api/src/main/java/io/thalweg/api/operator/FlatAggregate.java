// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import org.jspecify.annotations.Nullable;

/**
 * An aggregate whose accumulator also fits into some longs, so that an engine can keep those of many keys side by side in one
 * array and add records without making objects. Longs that are all 0 are an accumulator that has seen nothing. Both ways must
 * come to the same results. State is saved as accumulators of type {@code A}.
 */
public interface FlatAggregate<T, A, R> extends Aggregate<T, A, R> {
    /** How many longs an accumulator takes: from {@code at} on, in the array that the other methods are given. */
    int longs();

    /** Adds a record. Leaves the longs as they are if it throws. */
    void add(long[] longs, int at, T value) throws Exception;

    /** Adds all that the other longs have seen; those stay as they are. */
    void merge(long[] longs, int at, long[] others, int atOthers) throws Exception;

    /** The result so far, null if there is none. */
    @Nullable R result(long[] longs, int at) throws Exception;

    /** What the longs hold, as an accumulator of its own. */
    A accumulator(long[] longs, int at);

    /** Has the longs hold what an accumulator holds. */
    void set(long[] longs, int at, A accumulator);
}
