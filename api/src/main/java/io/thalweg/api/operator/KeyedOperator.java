// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on a keyed stream, with state per key and timers. One instance serves all keys of one task and is
 * called by one thread at a time. Whatever must be kept per key belongs in a {@link ValueState}, {@link ListState} or
 * {@link MapState} declared in {@link #open}, not in a field.
 *
 * <pre>{@code
 * // the number of clicks of each user in the minute after the first, and so on from the next one
 * final class Visits implements KeyedOperator<String, Click, Visit> {
 *     private KeyedContext context;
 *     private ValueState<Long> clicks;
 *
 *     public void open(KeyedContext context) {
 *         this.context = context;
 *         clicks = context.state("clicks", Type.of(Long.class));
 *     }
 *
 *     public void process(String user, Click click, Output<Visit> output) {
 *         Long before = clicks.get();
 *         clicks.set(before == null ? 1 : before + 1);
 *         if (before == null) {
 *             context.setTimer(context.eventTime() + 60_000);
 *         }
 *     }
 *
 *     public void onTimer(String user, long time, Output<Visit> output) {
 *         output.emit(new Visit(user, clicks.get()));
 *         clicks.clear();
 *     }
 * }
 * }</pre>
 *
 * @param <K> keys
 * @param <T> records in
 * @param <R> records out
 */
public non-sealed interface KeyedOperator<K, T, R> extends KeyedLifecycle<K, R> {
    /**
     * Processes a record. State and timers are those of {@code key}. Must not block unless the operator is marked
     * {@code blocking()}.
     */
    void process(K key, T value, Output<R> output) throws Exception;
}
