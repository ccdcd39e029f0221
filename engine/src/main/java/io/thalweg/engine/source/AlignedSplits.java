// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitAlignment;

/** The splits of one task whose event times one operator reads, and that wait for the slowest split of all tasks. */
public final class AlignedSplits {
    private static final long STALLED_NS = 60_000_000_000L;

    final SplitAlignment splits;
    private final SlowestSplits all;
    private final int task;

    /** What the slowest split has come to, and since when. */
    private long stalledAt = SplitAlignment.NOT_AWAITED;

    private long stalledSinceNs;
    private boolean told;

    /** @param all of the same operator in every task */
    public AlignedSplits(long boundMs, SlowestSplits all, int task) {
        splits = new SplitAlignment(boundMs);
        this.all = all;
        this.task = task;
    }

    void look(long[] watermarks, boolean[] ended, long nowNs) {
        splits.look(watermarks, ended, all.watermark(), nowNs);
    }

    /** The task's slowest split has come so far. */
    void reached(long watermark) {
        all.reached(task, watermark);
    }

    /** None of the task's splits may be read: it is to be woken when that changes. */
    void await() {
        if (splits.heldSplits() > 0 && !all.awaits(task, splits.resumesAt())) {
            all.goesOn(task); // the next turn is to look, whoever wakes the task
        }
    }

    void goOn() {
        all.goesOn(task);
    }

    /** The number of a split of this task that others have waited for so long that the user is to know; -1 if there is none. */
    int stalled(long watermark, long nowNs) {
        boolean waitedFor = splits.slowest() >= 0 && (splits.heldSplits() > 0 || all.anyWaits());
        if (!waitedFor || watermark != stalledAt) {
            stalledAt = waitedFor ? watermark : SplitAlignment.NOT_AWAITED;
            stalledSinceNs = nowNs;
            told = false;
            return -1;
        }
        if (told || nowNs - stalledSinceNs < STALLED_NS) {
            return -1;
        }
        told = true;
        return splits.slowest();
    }
}
