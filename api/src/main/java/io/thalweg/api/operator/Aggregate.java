// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Combines many records into one result through a mutable accumulator. Ready-made aggregates are in {@link Aggregates}.
 *
 * <pre>{@code
 * record Range() implements Aggregate<Long, long[], Long> {
 *     public long[] create() {
 *         return new long[] {Long.MAX_VALUE, Long.MIN_VALUE};
 *     }
 *     public void add(long[] range, Long value) {
 *         range[0] = Math.min(range[0], value);
 *         range[1] = Math.max(range[1], value);
 *     }
 *     public void merge(long[] range, long[] other) {
 *         range[0] = Math.min(range[0], other[0]);
 *         range[1] = Math.max(range[1], other[1]);
 *     }
 *     public Long result(long[] range) {
 *         return range[1] - range[0];
 *     }
 *     public Type<long[]> accumulatorType() {
 *         return Type.of(long[].class);
 *     }
 *     public Type<Long> resultType() {
 *         return Type.of(Long.class);
 *     }
 * }
 * }</pre>
 *
 * <p>An aggregate has no state of its own and is serializable: one instance serves all tasks, on several threads. An
 * accumulator is used by one thread at a time. An exception fails the job, except that {@link BadRecordException} from
 * {@link #add} makes the record a bad one.
 *
 * @param <T> records in
 * @param <A> accumulator
 * @param <R> result
 */
public interface Aggregate<T, A, R> extends Serializable {
    /** A new accumulator that has seen no records; never null. */
    A create();

    /**
     * Adds a record to an accumulator. Must not keep {@code value} itself if {@link #keepsRecords()} is false, because
     * the source may reuse the object.
     */
    void add(A accumulator, T value) throws Exception;

    /**
     * Adds everything that {@code other} has seen to {@code accumulator}. {@code other} must not change, and the two
     * must share nothing that changes afterwards. Called for sessions, sliding windows and partial results.
     */
    void merge(A accumulator, A other) throws Exception;

    /**
     * The result so far. The accumulator is not used up: records may be added afterwards.
     *
     * @return null if there is no result; a window then emits {@code null} as its value
     */
    @Nullable R result(A accumulator) throws Exception;

    /** The type of the accumulator. Its codec writes accumulators to checkpoints and to other tasks. */
    Type<A> accumulatorType();

    /**
     * The type of the results.
     *
     * @return null if it cannot be determined; the topology then requires {@code .as(type)}
     */
    @Nullable Type<R> resultType();

    /**
     * True if an accumulator keeps records that it was given, as {@code first} and {@code top} do, or parts of them that
     * may change. Records of a source that reuses its objects are then copied first.
     */
    default boolean keepsRecords() {
        return false;
    }

    /**
     * What the aggregate computes, in words that distinguish it from others: {@code Count}, {@code Top 5}. Saved in
     * checkpoints: an accumulator is restored only into an aggregate with the same description. The name of the class
     * by default.
     */
    default String describe() {
        return getClass().getSimpleName();
    }
}
