// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;

/**
 * The environment of a {@link KeyedAsyncOperator}: state of the current key. It may be kept in a field; its methods may be called only
 * on the task's thread, from the operator's own calls.
 */
public interface KeyedAsyncContext extends OperatorContext {
    /**
     * Declares a value kept per key. Must be called in {@link KeyedAsyncOperator#open}. It may be read and changed in {@link
     * KeyedAsyncOperator#apply} and {@link KeyedAsyncOperator#answered}.
     *
     * @param name stable across versions of the job: a restored job finds its state by it
     * @throws IllegalStateException if the name is taken, or the operator is already open
     */
    <S> ValueState<S> state(String name, Type<S> type);

    /**
     * Declares a value kept per key that expires. The rules of {@link #state(String, Type)} apply. What is visible in {@link
     * KeyedAsyncOperator#apply} depends on which records are answered by then; in {@link KeyedAsyncOperator#answered}, by event time, only
     * on the records of the key and their order.
     */
    <S> ValueState<S> state(String name, Type<S> type, TimeToLive live);

    /**
     * The time of this call: what is written in it expires {@code live.after()} later. By event time it is the same in {@link
     * KeyedAsyncOperator#apply} and {@link KeyedAsyncOperator#answered} of a record. For operators that keep state elsewhere while
     * requests are in flight.
     */
    long now(TimeToLive live);
}
