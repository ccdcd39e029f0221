// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;

/** The surroundings of a {@link KeyedOperator}: state and timers of the key in hand. */
public interface KeyedContext extends OperatorContext {
    /**
     * Declares a value kept per key. To be called in {@link KeyedOperator#open} only.
     *
     * @param name stable over versions of the job: a restored job finds its state by it
     * @throws IllegalStateException if the name is taken, or the operator is already open
     */
    <S> ValueState<S> state(String name, Type<S> type);

    /** Declares a list kept per key. The rules of {@link #state(String, Type)} hold. */
    <E> ListState<E> listState(String name, Type<E> element);

    /** Declares a map kept per key. The rules of {@link #state(String, Type)} hold. */
    <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value);

    /** Declares a value kept per key that expires. The rules of {@link #state(String, Type)} hold. */
    <S> ValueState<S> state(String name, Type<S> type, TimeToLive live);

    /** Declares a list kept per key whose elements expire one by one. The rules of {@link #state(String, Type)} hold. */
    <E> ListState<E> listState(String name, Type<E> element, TimeToLive live);

    /** Declares a map kept per key whose entries expire one by one. The rules of {@link #state(String, Type)} hold. */
    <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value, TimeToLive live);

    /** Asks for {@link KeyedOperator#onTimer} once the watermark reaches {@code time}; asking twice fires once. */
    void setTimer(long time);

    void cancelTimer(long time);

    /**
     * Asks for {@link KeyedOperator#onProcessingTimer} once the clock of the machine reaches {@code epochMs}; asking twice fires
     * once. Such timers are saved in checkpoints; one that is overdue after a restore fires at once. Those that still wait when the
     * input ends never fire. What they emit depends on when the job runs, so that no two runs need come to the same.
     *
     * <pre>{@code
     * public void process(String user, Click click, Output<String> output) {
     *     context.setProcessingTimer(context.processingTime() + 30_000);
     * }
     * }</pre>
     *
     * @param epochMs milliseconds since 1970; a time that has passed is due at once
     * @throws IllegalStateException if there is no current key, or if the operator does not override {@code onProcessingTimer}
     */
    void setProcessingTimer(long epochMs);

    void cancelProcessingTimer(long epochMs);

    /** Milliseconds since 1970, by the clock of the machine: what processing timers go by. */
    long processingTime();
}
