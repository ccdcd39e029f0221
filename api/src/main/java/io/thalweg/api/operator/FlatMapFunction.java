// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Turns one record into any number of others. They are drawn from the iterable one by one as downstream has room
 * (backpressure). One instance serves all tasks, on several threads.
 *
 * @param <T> records in
 * @param <R> records out
 */
@FunctionalInterface
public interface FlatMapFunction<T, R> extends Serializable {
    /**
     * The results for a record.
     *
     * @return an empty iterable for none; never null, and without null elements
     */
    Iterable<? extends R> apply(T value) throws Exception;
}
