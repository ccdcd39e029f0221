// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.stats.TaskStats;
import io.thalweg.engine.stats.TaskCounters;

/**
 * What one task has counted so far.
 *
 * @param reads it begins with a source
 * @param written records that its sinks were handed
 * @param read records that came in, or that its source could not read, since the job was first started
 * @param bad of those: they were bad, or gave rise to bad ones
 * @param badRecords all bad ones, since the job was first started
 */
public record HostedCounts(
        TaskStats task, boolean reads, long written, long windowsOpen, long read, long bad, long badRecords) {
    static HostedCounts of(TaskStats task, boolean reads, TaskCounters counters) {
        TaskCounters.Inputs inputs = counters.inputs();
        return new HostedCounts(
                task,
                reads,
                counters.recordsWritten.get(),
                counters.windowsOpen.get(),
                inputs.read() + inputs.unread(),
                inputs.bad(),
                inputs.records());
    }
}
