// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on a keyed stream, with state per key and event-time timers, and with a second stream that is broadcast to all
 * its tasks: {@code stream.keyBy(f).withBroadcast(rules).process(MyOperator::new)}. What {@link BroadcastOperator} says of the
 * second stream and its {@link BroadcastState} holds here too.
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
 * @param <B> records that are broadcast
 * @param <R> records out
 */
public non-sealed interface KeyedBroadcastOperator<K, A, B, R> extends KeyedLifecycle<K, R> {
    void process(K key, A value, Output<R> output) throws Exception;

    /**
     * Every task is handed every record: what is emitted here is emitted by each of them. There is no current key, so that state
     * per key and timers throw an IllegalStateException.
     */
    void processBroadcast(B value, Output<R> output) throws Exception;
}
