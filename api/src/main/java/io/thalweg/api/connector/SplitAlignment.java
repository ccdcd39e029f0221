// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.util.Arrays;

/**
 * Watermark alignment: decides which splits of a task pause because their watermark is ahead of that of the source's
 * slowest split by more than a bound. For engines; called by the task's thread. The slowest split itself never pauses,
 * so there is always progress.
 */
public final class SplitAlignment {
    /** The watermark of a task whose splits have all ended or are idle: no other task waits for it. */
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

    /** An alignment with this bound, in milliseconds. */
    public SplitAlignment(long boundMs) {
        this.boundMs = boundMs;
    }

    /**
     * Compares the splits with the slowest one; called before the task runs.
     *
     * @param watermarks of the task's splits
     * @param ended those that will have no more records
     * @param ofAll the watermark of the slowest split of all tasks, or {@link #NOT_AWAITED}
     * @param nowNs the engine's clock
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

    /** Whether the split must not be read now. */
    public boolean held(int split) {
        return split < held.length && held[split];
    }

    /**
     * The watermark beyond which a split is not read in this run of the task. If all are idle, that is the bound from
     * where the split is, since others may become active again.
     *
     * @param watermark of the split
     */
    public long limit(long watermark) {
        return later(least == NOT_AWAITED ? watermark : least);
    }

    /**
     * The watermark of the slowest split at which a task whose splits are all paused is worth waking: some time before
     * it must be.
     */
    public long resumesAt() {
        return resumesAt;
    }

    /** The number of the split of this task that the others wait for; -1 if the slowest belongs to another task. */
    public int slowest() {
        return slowest;
    }

    /** The number of splits that are paused now. */
    public int heldSplits() {
        return heldSplits;
    }

    /** For how long splits were paused, in nanoseconds; each split is counted separately. */
    public long heldNs() {
        return heldNs;
    }

    /**
     * How far the task's first split is ahead of the slowest of all, in milliseconds; 0 if a split has had no record
     * yet.
     */
    public long aheadMs() {
        return aheadMs;
    }
}
