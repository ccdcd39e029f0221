// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitAlignment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The watermark of the slowest split of each task of a source, for alignment. Each task reports its own; any may read.
 */
public final class SlowestSplits {
    private static final long NOBODY_WAITS = Long.MAX_VALUE;

    private final AtomicLongArray slowest;

    /** For each task that waits, the watermark at which it continues. */
    private final AtomicLongArray awaited;

    private final List<Runnable> wakeUps;

    /** @param wakeUps for each task what wakes it up */
    public SlowestSplits(List<Runnable> wakeUps) {
        this.wakeUps = List.copyOf(wakeUps);
        slowest = new AtomicLongArray(wakeUps.size());
        awaited = new AtomicLongArray(wakeUps.size());
        for (int i = 0; i < wakeUps.size(); i++) {
            slowest.set(i, Long.MIN_VALUE);
            awaited.set(i, NOBODY_WAITS);
        }
    }

    /** The least watermark of all tasks; {@link SplitAlignment#NOT_AWAITED} if no split must be waited for. */
    long watermark() {
        long least = SplitAlignment.NOT_AWAITED;
        for (int i = 0; i < slowest.length(); i++) {
            least = Math.min(least, slowest.get(i));
        }
        return least;
    }

    /** Reports the watermark of a task, and wakes the tasks that wait for it. */
    void reached(int task, long watermark) {
        if (slowest.getPlain(task) == watermark) {
            return;
        }
        slowest.set(task, watermark); // before looking who waits; a task that begins to wait looks in reverse order
        if (slowest.length() == 1) {
            return;
        }
        long least = watermark();
        for (int i = 0; i < awaited.length(); i++) {
            long from = awaited.get(i);
            if (from != NOBODY_WAITS && from <= least && awaited.compareAndSet(i, from, NOBODY_WAITS)) {
                wakeUps.get(i).run();
            }
        }
    }

    /** The task waits until the slowest split reaches this watermark; false if it has already. */
    boolean awaits(int task, long watermark) {
        awaited.set(task, watermark);
        return watermark() < watermark;
    }

    /** The task no longer waits. */
    void goesOn(int task) {
        if (awaited.getPlain(task) != NOBODY_WAITS) {
            awaited.set(task, NOBODY_WAITS);
        }
    }

    /** True if a task waits. */
    boolean anyWaits() {
        for (int i = 0; i < awaited.length(); i++) {
            if (awaited.get(i) != NOBODY_WAITS) {
                return true;
            }
        }
        return false;
    }
}
