// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

/** A cooperative task: shares a thread with others. Called by one thread at a time, which may change. */
public interface Task {
    /** Does a bounded amount of work without blocking, and returns how it went. */
    Turn call() throws Exception;

    /** Closes everything, after this task or the job has failed. Called once, as the last method. */
    void abandon();

    /** Called after each turn, with its result and duration. */
    void onTurn(Turn turn, long tookNs);

    /** Called after an idle time: no task of the thread had anything to do. */
    void onRest(long restedNs);

    /** Called if the last turn kept the thread for too long. */
    void onSlowTurn();

    /** When the task will have something to do even without being woken, on the engine's clock; 0 if that is unknown. */
    default long nextDueNs() {
        return 0;
    }

    /**
     * True if there may soon be something to do that neither wakes the task nor has a {@link #nextDueNs} before: its thread looks
     * again after a short sleep.
     */
    default boolean polled() {
        return true;
    }

    /** True if the task may block and needs a thread of its own. */
    boolean blocking();

    /**
     * Any thread: true until it is open. No task takes input before all are open, so a long opening keeps no other task from its work: it
     * is no slow call.
     */
    default boolean opening() {
        return false;
    }

    /** True if all that it does is work of other tasks, so that the job does not wait for it. */
    default boolean helps() {
        return false;
    }
}
