// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A record that names the task of the next operator that it goes to, where records are grouped {@code direct}.
 *
 * <pre>{@code
 * record Command(int task, String text) implements Addressed {}
 *
 * commands.direct().process(Worker::new).parallelism(4)
 * }</pre>
 */
public interface Addressed {
    /**
     * The number of the task; the same whenever it is asked.
     *
     * @return from 0 to the number of tasks minus 1; any other fails the job
     * @throws BadRecordException to count and keep the record as a bad one
     */
    int task();
}
