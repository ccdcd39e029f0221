// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

/**
 * A user's operator on a keyed stream, with state per key and event-time timers. One instance serves all keys of one
 * task and is called by one thread at a time. What must be kept per key belongs in a {@link ValueState}, a {@link ListState} or a
 * {@link MapState} declared in {@link #open}, not in a field.
 *
 * @param <K> keys
 * @param <T> records in
 * @param <R> records out
 */
public interface KeyedOperator<K, T, R> {
    default void open(KeyedContext context) throws Exception {}

    /**
     * The side outputs that this operator may emit to. Only these can be read with {@code side}: a topology that reads another one
     * is refused, because nothing would ever come out of it. Called once or more while the topology is described, before {@link
     * #open}.
     */
    default List<SideOutput<?>> sideOutputs() {
        return List.of();
    }

    void process(K key, T value, Output<R> output) throws Exception;

    /**
     * A timer of this key is due: the watermark has reached its time. Timers fire in the order of their times; records
     * emitted here carry the timer's time as event time.
     */
    default void onTimer(K key, long time, Output<R> output) throws Exception {}

    default void close() throws Exception {}
}
