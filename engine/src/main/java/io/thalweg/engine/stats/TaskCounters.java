// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.stats;

import java.util.concurrent.atomic.AtomicLong;

/** What one task did. Written by the thread that runs the task, once a turn; read by any. */
public final class TaskCounters {
    /** False under {@code -Dthalweg.measured=false}: nothing is counted, to see what counting costs. */
    public static final boolean ON = !"false".equals(System.getProperty("thalweg.measured"));

    public final AtomicLong recordsIn = new AtomicLong();
    public final AtomicLong recordsOut = new AtomicLong();
    public final AtomicLong recordsWritten = new AtomicLong();
    public final AtomicLong recordsBad = new AtomicLong();
    public final AtomicLong recordsLate = new AtomicLong();
    public final AtomicLong windowsOpen = new AtomicLong();
    public final AtomicLong busyNs = new AtomicLong();
    public final AtomicLong waitingNs = new AtomicLong();
    public final AtomicLong heldBackNs = new AtomicLong();
    public final AtomicLong longestCallNs = new AtomicLong();
    public final AtomicLong slowCalls = new AtomicLong();
    private AtomicLong last = waitingNs;

    /** Sets what only this thread writes; others see it soon. */
    public static void add(AtomicLong counter, long more) {
        if (ON) {
            counter.setOpaque(counter.getPlain() + more);
        }
    }

    /** @param spent {@link #busyNs}, {@link #waitingNs} or {@link #heldBackNs} of these counters */
    public void onTurn(AtomicLong spent, long tookNs) {
        last = spent == busyNs ? waitingNs : spent;
        add(spent, tookNs);
        if (ON && tookNs > longestCallNs.getPlain()) {
            longestCallNs.setOpaque(tookNs);
        }
    }

    /** The thread had nothing to do for so long. */
    public void onRest(long restedNs) {
        add(last, restedNs);
    }

    public void onSlowTurn() {
        add(slowCalls, 1);
    }
}
