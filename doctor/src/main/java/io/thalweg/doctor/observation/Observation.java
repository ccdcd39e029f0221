// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of a job, on whatever engine it ran. What an engine cannot tell is null, or a list without
 * elements; it is never 0.
 *
 * @param version of this format: {@link #VERSION}
 * @param state of the job when the observation ended
 * @param plan operators, chains and edges
 * @param spans in the order of time, without gaps; counts of a span are what was added in it
 * @param operators where the time within tasks went, over all spans together
 * @param edges what went from one operator to another, over all spans together
 * @param checkpoints those that were seen to be complete
 * @param acks at the end; null if the job is not acked
 * @param latency of records when sinks had processed them, over all spans together
 * @param restarts after failures
 * @param failure that ended the job, in one line; null if none did, or it is unknown
 * @param failedCheckpoints of the newest checkpoints; null if the engine does not tell
 * @param group a consumer group of Kafka, instead of a job: then there are no operators and no spans; null for a job
 * @param storm what Storm tells besides; null on other engines
 * @param flink what Flink tells besides; null on other engines
 * @param lateness of late records, by operator, those with most of them first; null if the engine does not tell
 */
public record Observation(
        int version,
        JobState state,
        PlanInfo plan,
        List<Span> spans,
        List<OperatorProfile> operators,
        List<EdgeTotals> edges,
        List<CheckpointStats> checkpoints,
        @Nullable AckStats acks,
        LatencyStats latency,
        Restarts restarts,
        @Nullable String failure,
        @Nullable FailedCheckpoints failedCheckpoints,
        @Nullable ConsumerGroup group,
        @Nullable StormTopology storm,
        @Nullable FlinkDetails flink,
        @Nullable List<Lateness> lateness) {
    /** The version that this code writes, and the only one that it reads. */
    public static final int VERSION = 1;

    public Observation {
        spans = List.copyOf(spans);
        operators = List.copyOf(operators);
        edges = List.copyOf(edges);
        checkpoints = List.copyOf(checkpoints);
        lateness = lateness == null ? null : List.copyOf(lateness);
    }

    /** Of a consumer group, which is no job. */
    public static Observation of(ConsumerGroup group) {
        return new Observation(
                VERSION,
                JobState.RUNNING,
                new PlanInfo(group.group(), "Kafka", 0, List.of(), List.of(), List.of(), List.of()),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null,
                LatencyStats.NONE,
                new Restarts(0, null),
                null,
                null,
                group,
                null,
                null,
                null);
    }
}
