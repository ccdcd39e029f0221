// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/**
 * Is told, once for each task, of a call that has occupied a worker thread for more than a second, and of a task that has not opened for
 * ten. Called on a thread of its own.
 */
public interface SlowCallListener {
    /** For whoever does not want to know. */
    SlowCallListener NONE = new SlowCallListener() {
        @Override
        public void slow(String topology, String task, String where) {}

        @Override
        public void opening(String topology, String task, String where) {}
    };

    /**
     * A call is slow.
     *
     * @param topology name of the topology
     * @param task name of the task
     * @param where class, method, file and line of the user's code that is running; empty if unknown
     */
    void slow(String topology, String task, String where);

    /**
     * A task takes long to open. No record is read before all tasks are open, so this keeps no other task from its work.
     *
     * @param topology name of the topology
     * @param task name of the task
     * @param where as of a call
     */
    void opening(String topology, String task, String where);
}
