// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Combines two values into one of the same type. Must be associative, because partial results are combined too. One
 * instance serves all tasks, on several threads.
 *
 * @param <T> values
 */
@FunctionalInterface
public interface ReduceFunction<T> extends Serializable {
    /**
     * The combined value.
     *
     * @param left came before {@code right}, or belongs to a part that is merged before that of {@code right}
     * @return never null, which would fail the job; may be one of the two
     */
    T reduce(T left, T right) throws Exception;
}
