// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitAlignment;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.stats.AlignmentStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.stats.TaskCounters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Watermark alignment in a source task: which splits it does not read because they are too far ahead of slower ones. */
final class Alignment {
    private final List<TimeReader> times;
    private final List<AlignedSplits> aligned;
    private final Frame frame;
    private final TaskCounters counters;

    private Alignment(List<TimeReader> times, List<AlignedSplits> aligned, Frame frame, TaskCounters counters) {
        this.times = times;
        this.aligned = aligned;
        this.frame = frame;
        this.counters = counters;
    }

    /** Null if no operator aligns watermarks. */
    static @Nullable Alignment of(List<TimeReader> all, Frame frame, TaskCounters counters) {
        List<TimeReader> times = new ArrayList<>();
        List<AlignedSplits> aligned = new ArrayList<>();
        for (TimeReader time : all) {
            AlignedSplits splits = time.aligned();
            if (splits != null) {
                times.add(time);
                aligned.add(splits);
            }
        }
        return times.isEmpty() ? null : new Alignment(times, aligned, frame, counters);
    }

    /** Compares the splits; at the beginning of each turn. */
    void look(long nowNs) {
        int heldSplits = 0;
        long heldNs = 0;
        long aheadMs = 0;
        for (int i = 0; i < times.size(); i++) {
            times.get(i).align(nowNs);
            heldSplits = Math.max(heldSplits, aligned.get(i).splits.heldSplits());
            heldNs = Math.max(heldNs, aligned.get(i).splits.heldNs());
            aheadMs = Math.max(aheadMs, aligned.get(i).splits.aheadMs());
            aligned.get(i).goOn();
        }
        AlignmentStats before = counters.alignment;
        if (heldSplits != before.heldSplits() || heldNs != before.heldNs() || aheadMs != before.aheadMs()) {
            counters.alignment = new AlignmentStats(heldSplits, heldNs, aheadMs);
        }
        frame.ahead = false;
    }

    /** True if the split must not be read in this turn. */
    boolean holds(int split) {
        for (AlignedSplits each : aligned) {
            if (each.splits.held(split)) {
                return true;
            }
        }
        return false;
    }

    /** No split may be read in this turn: asks to be woken. */
    void await() {
        aligned.forEach(AlignedSplits::await);
    }

    /** The task has ended: no other task waits for it. */
    void end() {
        aligned.forEach(each -> each.reached(SplitAlignment.NOT_AWAITED));
    }

    /** Warns the user of a split that others have waited for too long. */
    void warnOfStalled(TaskSplits splits, long nowNs, Consumer<String> warnings) {
        for (int i = 0; i < times.size(); i++) {
            TimeReader time = times.get(i);
            long watermark = time.watermark(nowNs);
            int split = aligned.get(i).stalled(watermark, nowNs);
            if (split >= 0) {
                String reached = watermark == Long.MIN_VALUE
                        ? "has had no record with an event time"
                        : "has brought nothing later than " + Instant.ofEpochMilli(watermark);
                warnings.accept("operator '" + time.operator() + "': split '" + splits.name(split) + "' " + reached
                        + " for a minute, and other splits wait for it, because of alignedWithin; with eventTime(…, idleAfter)"
                        + " they do not wait");
            }
        }
    }

    /** Reads a split until it is ahead. */
    SplitReader<Object> until(SplitReader<Object> reader) {
        Frame task = frame;
        return new SplitReader<>() {
            @Override
            public @Nullable Object poll() throws Exception {
                return task.ahead ? null : reader.poll();
            }

            @Override
            public boolean finished() {
                return reader.finished();
            }

            @Override
            public long position() {
                return reader.position();
            }
        };
    }
}
