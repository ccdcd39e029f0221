// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on a keyed stream, with state per key and event-time timers. One instance serves all keys of one
 * task and is called by one thread at a time. What must be kept per key belongs in a {@link ValueState}, a {@link ListState} or a
 * {@link MapState} declared in {@link #open}, not in a field.
 *
 * @param <K> keys
 * @param <T> records in
 * @param <R> records out
 */
public non-sealed interface KeyedOperator<K, T, R> extends KeyedLifecycle<K, R> {
    void process(K key, T value, Output<R> output) throws Exception;
}
