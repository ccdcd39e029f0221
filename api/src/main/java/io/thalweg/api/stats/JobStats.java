// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * What was measured of a job, at one moment or at its end. All counts are totals since the start.
 *
 * @param topology name of the topology
 * @param state running, or how it ended
 * @param elapsedNs nanoseconds since the start
 * @param recordsIn records read by all sources
 * @param recordsOut records written by all sinks
 * @param recordsBad bad records, counted and kept
 * @param recordsLate records that were late for a window, join or operator
 * @param windowsOpen windows that have not fired, counted per key, or of sliding windows the parts that they are merged from
 * @param badReasons the most frequent reasons, at most 10, the most frequent first
 * @param latency age of records when sinks had processed them
 * @param latencies the same samples, counted by age
 * @param acks {@link AckStats#NONE} if the job is not acked
 * @param process of the JVM
 * @param tasks one for each task
 * @param loops one for each loop of the topology
 * @param plan how the job runs
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
        LatencyHistogram latencies,
        AckStats acks,
        ProcessStats process,
        List<TaskStats> tasks,
        List<LoopStats> loops,
        PlanInfo plan) {
    public JobStats {
        badReasons = List.copyOf(badReasons);
        tasks = List.copyOf(tasks);
        loops = List.copyOf(loops);
    }

    /** Systems that operators lost, over all tasks. */
    public List<ConnectionStats> connections() {
        return ConnectionStats.merged(
                tasks.stream().flatMap(task -> task.connections().stream()).toList());
    }

    /** How far all sources are behind the end of their input, as far as they say: see {@link InputStats#lag}. */
    public long lag() {
        return tasks.stream().mapToLong(task -> task.input().lag()).sum();
    }

    /** True if a source says how far it is behind. */
    public boolean hasLag() {
        return tasks.stream().anyMatch(task -> !task.input().splits().isEmpty());
    }

    /** What operators keep, over all their tasks, the largest first; empty on Flink. */
    public List<StateStats> keptState() {
        return StateStats.byOperator(
                tasks.stream().flatMap(task -> task.state().stream()).toList());
    }

    /** How late records were, by operator, over all tasks, those with most of them first; empty on Flink. */
    public List<LateRecords> late() {
        return LateRecords.byOperator(
                tasks.stream().flatMap(task -> task.late().stream()).toList());
    }
}
