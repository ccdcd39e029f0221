// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import org.jspecify.annotations.Nullable;

/** Where a task sits: run, it wakes the worker there. Any thread may. Stays with the task when it moves. */
public final class Seat implements Runnable {
    /** A task moves to a thread of its own at its third slow turn within a minute: one alone may be code that is still cold. */
    private static final int SLOW_TURNS = 3;

    private static final long SLOW_WITHIN_NS = 60_000_000_000L;

    private volatile @Nullable Worker worker;
    private int slowTurns;
    private long firstSlowNs;

    void moveTo(Worker next) {
        worker = next;
    }

    /** The worker's thread: a turn of the task was slow; true if it should move to a thread of its own. */
    boolean onSlowTurn(long nowNs) {
        if (slowTurns == 0 || nowNs - firstSlowNs > SLOW_WITHIN_NS) {
            slowTurns = 0;
            firstSlowNs = nowNs;
        }
        return ++slowTurns >= SLOW_TURNS;
    }

    @Override
    public void run() {
        Worker current = worker;
        if (current != null) {
            current.wake();
        }
    }
}
