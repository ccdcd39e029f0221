// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several aggregates evaluated together, whose results make one record: what {@link Aggregates#into(Class,
 * Aggregate...)} returns. For runners, which may store the parts in a form of their own.
 *
 * @param <T> records in
 * @param <A> their common accumulator
 * @param <R> the record of their results
 */
public sealed interface SeveralAggregates<T, A, R extends Record> extends Aggregate<T, A, R>
        permits Combined, CombinedLongs {
    /** The aggregates, in the order of the components they fill. */
    List<? extends Aggregate<T, ?, ?>> parts();

    /**
     * Makes the record from the results of all parts.
     *
     * @param results one for each of {@link #parts}, in their order
     * @throws NullValueException if a primitive component has no value
     */
    R record(@Nullable Object[] results) throws Exception;

    /**
     * The constructor of the record, which takes the results of all {@link #parts} in their order, each as what its component is. It
     * throws a bare NullPointerException if a primitive component has no value.
     */
    MethodHandle constructor() throws ReflectiveOperationException;

    /** A warning for the user about how the components are assigned; null if there is none. */
    @Nullable String warning();
}
