// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;

/**
 * The environment of a keyed operator: state and timers of the current key. An operator receives it in {@link
 * KeyedLifecycle#open} and may keep it in a field. Its methods may be called only on the task's thread, from the
 * operator's own calls.
 */
public interface KeyedContext extends OperatorContext {
    /**
     * Declares a value kept per key. Must be called in {@link KeyedOperator#open}.
     *
     * <pre>{@code
     * public void open(KeyedContext context) {
     *     count = context.state("count", Type.of(Long.class));
     * }
     * }</pre>
     *
     * @param name stable across versions of the job: a restored job finds its state by it
     * @throws IllegalStateException if the name is taken, or the operator is already open
     */
    <S> ValueState<S> state(String name, Type<S> type);

    /** Declares a list kept per key. The rules of {@link #state(String, Type)} apply. */
    <E> ListState<E> listState(String name, Type<E> element);

    /** Declares a map kept per key. The rules of {@link #state(String, Type)} apply. */
    <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value);

    /** Declares a value kept per key that expires. The rules of {@link #state(String, Type)} apply. */
    <S> ValueState<S> state(String name, Type<S> type, TimeToLive live);

    /**
     * Declares a list kept per key whose elements expire one by one. The rules of {@link #state(String, Type)} apply.
     */
    <E> ListState<E> listState(String name, Type<E> element, TimeToLive live);

    /** Declares a map kept per key whose entries expire one by one. The rules of {@link #state(String, Type)} apply. */
    <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value, TimeToLive live);

    /**
     * Sets an event-time timer for the current key: {@link KeyedOperator#onTimer} is called once the watermark reaches
     * {@code time}. Setting the same timer twice fires it once. Timers are saved in checkpoints. At the end of a bounded
     * input the watermark passes all of them, also those that are set then: an operator whose timer sets the next one must
     * stop where {@link #watermark} is {@link Long#MAX_VALUE}, or the job never ends.
     *
     * @param time in epoch milliseconds; one that the watermark has already passed fires at the next opportunity
     * @throws IllegalStateException if there is no current key
     */
    void setTimer(long time);

    /** Cancels an event-time timer of the current key; does nothing if it is not set. */
    void cancelTimer(long time);

    /**
     * Sets a processing-time timer for the current key: {@link KeyedOperator#onProcessingTimer} is called once the
     * machine's clock reaches {@code epochMs}. Setting the same timer twice fires it once. Such timers are saved in
     * checkpoints; one that is overdue after a restore fires at once. Timers that are still pending when the input ends
     * never fire. What they emit depends on when the job runs, so results may differ between runs.
     *
     * <pre>{@code
     * public void process(String user, Click click, Output<String> output) {
     *     context.setProcessingTimer(context.processingTime() + 30_000);
     * }
     * }</pre>
     *
     * @param epochMs in epoch milliseconds; a time in the past is due at once
     * @throws IllegalStateException if there is no current key, or if the operator does not override {@code
     *     onProcessingTimer}
     */
    void setProcessingTimer(long epochMs);

    /** Cancels a processing-time timer of the current key; does nothing if it is not set. */
    void cancelProcessingTimer(long epochMs);

    /** The machine's clock, in epoch milliseconds: what processing-time timers go by. Tests control it. */
    long processingTime();
}
