// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import org.jspecify.annotations.Nullable;

/**
 * An aggregate whose accumulator also fits into a fixed number of longs, so that an engine can keep the accumulators of
 * many keys side by side in one array and add records without allocating objects. Longs that are all 0 mean an
 * accumulator that has seen no records. Both representations must give the same results. State is saved as accumulators
 * of type {@code A}.
 *
 * @param <T> records in
 * @param <A> accumulator
 * @param <R> result
 */
public interface FlatAggregate<T, A, R> extends Aggregate<T, A, R> {
    /**
     * The number of longs that an accumulator takes, starting at the index {@code at} that is passed to the other
     * methods.
     */
    int longs();

    /** Adds a record. Must leave the longs unchanged if it throws. */
    void add(long[] longs, int at, T value) throws Exception;

    /** Adds everything that the other longs have seen; those must not change. */
    void merge(long[] longs, int at, long[] others, int atOthers) throws Exception;

    /**
     * True if records in a given order come to the same longs, to the last bit, however they are grouped before they are merged
     * in that order. Sliding windows then keep what several panes come to, and do not merge all panes for each window. Merging
     * may throw where another grouping does not. A sum of doubles is not such.
     */
    default boolean associative() {
        return false;
    }

    /** The result so far; null if there is none. */
    @Nullable R result(long[] longs, int at) throws Exception;

    /** Converts the longs to an accumulator, for a checkpoint. */
    A accumulator(long[] longs, int at);

    /** Sets the longs from an accumulator, after a restore. */
    void set(long[] longs, int at, A accumulator);
}
