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

    /** Declares a list kept per key. The rules of {@link #state} hold. */
    <E> ListState<E> listState(String name, Type<E> element);

    /** Declares a map kept per key. The rules of {@link #state} hold. */
    <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value);

    /** Asks for {@link KeyedOperator#onTimer} once the watermark reaches {@code time}; asking twice fires once. */
    void setTimer(long time);

    void cancelTimer(long time);
}
