// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import org.jspecify.annotations.Nullable;

/**
 * The wake-up handle of a task: {@link #run} wakes the worker that the task is on, even after it moved to another. Any
 * thread may call.
 */
public final class Waker implements Runnable {
    /**
     * A task moves to a thread of its own at its third slow turn within a minute; a single one may be due to code that
     * is not compiled yet.
     */
    private static final int SLOW_TURNS = 3;

    private static final long SLOW_WITHIN_NS = 60_000_000_000L;

    private volatile @Nullable Worker worker;
    private @Nullable Worker home;
    private int slowTurns;
    private long firstSlowNs;

    void moveTo(Worker next) {
        worker = next;
    }

    /** Before the workers start. */
    void beginsOn(Worker first) {
        home = first;
    }

    /** The worker that the task began with; null if it does not move between workers. */
    @Nullable Worker home() {
        return home;
    }

    /** On the worker's thread: a turn was slow; true if the task should move to a thread of its own. */
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
