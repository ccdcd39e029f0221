// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.TwoInputOperator;
import java.util.List;

/**
 * Two streams that lead to one operator. Made by {@link Stream#connect}.
 *
 * @param <A> records of the first
 * @param <B> records of the second
 */
public final class ConnectedStreams<A, B> {
    private final Stream<A> first;
    private final Stream<B> second;

    ConnectedStreams(Stream<A> first, Stream<B> second) {
        this.first = first;
        this.second = second;
    }

    /**
     * Adds a user's operator that receives both streams.
     *
     * @param supplier makes one operator for each task; also called while the topology is described
     */
    public <R> Stream<R> process(OperatorSupplier<? extends TwoInputOperator<? super A, ? super B, R>> supplier) {
        return first.add(
                new NodeSpec.Connect(Stream.cast(supplier)),
                List.of(first, second),
                Stream.emitted(supplier, TwoInputOperator.class, 2));
    }
}
