// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitAlignment;
import io.thalweg.run.time.SplitWatermarks;

/** Watermark alignment of one operator in one task: splits that are too far ahead wait for the slowest split of all tasks. */
public final class AlignedSplits {
    private static final long STALLED_NS = 60_000_000_000L;

    final SplitAlignment splits;
    private final SlowestSplits all;
    private final int task;

    /** The watermark of the slowest split, and since when it has that. */
    private long stalledAt = SplitAlignment.NOT_AWAITED;

    private long stalledSinceNs;
    private boolean reported;

    /** @param all what the tasks of the operator share */
    public AlignedSplits(long boundMs, SlowestSplits all, int task) {
        splits = new SplitAlignment(boundMs);
        this.all = all;
        this.task = task;
    }

    void look(SplitWatermarks watermarks, long nowNs) {
        watermarks.align(all.watermark(), nowNs);
    }

    /** Reports the watermark of the task's slowest split. */
    void reached(long watermark) {
        all.reached(task, watermark);
    }

    /** None of the task's splits may be read: asks to be woken when that changes. */
    void await() {
        if (splits.heldSplits() > 0 && !all.awaits(task, splits.resumesAt())) {
            all.goesOn(task); // each turn checks again, whatever woke the task
        }
    }

    void goOn() {
        all.goesOn(task);
    }

    /**
     * The number of a split of this task that others have waited for so long that the user should know; -1 if there is
     * none.
     */
    int stalled(long watermark, long nowNs) {
        boolean waitedFor = splits.slowest() >= 0 && (splits.heldSplits() > 0 || all.anyWaits());
        if (!waitedFor || watermark != stalledAt) {
            stalledAt = waitedFor ? watermark : SplitAlignment.NOT_AWAITED;
            stalledSinceNs = nowNs;
            reported = false;
            return -1;
        }
        if (reported || nowNs - stalledSinceNs < STALLED_NS) {
            return -1;
        }
        reported = true;
        return splits.slowest();
    }
}
