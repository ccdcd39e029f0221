// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

/**
 * What all keyed operators have in common: implement {@link KeyedOperator}, {@link KeyedTwoInputOperator} or {@link
 * KeyedBroadcastOperator}. Calls come in this order: {@link #sideOutputs} while the topology is described, {@link
 * #open}, any number of records and timers, and always {@link #close}. One thread at a time calls.
 *
 * @param <K> keys
 * @param <R> records out
 */
public sealed interface KeyedLifecycle<K, R> permits KeyedOperator, KeyedTwoInputOperator, KeyedBroadcastOperator {
    /**
     * Called once before the first record; declares state. An exception fails the job.
     *
     * @param context state, timers and the place of this task; may be kept in a field
     */
    default void open(KeyedContext context) throws Exception {}

    /**
     * The side outputs that this operator may emit to. Only these can be read with {@code side}: a topology that reads
     * any other is rejected, because nothing would ever come out of it. Called at least once while the topology is
     * described, before {@link #open}, so it must return constants.
     */
    default List<SideOutput<?>> sideOutputs() {
        return List.of();
    }

    /**
     * Called when the watermark has reached the time of an event-time timer. Timers fire in the order of their times.
     * Records emitted here have the timer's time as their event time.
     *
     * @param key the key that set the timer; state is that of this key
     * @param time in epoch milliseconds, as it was set
     */
    default void onTimer(K key, long time, Output<R> output) throws Exception {}

    /**
     * Called when the machine's clock has reached the time of a processing-time timer; see {@link
     * KeyedContext#setProcessingTimer}. Records emitted here have no event time, and {@link Output#emitAt} fails.
     *
     * @param key the key that set the timer; state is that of this key
     * @param epochMs in epoch milliseconds, as it was set; the actual time may be later
     */
    default void onProcessingTimer(K key, long epochMs, Output<R> output) throws Exception {}

    /** Called once, last, also after a failure. Emitting is no longer possible. */
    default void close() throws Exception {}
}
