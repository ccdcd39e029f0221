// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * What was measured of a job, at one moment or at its end.
 *
 * @param recordsIn records read by all sources
 * @param recordsOut records written by all sinks
 * @param badReasons why records were bad: the most frequent reasons, at most 10, the most frequent first
 * @param acks {@link AckStats#NONE} if the job is not acked
 * @param windowsOpen windows, counted per key, that have not fired
 * @param plan how it runs
 */
public record JobStats(
        String topology,
        JobState state,
        long elapsedNs,
        long recordsIn,
        long recordsOut,
        long recordsBad,
        long recordsLate,
        long windowsOpen,
        List<BadReason> badReasons,
        LatencyStats latency,
        AckStats acks,
        ProcessStats process,
        List<TaskStats> tasks,
        PlanInfo plan) {
    public JobStats {
        badReasons = List.copyOf(badReasons);
        tasks = List.copyOf(tasks);
    }

    /** What operators keep, over all their tasks, the largest first; empty on Flink. */
    public List<StateStats> keptState() {
        return StateStats.byOperator(
                tasks.stream().flatMap(task -> task.state().stream()).toList());
    }
}
