// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/**
 * Is told, once for each task, of a call that has occupied a worker thread for more than a second. Called on a thread
 * of its own.
 */
@FunctionalInterface
public interface SlowCallListener {
    /**
     * A call is slow.
     *
     * @param topology name of the topology
     * @param task name of the task
     * @param where class, method, file and line of the user's code that is running; empty if unknown
     */
    void slow(String topology, String task, String where);
}
