// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.BroadcastOperator;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.List;

/**
 * A stream, and one that is broadcast to the same operator. Made by {@link Stream#withBroadcast}.
 *
 * @param <A> records of the first
 * @param <B> records of the broadcast stream
 */
public final class BroadcastStreams<A, B> {
    private final Stream<A> first;
    private final Stream<B> second;

    BroadcastStreams(Stream<A> first, Stream<B> second) {
        this.first = first;
        this.second = second;
    }

    /**
     * Adds a user's operator that receives both streams.
     *
     * @param supplier makes one operator for each task; also called while the topology is described
     */
    public <R> Stream<R> process(OperatorSupplier<? extends BroadcastOperator<? super A, ? super B, R>> supplier) {
        return first.add(
                new NodeSpec.Broadcast(Stream.cast(supplier)),
                List.of(first, second),
                Stream.emitted(supplier, BroadcastOperator.class, 2));
    }
}
