// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Chooses the task that a record goes to. One instance serves all tasks, on several threads, and may be asked more than
 * once for a record: the answer must depend on the record and the number of tasks alone.
 *
 * @param <T> records
 */
@FunctionalInterface
public interface Partitioner<T> extends Serializable {
    /**
     * Chooses the task of a record.
     *
     * @param tasks the number of tasks, at least 1
     * @return number of the task, from 0 to {@code tasks - 1}; any other number fails the job
     * @throws BadRecordException to count and keep the record as a bad one
     */
    int task(T value, int tasks) throws Exception;
}
