// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.FlinkDetails;
import io.thalweg.doctor.observation.FlinkSamples;
import io.thalweg.doctor.observation.FlinkVertex;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.ProcessSpan;
import io.thalweg.doctor.observation.Restarts;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;

/** Made-up figures of a job on a cluster of Flink, of ten seconds after its first one, each of which is like the others. */
final class MadeUpFlink {
    private static final int SECONDS = 10;
    private static final long NS = 1_000_000_000;

    int cores = 8;
    double usedCores = 1;
    double gc;
    long heapMaxBytes = 1_000_000_000;
    Boolean objectReuse = false;
    String stateBackend;
    Long bufferTimeoutMs;
    Boolean bufferDebloat;
    Boolean flameGraphs = true;
    Long networkRequested;
    Long waitingForSlots;
    Double checkpointWritesMs;
    int slots;
    int restarts;
    long allSamples = 1_000;
    private final List<CheckpointStats> checkpoints = new ArrayList<>();
    private final List<PlanInfo.Operator> operators = new ArrayList<>();
    private final List<PlanInfo.Chain> chains = new ArrayList<>();
    private final List<PlanInfo.Edge> edges = new ArrayList<>();
    private final List<TaskSpan> tasks = new ArrayList<>();
    private final List<FlinkVertex> vertices = new ArrayList<>();

    /** Tasks of a vertex, each with so many records a second and so much of its time; the rest of it, it waits. */
    MadeUpFlink vertex(String name, int parallelism, long records, double busy, double held) {
        String kind = name.startsWith("Source: ") ? "source" : "operator";
        operators.add(new PlanInfo.Operator(name, kind, name, chains.size(), parallelism, false, true));
        chains.add(new PlanInfo.Chain(chains.size(), List.of(name), parallelism, "each on a thread of its own"));
        for (int i = 0; i < parallelism; i++) {
            tasks.add(new TaskSpan(
                    name + "[" + i + "]",
                    List.of(name),
                    i,
                    "tm",
                    records,
                    records,
                    null,
                    0,
                    0,
                    Math.round(busy * NS),
                    Math.round((1 - busy - held) * NS),
                    Math.round(held * NS),
                    null,
                    null,
                    0,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null));
        }
        return this;
    }

    /** Between vertices that were added before. */
    MadeUpFlink edge(String from, String to, String grouping) {
        edges.add(new PlanInfo.Edge(
                from, to, "", 0, grouping, tasksOf(from), tasksOf(to), "", "", false, false, "another vertex", false));
        return this;
    }

    private int tasksOf(String vertex) {
        return operators.stream()
                .filter(operator -> operator.name().equals(vertex))
                .findFirst()
                .orElseThrow()
                .parallelism();
    }

    /** Samples of the stacks of a vertex, of a thousand if nothing else is set. */
    MadeUpFlink samples(String vertex, long copying, long kryo, long sending, long receiving, long state) {
        return samples(vertex, new FlinkSamples(allSamples, copying, kryo, sending, receiving, state, null));
    }

    /** The same, of those in the writer of a sink. */
    MadeUpFlink writing(String vertex, long samples) {
        return samples(vertex, new FlinkSamples(allSamples, 0, 0, 0, 0, 0, samples));
    }

    private MadeUpFlink samples(String vertex, FlinkSamples samples) {
        vertices.add(new FlinkVertex(vertex, null, null, null, null, null, samples, null, null));
        return this;
    }

    /** Where the watermark of a vertex was at the end, and for which share of the looks. */
    MadeUpFlink watermark(String vertex, Long watermark, Double still) {
        vertices.add(new FlinkVertex(vertex, null, null, null, null, null, null, watermark, still));
        return this;
    }

    /** Buffers that came to a vertex in all ten seconds, and bytes in each. */
    MadeUpFlink buffers(String vertex, long buffers, long bytes) {
        vertices.add(new FlinkVertex(vertex, null, null, buffers, buffers * bytes, 0L, null, null, null));
        return this;
    }

    /** How full the pools of a vertex are, and what it gets from other TaskManagers and from its own. */
    MadeUpFlink pools(String vertex, Double in, Double out, long remoteBytes, long localBytes) {
        vertices.add(new FlinkVertex(vertex, in, out, 1_000L, remoteBytes + localBytes, remoteBytes, null, null, null));
        return this;
    }

    MadeUpFlink checkpoint(long stateBytes) {
        return checkpoint(stateBytes, 60_000, 100);
    }

    /** One more, so long after the one before, which takes so long. */
    MadeUpFlink checkpoint(long stateBytes, long afterMs, long tookMs) {
        int number = checkpoints.size() + 1;
        checkpoints.add(new CheckpointStats(
                "made-up",
                number,
                number * afterMs,
                tookMs,
                0,
                1,
                false,
                List.of(new CheckpointStats.StateSize("", "all", stateBytes))));
        return this;
    }

    Facts facts() {
        return new Facts(observation());
    }

    Observation observation() {
        List<Span> spans = new ArrayList<>();
        for (int second = 1; second <= SECONDS; second++) {
            long read = tasks.stream()
                    .filter(task -> task.task().startsWith("Source: "))
                    .mapToLong(TaskSpan::recordsIn)
                    .sum();
            ProcessSpan process = new ProcessSpan(
                    "tm",
                    cores,
                    Math.round(usedCores * NS),
                    50,
                    heapMaxBytes / 2,
                    heapMaxBytes,
                    1,
                    Math.round(gc * NS),
                    null,
                    null);
            spans.add(
                    new Span(second * NS, (second + 1) * NS, read, 0, 0, 0, null, null, tasks, List.of(process), null));
        }
        return new Observation(
                Observation.VERSION,
                JobState.RUNNING,
                new PlanInfo(
                        "made-up",
                        "Flink 2.3.0",
                        0,
                        operators,
                        chains,
                        edges,
                        slots == 0
                                ? List.of()
                                : List.of(new PlanInfo.Option("", "slots", slots + " of all TaskManagers"))),
                spans,
                List.of(),
                List.of(),
                checkpoints,
                null,
                LatencyStats.NONE,
                new Restarts(restarts, null),
                null,
                null,
                null,
                null,
                new FlinkDetails(
                        objectReuse,
                        stateBackend,
                        bufferTimeoutMs,
                        bufferDebloat,
                        flameGraphs,
                        networkRequested,
                        waitingForSlots,
                        checkpointWritesMs,
                        vertices),
                null);
    }
}
