// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/** Joins two values into one of the same type; must be associative. */
@FunctionalInterface
public interface ReduceFunction<T> extends Serializable {
    T reduce(T left, T right) throws Exception;
}
