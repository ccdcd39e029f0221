// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.stats.TaskStats;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.run.BadRecordCount;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one task has counted so far.
 *
 * @param reads true if the task begins with a source
 * @param written records that its sinks have got
 * @param read records of its input, including those that its source could not read, since the job was first started
 * @param bad those of them that were bad, or led to bad records
 * @param badRecords all bad records, since the job was first started
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

    /** Of all tasks of a job. */
    static BadRecordCount tally(Collection<HostedCounts> tasks) {
        long fromSources = 0;
        long bad = 0;
        long records = 0;
        Map<List<String>, Long> inOfChains = new HashMap<>();
        for (HostedCounts each : tasks) {
            if (each.reads()) {
                fromSources += each.read();
            } else {
                inOfChains.merge(each.task().operators(), each.read(), Long::sum);
            }
            bad += each.bad();
            records += each.badRecords();
        }
        long most =
                inOfChains.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return BadRecordCount.of(Math.max(fromSources, most), bad, records);
    }
}
