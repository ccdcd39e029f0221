// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Decides whether a record stays in the stream. One instance serves all tasks, on several threads.
 *
 * @param <T> records
 */
@FunctionalInterface
public interface FilterFunction<T> extends Serializable {
    /**
     * True to keep the record. An exception fails the job, except {@link BadRecordException} and {@link
     * RecordFailedException}.
     */
    boolean test(T value) throws Exception;
}
