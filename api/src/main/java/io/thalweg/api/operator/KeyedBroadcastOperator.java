// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on a keyed stream, with state per key and timers, and with a second stream that is broadcast to all
 * its tasks: {@code stream.keyBy(f).withBroadcast(rules).process(MyOperator::new)}. What {@link BroadcastOperator} says
 * about the second stream and its {@link BroadcastState} also holds here.
 *
 * <pre>{@code
 * public void open(KeyedContext context) {
 *     hot = context.state("hot", Type.of(Integer.class));                                             // per key
 *     limits = context.broadcastState("limits", Type.of(String.class), Type.of(Double.class));        // for all keys
 * }
 * }</pre>
 *
 * @param <K> keys
 * @param <A> records of the keyed stream
 * @param <B> records of the broadcast stream
 * @param <R> records out
 */
public non-sealed interface KeyedBroadcastOperator<K, A, B, R> extends KeyedLifecycle<K, R> {
    /**
     * Processes a record of the keyed stream. State and timers are those of {@code key}; broadcast state may be read
     * but not changed.
     */
    void process(K key, A value, Output<R> output) throws Exception;

    /**
     * Processes a broadcast record. Every task receives every such record, so whatever is emitted here is emitted once
     * by each task. There is no current key: state per key and timers throw an {@link IllegalStateException}.
     */
    void processBroadcast(B value, Output<R> output) throws Exception;
}
