// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import io.thalweg.engine.stats.TaskCounters;

/** A unit of work that takes turns with others on a thread. Called by one thread at a time; never knows which. */
public interface Task {
    /** Does a bounded amount of work, without blocking, and says how it went. */
    Turn call() throws Exception;

    /** The call failed, or the job did elsewhere: lets go of what is open. Called once, last. */
    void abandon();

    /** Is told after each turn how long it took. */
    default void onTurn(Turn turn, long tookNs) {}

    TaskCounters counters();

    /** May block: needs a thread of its own. */
    boolean blocking();
}
