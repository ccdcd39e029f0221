// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

/**
 * How a worker waits when it has nothing to do: it looks again at once, which costs a core, or it sleeps, which costs some ten
 * microseconds of CPU and as many or more of latency to wake up. As long as its last waits were shorter than that, it looks again
 * for so long; otherwise it sleeps at once. Sleeps grow with the wait, for whoever is woken by nobody. Told the time; one thread
 * calls, but for {@link #wokenAt}.
 */
public final class Backoff {
    /** So many short waits in a row let the worker expect another one. */
    static final int SHORT_WAITS = 8;

    static final long SHORTEST_SLEEP_NS = 1_000_000;
    static final long LONGEST_SLEEP_NS = 25_000_000;

    /**
     * Sleeps that end at a due time end at least this far apart, so that the task of a paced source, and those behind it, take some
     * records at a time and wake up less often.
     */
    static final long COALESCED_NS = 400_000;

    /** A sleep is at most this part of the wait so far, so that a record that nobody announced is late by no more. */
    private static final int PART = 100;

    private final long spinNs;
    private final long shortestSleepNs;
    private final long longestSleepNs;
    private long sinceNs;
    private long wokeNs;
    private boolean waiting;
    private int shortWaits;
    private volatile long wokenNs;

    /** @param spinNs how long to look again; 0 for never, {@link Long#MAX_VALUE} for always */
    public Backoff(long spinNs) {
        this(spinNs, SHORTEST_SLEEP_NS, LONGEST_SLEEP_NS);
    }

    Backoff(long spinNs, long shortestSleepNs, long longestSleepNs) {
        this.spinNs = spinNs;
        this.shortestSleepNs = shortestSleepNs;
        this.longestSleepNs = longestSleepNs;
    }

    /** Nothing is to be done: true to look again at once, false to sleep. */
    boolean spins(long nowNs) {
        if (!waiting) {
            waiting = true;
            sinceNs = nowNs;
        }
        return spinNs == Long.MAX_VALUE || (shortWaits >= SHORT_WAITS && nowNs - sinceNs < spinNs);
    }

    /** How long to sleep, if nobody wakes the worker before. */
    long sleepNs(long nowNs) {
        return Math.min(longestSleepNs, Math.max(shortestSleepNs, (nowNs - sinceNs) / PART));
    }

    /** How long to sleep until the time that a task is due. */
    long sleepNs(long nowNs, long dueNs) {
        return Math.max(dueNs - nowNs, wokeNs + COALESCED_NS - nowNs);
    }

    /** A sleep ended, whatever ended it. */
    void awake(long nowNs) {
        wokeNs = nowNs;
    }

    /** Any thread: the worker is being woken. The wait was over then, however long the worker takes to wake up. */
    void wokenAt(long nowNs) {
        wokenNs = nowNs;
    }

    /** Something was done. */
    void busy(long nowNs) {
        if (waiting) {
            waiting = false;
            long woken = wokenNs;
            long untilNs = woken - sinceNs > 0 ? Math.min(woken, nowNs) : nowNs;
            shortWaits = untilNs - sinceNs < spinNs ? Math.min(SHORT_WAITS, shortWaits + 1) : 0;
        }
    }
}
