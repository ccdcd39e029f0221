// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Folds many records into one result, through a mutable accumulator. Stateless itself: one instance serves all tasks.
 * The ready-made ones are in {@link Aggregates}.
 *
 * @param <T> records in
 * @param <A> accumulator
 * @param <R> result
 */
public interface Aggregate<T, A, R> extends Serializable {
    A create();

    /** Must not keep {@code value} itself if {@link #keepsRecords()} is false. */
    void add(A accumulator, T value) throws Exception;

    /** Adds all that {@code other} has seen; {@code other} stays as it is and shares nothing with {@code accumulator}. */
    void merge(A accumulator, A other) throws Exception;

    /** The result so far, null if there is none; the accumulator may be added to afterwards. */
    @Nullable R result(A accumulator) throws Exception;

    Type<A> accumulatorType();

    /** Null if it cannot be told; the topology then asks for {@code .as(type)}. */
    @Nullable Type<R> resultType();

    /** True if an accumulator holds on to records it was given (first, top-n): records that are reused are copied. */
    default boolean keepsRecords() {
        return false;
    }

    /**
     * What it computes, in words that tell it from others: {@code Count}, {@code Top 5}. A checkpoint holds them, and what one
     * aggregate accumulated is not given to another.
     */
    default String describe() {
        return getClass().getSimpleName();
    }
}
