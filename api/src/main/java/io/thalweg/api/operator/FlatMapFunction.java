// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/** Turns one record into any number of others; they are drawn from the iterable one by one, as downstream has room. */
@FunctionalInterface
public interface FlatMapFunction<T, R> extends Serializable {
    Iterable<? extends R> apply(T value) throws Exception;
}
