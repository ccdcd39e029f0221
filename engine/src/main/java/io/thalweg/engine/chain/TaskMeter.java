// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.run.Clock;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Publishes what a task counts in plain fields to counters that other threads may read. */
final class TaskMeter {
    private static final int MEASURED_EVERY = 64;

    private final Frame frame;
    private final TaskCounters counters;
    private final TaskParts.Sinks sinks;
    private final Stages stages;
    private final Outputs outputs;
    private final Clock clock;

    /** Turns until the state is measured again. */
    private int turnsUnmeasured;

    TaskMeter(TaskParts parts, Stages stages, Outputs outputs) {
        frame = parts.frame();
        counters = parts.counters();
        counters.lateLog = frame.lateLog;
        sinks = parts.sinks();
        clock = parts.clock();
        this.stages = stages;
        this.outputs = outputs;
    }

    @Nullable SingleWriterRecorder latencyUs() {
        return sinks.latencyUs();
    }

    /** Counts input records. */
    void onInput(long records) {
        if (!TaskCounters.ON) {
            return;
        }
        TaskCounters.add(counters.recordsIn, records);
        if (sinks.ofAll() > 0) {
            TaskCounters.add(counters.recordsWritten, sinks.ofAll() * (records - frame.dropped));
        }
        frame.dropped = 0;
    }

    /** Counts the latency of records that are done, the first of them due at {@code dueNs}; 0 if that is unknown. */
    void onLatency(long records, long dueNs) {
        SingleWriterRecorder latency = sinks.latencyUs();
        if (latency != null && records > 0 && dueNs != 0) {
            latency.recordValueWithCount(
                    Math.min(TaskParts.MAX_LATENCY_US, Math.max(0, (clock.nowNs() - dueNs) / 1_000)), records);
        }
    }

    /** Measures the state of the stages every so many turns. */
    void measureState(boolean now) {
        if (--turnsUnmeasured <= 0 || now) {
            turnsUnmeasured = MEASURED_EVERY;
            counters.state = stages.stateStats();
        }
    }

    /** Publishes the counts: at the end of a turn, or before state is saved. */
    void flush() {
        if (!TaskCounters.ON) {
            return;
        }
        TaskCounters.add(counters.recordsOut, outputs.takeCount());
        long written = 0;
        for (Count.Passed passed : sinks.written()) {
            written += passed.records;
            passed.records = 0;
        }
        TaskCounters.add(counters.recordsWritten, written - frame.takeRefused());
        if (frame.bad > 0) {
            TaskCounters.add(counters.recordsBad, frame.bad);
            TaskCounters.add(counters.recordsUnread, frame.unread);
            TaskCounters.add(counters.inputsBad, frame.inputsBad);
            frame.bad = 0;
            frame.unread = 0;
            frame.inputsBad = 0;
        }
        TaskCounters.add(counters.recordsLate, frame.late);
        frame.late = 0;
        counters.windowsOpen.setOpaque(stages.windowsOpen());
    }
}
