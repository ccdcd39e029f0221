// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.List;

/**
 * Two keyed streams that lead to one operator, where their records of equal keys meet. Made by {@link
 * KeyedStream#connect}.
 *
 * @param <K> keys of both
 * @param <A> records of the first
 * @param <B> records of the second
 */
public final class ConnectedKeyedStreams<K, A, B> {
    private final KeyedStream<K, A> first;
    private final KeyedStream<K, B> second;

    ConnectedKeyedStreams(KeyedStream<K, A> first, KeyedStream<K, B> second) {
        this.first = first;
        this.second = second;
    }

    /**
     * Adds a user's operator with state per key and timers, which both streams share.
     *
     * @param supplier makes one operator for each task; also called while the topology is described
     */
    public <R> Stream<R> process(
            OperatorSupplier<? extends KeyedTwoInputOperator<? super K, ? super A, ? super B, R>> supplier) {
        return first.records()
                .add(
                        new NodeSpec.KeyedConnect(first.key(), second.key(), Stream.cast(supplier)),
                        List.of(first.records(), second.records()),
                        Stream.emitted(supplier, KeyedTwoInputOperator.class, 3));
    }
}
