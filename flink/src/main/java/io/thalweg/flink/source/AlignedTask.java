// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.connector.SplitAlignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SourceReaderContext;

/**
 * Watermark alignment in a task: which splits wait for slower ones, including those of other tasks, which the
 * enumerator reports.
 */
final class AlignedTask {
    private static final long TELL_EVERY_NS = SplitsReader.TELL_EVERY_MS * 1_000_000;

    private final SourceReaderContext context;
    private final boolean alone;
    private final List<CurrentRecord.Times> aligned = new ArrayList<>();
    private Map<String, Long> others = Map.of();
    private Map<String, Long> reported = Map.of();
    private long toldNs;
    private boolean askedToEnd;
    private boolean mayEnd;

    AlignedTask(SourceReaderContext context, List<CurrentRecord.Times> all, long nowNs) {
        this.context = context;
        alone = context.currentParallelism() == 1;
        toldNs = nowNs - TELL_EVERY_NS;
        mayEnd = alone;
        for (CurrentRecord.Times times : all) {
            if (times.alignment() != null) {
                aligned.add(times);
            }
        }
        mayEnd |= aligned.isEmpty();
    }

    /** The watermarks of the other tasks, or that none will follow. */
    void onReached(SlowestWatermarkEvent ofOthers) {
        mayEnd |= ofOthers.over();
        others = ofOthers.watermarks();
    }

    /** Compares the splits, and reports the watermark of this task. */
    void look(long nowNs) {
        if (aligned.isEmpty()) {
            return;
        }
        Map<String, Long> reached = new TreeMap<>();
        for (CurrentRecord.Times times : aligned) {
            long own = times.slowest();
            long ofOthers = alone ? SplitAlignment.NOT_AWAITED : others.getOrDefault(times.name(), Long.MIN_VALUE);
            times.align(Math.min(own, ofOthers), nowNs);
            reached.put(times.name(), own);
        }
        if (!alone && !askedToEnd && nowNs - toldNs >= TELL_EVERY_NS && !reached.equals(reported)) {
            toldNs = nowNs;
            reported = reached;
            context.sendSourceEventToCoordinator(new SlowestWatermarkEvent(reached, false));
        }
    }

    /**
     * The task has reached the end of its input, so no other must wait for it. False while an event may still be sent
     * to it.
     */
    boolean end() {
        if (!mayEnd && !askedToEnd) {
            askedToEnd = true;
            Map<String, Long> over = new TreeMap<>();
            aligned.forEach(times -> over.put(times.name(), SplitAlignment.NOT_AWAITED));
            context.sendSourceEventToCoordinator(new SlowestWatermarkEvent(over, true));
        }
        return mayEnd;
    }

    boolean mayEnd() {
        return mayEnd;
    }

    boolean holds(int split) {
        for (CurrentRecord.Times times : aligned) {
            SplitAlignment alignment = times.alignment();
            if (alignment != null && alignment.held(split)) {
                return true;
            }
        }
        return false;
    }
}
