// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

/**
 * What every operator with keys has, however many inputs it has: implement {@link KeyedOperator}, {@link
 * KeyedTwoInputOperator} or {@link KeyedBroadcastOperator}.
 *
 * @param <K> keys
 * @param <R> records out
 */
public sealed interface KeyedLifecycle<K, R> permits KeyedOperator, KeyedTwoInputOperator, KeyedBroadcastOperator {
    default void open(KeyedContext context) throws Exception {}

    /**
     * The side outputs that this operator may emit to. Only these can be read with {@code side}: a topology that reads another one
     * is refused, because nothing would ever come out of it. Called once or more while the topology is described, before {@link
     * #open}.
     */
    default List<SideOutput<?>> sideOutputs() {
        return List.of();
    }

    /**
     * A timer of this key is due: the watermark has reached its time. Timers fire in the order of their times; records
     * emitted here carry the timer's time as event time.
     */
    default void onTimer(K key, long time, Output<R> output) throws Exception {}

    /**
     * A timer of this key is due: the clock of the machine has reached its time, which {@link KeyedContext#setProcessingTimer}
     * asked for. Records emitted here have no event time, unless {@link Output#emitAt} gives them one.
     *
     * @param epochMs that was asked for; the time may be later
     */
    default void onProcessingTimer(K key, long epochMs, Output<R> output) throws Exception {}

    default void close() throws Exception {}
}
