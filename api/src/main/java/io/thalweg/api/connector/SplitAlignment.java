// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.util.Arrays;

/**
 * Which splits of a task wait, because their watermark is ahead of that of the slowest split of the source by more than a bound. For
 * engines; the task's thread calls.
 *
 * <p>The slowest split itself never waits, so that somebody always reads on.
 */
public final class SplitAlignment {
    /** The watermark of a task all of whose splits have ended or are idle: nobody waits for it. */
    public static final long NOT_AWAITED = Long.MAX_VALUE;

    /** The watermark of a split that has had no record. */
    private static final long NOT_SEEN = Long.MIN_VALUE;

    private final long boundMs;
    private boolean[] held = {};
    private int heldSplits;
    private long heldNs;
    private long lookedNs;
    private long aheadMs;
    private long resumesAt = NOT_AWAITED;
    private long least = NOT_SEEN;
    private int slowest = -1;

    public SplitAlignment(long boundMs) {
        this.boundMs = boundMs;
    }

    /**
     * Compares the splits with the slowest one; called before each turn.
     *
     * @param watermarks of the task's splits
     * @param ended those that will have no more records
     * @param ofAll the watermark of the slowest split of all tasks, or {@link #NOT_AWAITED}
     */
    public void look(long[] watermarks, boolean[] ended, long ofAll, long nowNs) {
        heldNs += heldSplits * Math.max(0, nowNs - lookedNs);
        lookedNs = nowNs;
        if (held.length < watermarks.length) {
            held = Arrays.copyOf(held, watermarks.length);
        }
        least = ofAll;
        long limit = later(least);
        heldSplits = 0;
        resumesAt = NOT_AWAITED;
        slowest = -1;
        long furthest = NOT_SEEN;
        for (int i = 0; i < watermarks.length; i++) {
            long watermark = watermarks[i];
            held[i] = !ended[i] && watermark > limit;
            if (ended[i]) {
                continue;
            }
            furthest = Math.max(furthest, watermark);
            if (watermark == least) {
                slowest = i;
            }
            if (held[i]) {
                heldSplits++;
                resumesAt = Math.min(resumesAt, watermark - boundMs / 2);
            }
        }
        boolean known = least != NOT_SEEN && least != NOT_AWAITED && furthest > least;
        aheadMs = known ? furthest - least : 0;
    }

    /** By the bound. */
    private long later(long watermark) {
        if (watermark == NOT_SEEN) {
            return NOT_SEEN;
        }
        return watermark > Long.MAX_VALUE - boundMs ? Long.MAX_VALUE : watermark + boundMs;
    }

    /** True if the split is not to be read now. */
    public boolean held(int split) {
        return split < held.length && held[split];
    }

    /**
     * Beyond this watermark a split is read no further in this turn. Where all are idle, that is the bound from where it is: others
     * may come back too.
     *
     * @param watermark of the split
     */
    public long limit(long watermark) {
        return later(least == NOT_AWAITED ? watermark : least);
    }

    /** The watermark of the slowest split from which on a task whose splits all wait is worth waking: some time before it must. */
    public long resumesAt() {
        return resumesAt;
    }

    /** Number of a split of this task that the others wait for; -1 if the slowest is another task's. */
    public int slowest() {
        return slowest;
    }

    public int heldSplits() {
        return heldSplits;
    }

    /** For how long splits have waited, each for itself, in nanoseconds. */
    public long heldNs() {
        return heldNs;
    }

    /** How far the task's first split is ahead of the slowest of all, in milliseconds; 0 if a split has had no record yet. */
    public long aheadMs() {
        return aheadMs;
    }
}
