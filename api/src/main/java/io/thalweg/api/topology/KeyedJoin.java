// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.window.WindowSpec;
import java.time.Duration;

/**
 * Two streams to be joined by a key. {@link #between} or {@link #window} says which records of equal keys meet.
 *
 * @param <K> keys of both
 * @param <A> records of the left stream
 * @param <B> records of the right stream
 */
public final class KeyedJoin<K, A, B> {
    private final Stream<A> left;
    private final Stream<B> right;
    private final NullableFunction<? super A, ? extends K> leftKey;
    private final NullableFunction<? super B, ? extends K> rightKey;

    KeyedJoin(
            Stream<A> left,
            Stream<B> right,
            NullableFunction<? super A, ? extends K> leftKey,
            NullableFunction<? super B, ? extends K> rightKey) {
        this.left = left;
        this.right = right;
        this.leftKey = leftKey;
        this.rightKey = rightKey;
    }

    /**
     * An interval join: a left and a right record of equal keys are a pair if {@code lower <= right time - left time <=
     * upper}, both bounds included. {@code between(Duration.ofMinutes(-5), Duration.ZERO)} finds right records up to
     * five minutes before the left one.
     *
     * @throws io.thalweg.api.graph.TopologyException if {@code lower} is greater than {@code upper}, if the types of
     *     the keys differ, or if they cannot be read from the functions
     */
    public IntervalJoinedStreams<A, B> between(Duration lower, Duration upper) {
        return new IntervalJoinedStreams<>(this, lower, upper);
    }

    /**
     * A window join or co-group: records of equal keys that fall into the same window meet. {@link
     * io.thalweg.api.window.Windows#whole} joins two bounded streams, which then need no event time.
     *
     * @throws io.thalweg.api.graph.TopologyException if the types of the keys differ, or if they cannot be read from
     *     the functions
     */
    public WindowJoinedStreams<K, A, B> window(WindowSpec window) {
        return new WindowJoinedStreams<>(this, window);
    }

    Stream<A> left() {
        return left;
    }

    Stream<B> right() {
        return right;
    }

    NullableFunction<? super A, ? extends K> leftKey() {
        return leftKey;
    }

    NullableFunction<? super B, ? extends K> rightKey() {
        return rightKey;
    }
}
