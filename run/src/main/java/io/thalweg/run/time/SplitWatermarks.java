// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.time;

import io.thalweg.api.connector.SplitAlignment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The watermarks of the splits that a task reads, and which of the splits are idle or have ended. Splits are numbered
 * from 0. For one thread.
 */
public final class SplitWatermarks {
    /** The watermark of a split that has had no record. */
    public static final long NOT_SEEN = Long.MIN_VALUE;

    /** The least watermark if all splits that have not ended are idle. */
    public static final long IDLE = Long.MIN_VALUE + 1;

    private final long idleNs;
    private final @Nullable SplitAlignment alignment;

    private long[] watermarks = {};

    /** By split, the time from which its idleness counts; 0 before it was polled. */
    private long[] lastRecordNs = {};

    /** By split, whether it has had a record since it was last {@link #polled}. */
    private boolean[] seen = {};

    /** By split, whether it has been idle when somebody asked, or another one had been when it was found. */
    private boolean[] wasIdle = {};

    private boolean[] ended = {};

    /**
     * For no splits yet.
     *
     * @param idleMs a split without records for so long is idle; 0 if splits are never idle
     * @param alignment null if watermarks are not aligned
     */
    public SplitWatermarks(long idleMs, @Nullable SplitAlignment alignment) {
        this.idleNs = idleMs * 1_000_000;
        this.alignment = alignment;
    }

    /** Sets the number of splits. Called once, before the first record. */
    public void splits(int count) {
        watermarks = new long[count];
        Arrays.fill(watermarks, NOT_SEEN);
        lastRecordNs = new long[count];
        seen = new boolean[count];
        wasIdle = new boolean[count];
        ended = new boolean[count];
    }

    /**
     * Adds a split that was discovered. It begins at the least watermark of the others, so that it does not hold them back;
     * if all of them are idle or have ended, where the task is.
     *
     * @param sent the watermark of the task
     * @return the number of the split
     */
    public int add(long nowNs, long sent) {
        long least = least(nowNs);
        int number = watermarks.length;
        watermarks = Arrays.copyOf(watermarks, number + 1);
        lastRecordNs = Arrays.copyOf(lastRecordNs, number + 1);
        seen = Arrays.copyOf(seen, number + 1);
        boolean goneOn = anyWasIdle();
        wasIdle = Arrays.copyOf(wasIdle, number + 1);
        wasIdle[number] = goneOn;
        ended = Arrays.copyOf(ended, number + 1);
        watermarks[number] = least == Long.MAX_VALUE || least == IDLE ? sent : least;
        return number;
    }

    private boolean anyWasIdle() {
        for (boolean each : wasIdle) {
            if (each) {
                return true;
            }
        }
        return false;
    }

    /** The number of splits. */
    public int count() {
        return watermarks.length;
    }

    /** The watermark of a split. */
    public long of(int split) {
        return watermarks[split];
    }

    /** Sets the watermark of a split. */
    public void set(int split, long watermark) {
        watermarks[split] = watermark;
    }

    /** The split has had a record. */
    public void seen(int split) {
        seen[split] = true;
    }

    /** The split was polled: it is idle if that brings nothing for long. */
    public void polled(int split, long nowNs) {
        if (seen[split] || lastRecordNs[split] == 0) {
            lastRecordNs[split] = nowNs;
            seen[split] = false;
        }
    }

    /** All splits were {@link #polled}. */
    public void polled(long nowNs) {
        for (int split = 0; split < watermarks.length; split++) {
            polled(split, nowNs);
        }
    }

    /** No split was polled for this time, because of backpressure; the time does not count towards idleness. */
    public void notPolled(long forNs) {
        for (int split = 0; split < lastRecordNs.length; split++) {
            lastRecordNs[split] += lastRecordNs[split] == 0 ? 0 : forNs;
        }
    }

    /** The split will have no more records. */
    public void end(int split) {
        ended[split] = true;
    }

    /** Whether all splits have ended; also if there is none. */
    public boolean allEnded() {
        for (boolean each : ended) {
            if (!each) {
                return false;
            }
        }
        return true;
    }

    /**
     * The least watermark of the splits that have neither ended nor are idle; {@link #IDLE} if those that have not ended are
     * idle, Long.MAX_VALUE if all have ended.
     */
    public long least(long nowNs) {
        long least = Long.MAX_VALUE;
        boolean idle = false;
        for (int split = 0; split < watermarks.length; split++) {
            if (ended[split]) {
                continue;
            }
            if (idle(split, nowNs)) {
                idle = true;
                wasIdle[split] = true;
            } else {
                least = Math.min(least, watermarks[split]);
            }
        }
        return least == Long.MAX_VALUE && idle ? IDLE : least;
    }

    /**
     * Whether {@link #least} has ever left the split out because it was idle, or one that was there when this one was found: time
     * may have gone on without it.
     */
    public boolean wasIdle(int split) {
        return wasIdle[split];
    }

    /** The watermark of all waits for this split: it has neither ended nor is it idle. */
    public boolean counts(int split, long nowNs) {
        return !ended[split] && !idle(split, nowNs);
    }

    private boolean idle(int split, long nowNs) {
        return idleNs > 0
                && lastRecordNs[split] != 0
                && nowNs - lastRecordNs[split] >= idleNs
                && !(alignment != null && alignment.held(split)); // one that waits for slower ones is not idle
    }

    // ---- alignment

    /** For alignment: the least watermark, or {@link SplitAlignment#NOT_AWAITED} if no other task must wait for this one. */
    public long slowest(long nowNs) {
        long least = least(nowNs);
        return least == IDLE ? SplitAlignment.NOT_AWAITED : least;
    }

    /**
     * Updates which splits wait for slower ones. Only if watermarks are aligned.
     *
     * @param ofAll the watermark of the slowest split of all tasks, or {@link SplitAlignment#NOT_AWAITED}
     */
    public void align(long ofAll, long nowNs) {
        if (alignment == null) {
            return;
        }
        alignment.look(watermarks, ended, ofAll, nowNs);
        for (int split = 0; split < watermarks.length; split++) {
            if (alignment.held(split)) {
                lastRecordNs[split] = nowNs;
            }
        }
    }
}
