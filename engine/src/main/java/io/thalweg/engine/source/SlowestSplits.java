// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitAlignment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How far the slowest split of each task of a source has come, so that those ahead wait for it. Each task tells its own; any may ask.
 */
public final class SlowestSplits {
    private static final long NOBODY_WAITS = Long.MAX_VALUE;

    private final AtomicLongArray slowest;

    /** For each task that waits, the watermark at which it reads on. */
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

    /** Of all tasks; {@link SplitAlignment#NOT_AWAITED} if none has a split that is to be waited for. */
    long watermark() {
        long least = SplitAlignment.NOT_AWAITED;
        for (int i = 0; i < slowest.length(); i++) {
            least = Math.min(least, slowest.get(i));
        }
        return least;
    }

    /** A task tells of its own, and wakes those who wait for that. */
    void reached(int task, long watermark) {
        if (slowest.getPlain(task) == watermark) {
            return;
        }
        slowest.set(task, watermark); // before it looks who waits: who begins to wait looks the other way round
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

    /** All splits of the task wait until the slowest has come so far; false if it has meanwhile. */
    boolean awaits(int task, long watermark) {
        awaited.set(task, watermark);
        return watermark() < watermark;
    }

    /** The task has something to read again. */
    void goesOn(int task) {
        if (awaited.getPlain(task) != NOBODY_WAITS) {
            awaited.set(task, NOBODY_WAITS);
        }
    }

    /** True if a task waits, none of whose splits may be read. */
    boolean anyWaits() {
        for (int i = 0; i < awaited.length(); i++) {
            if (awaited.get(i) != NOBODY_WAITS) {
                return true;
            }
        }
        return false;
    }
}
