// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of time. Counts are of this span alone, and everything else is as it was at its end.
 *
 * @param fromNs nanoseconds since the job was first started
 * @param toNs nanoseconds since the job was first started; more than {@code fromNs}
 * @param recordsIn read by all sources
 * @param recordsOut written by all sinks
 * @param recordsBad bad records
 * @param recordsLate late records
 * @param windowsOpen windows that have not fired, counted per key; null if the engine does not tell
 * @param pendingAcks records that were sent and not acked; null if the job is not acked
 * @param tasks one for each task
 * @param processes one for each process that runs tasks; none if the engine tells nothing of them
 * @param ages of records that sinks had processed; null if there were none, or the engine does not tell
 */
public record Span(
        long fromNs,
        long toNs,
        long recordsIn,
        long recordsOut,
        long recordsBad,
        long recordsLate,
        @Nullable Long windowsOpen,
        @Nullable Long pendingAcks,
        List<TaskSpan> tasks,
        List<ProcessSpan> processes,
        @Nullable Ages ages) {
    public Span {
        if (toNs <= fromNs) {
            throw new IllegalArgumentException("a span ends after it begins, not at " + toNs + " ns after " + fromNs);
        }
        tasks = List.copyOf(tasks);
        processes = List.copyOf(processes);
    }

    /** Its length in nanoseconds. */
    public long lengthNs() {
        return toNs - fromNs;
    }
}
