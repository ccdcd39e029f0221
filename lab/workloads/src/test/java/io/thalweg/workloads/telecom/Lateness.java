// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.util.Map;
import java.util.TreeMap;

/** What an engine would drop: watermark = max - bound - 1, and a record is judged by the watermark before it. */
final class Lateness {
    private final long boundMs;
    private long maxMs = Long.MIN_VALUE / 2;
    long greatestLagMs;
    final Map<Long, Integer> droppedOfWindow = new TreeMap<>();

    Lateness(long boundMs) {
        this.boundMs = boundMs;
    }

    static Lateness of(Iterable<Probe> records, long boundMs) {
        Lateness lateness = new Lateness(boundMs);
        records.forEach(probe -> lateness.admits(probe.time()));
        return lateness;
    }

    /** Judges the next record; false if it is late. */
    boolean admits(long timeMs) {
        long watermark = maxMs - boundMs - 1;
        long window = Math.floorDiv(timeMs - TelecomSize.FIRST_WINDOW_MS, TelecomSize.WINDOW_MS);
        boolean late = TelecomSize.windowStartMs(window + 1) - 1 <= watermark;
        if (late) {
            droppedOfWindow.merge(window, 1, Integer::sum);
        } else {
            greatestLagMs = Math.max(greatestLagMs, maxMs - timeMs);
        }
        maxMs = Math.max(maxMs, timeMs);
        return !late;
    }
}
