// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.List;

/**
 * A keyed stream, and one that is broadcast to the same operator. Made by {@link KeyedStream#withBroadcast}.
 *
 * @param <K> keys of the first
 * @param <A> records of the first
 * @param <B> records of the broadcast stream
 */
public final class KeyedBroadcastStreams<K, A, B> {
    private final KeyedStream<K, A> first;
    private final Stream<B> second;

    KeyedBroadcastStreams(KeyedStream<K, A> first, Stream<B> second) {
        this.first = first;
        this.second = second;
    }

    /**
     * Adds a user's operator with state per key and timers.
     *
     * @param supplier makes one operator for each task; also called while the topology is described
     */
    public <R> Stream<R> process(
            OperatorSupplier<? extends KeyedBroadcastOperator<? super K, ? super A, ? super B, R>> supplier) {
        return first.records()
                .add(
                        new NodeSpec.KeyedBroadcast(first.key(), Stream.cast(supplier)),
                        List.of(first.records(), second),
                        Stream.emitted(supplier, KeyedBroadcastOperator.class, 3));
    }
}
