// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

/**
 * How an idle worker waits: it spins, which costs a core, or it sleeps, and then waking up costs about ten microseconds
 * of CPU and at least as much latency. If the last waits were shorter than that, it spins for that time first;
 * otherwise it sleeps at once. Sleeps grow with the wait, because some tasks are never woken. The caller passes the
 * time. One thread calls, except for {@link #wokenAt}.
 */
public final class Backoff {
    /** After this many consecutive short waits the worker expects another one. */
    static final int SHORT_WAITS = 8;

    static final long SHORTEST_SLEEP_NS = 1_000_000;

    /** The same where no task is polled. */
    static final long SHORTEST_UNPOLLED_NS = 10_000_000;

    static final long LONGEST_SLEEP_NS = 100_000_000;

    /**
     * Sleeps that end at a due time end at least this far apart, so that the task of a paced source, and those behind it, take some
     * records at a time and wake up less often.
     */
    static final long COALESCED_NS = 400_000;

    /** A sleep is at most 1/PART of the wait so far, so that a record that arrives without a wake-up is not delayed by more. */
    private static final int PART = 100;

    private final long spinNs;
    private final long shortestSleepNs;
    private final long longestSleepNs;
    private long sinceNs;
    private long wokeNs;
    private boolean waiting;
    private int shortWaits;
    private volatile long wokenNs;

    /** @param spinNs how long to spin; 0 for never, {@link Long#MAX_VALUE} for always */
    public Backoff(long spinNs) {
        this(spinNs, SHORTEST_SLEEP_NS, LONGEST_SLEEP_NS);
    }

    Backoff(long spinNs, long shortestSleepNs, long longestSleepNs) {
        this.spinNs = spinNs;
        this.shortestSleepNs = shortestSleepNs;
        this.longestSleepNs = longestSleepNs;
    }

    /** There is nothing to do: true to spin, false to sleep. */
    boolean spins(long nowNs) {
        if (!waiting) {
            waiting = true;
            sinceNs = nowNs;
        }
        return spinNs == Long.MAX_VALUE || (shortWaits >= SHORT_WAITS && nowNs - sinceNs < spinNs);
    }

    /**
     * How long to sleep unless woken.
     *
     * @param polled if one of the tasks is ({@link Task#polled})
     */
    long sleepNs(long nowNs, boolean polled) {
        long shortestNs = polled ? shortestSleepNs : Math.max(shortestSleepNs, SHORTEST_UNPOLLED_NS);
        return Math.min(longestSleepNs, Math.max(shortestNs, (nowNs - sinceNs) / PART));
    }

    /** How long to sleep if a task is due at this time. */
    long sleepNs(long nowNs, long dueNs) {
        return Math.max(dueNs - nowNs, wokeNs + COALESCED_NS - nowNs);
    }

    /** A sleep has ended, for whatever reason. */
    void awake(long nowNs) {
        wokeNs = nowNs;
    }

    /** Any thread: the worker is being woken. The wait counts until now, however long the worker takes to wake up. */
    void wokenAt(long nowNs) {
        wokenNs = nowNs;
    }

    /** The worker did some work. */
    void busy(long nowNs) {
        if (waiting) {
            waiting = false;
            long woken = wokenNs;
            long untilNs = woken - sinceNs > 0 ? Math.min(woken, nowNs) : nowNs;
            shortWaits = untilNs - sinceNs < spinNs ? Math.min(SHORT_WAITS, shortWaits + 1) : 0;
        }
    }
}
