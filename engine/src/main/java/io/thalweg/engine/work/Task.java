// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

/** A unit of work that takes turns with others on a thread. Called by one thread at a time; never knows which. */
public interface Task {
    /** Does a bounded amount of work, without blocking, and says how it went. */
    Turn call() throws Exception;

    /** The call failed, or the job did elsewhere: lets go of what is open. Called once, last. */
    void abandon();

    /** Is told after each turn how it went and how long it took. */
    void onTurn(Turn turn, long tookNs);

    /** Is told that no task of its thread had anything to do for so long. */
    void onRest(long restedNs);

    /** Is told that its last turn held the thread for too long. */
    void onSlowTurn();

    /** When it will have something to do though nobody wakes it, by the engine's clock; 0 if that is not known. */
    default long nextDueNs() {
        return 0;
    }

    /** May block: needs a thread of its own. */
    boolean blocking();
}
