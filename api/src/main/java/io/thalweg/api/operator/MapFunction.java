// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Turns one record into exactly one other. One instance serves all tasks, on several threads.
 *
 * @param <T> records in
 * @param <R> records out
 */
@FunctionalInterface
public interface MapFunction<T, R> extends Serializable {
    /**
     * The result for a record. An exception fails the job, except {@link BadRecordException} and {@link
     * RecordFailedException}.
     *
     * @return never null, which would fail the job; drop records with a filter
     */
    R apply(T value) throws Exception;
}
