// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.SplitTime;
import io.thalweg.doctor.observation.Ages;
import io.thalweg.doctor.observation.BlockedCall;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.HotSpot;
import io.thalweg.doctor.observation.KafkaFetches;
import io.thalweg.doctor.observation.KafkaSends;
import io.thalweg.doctor.observation.KeyShares;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.ProcessSpan;
import io.thalweg.doctor.observation.PythonWork;
import io.thalweg.doctor.observation.Restarts;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;

/**
 * Made-up figures of an embedded job, of ten seconds after its first one. What is set holds for each second. Chains are added in the
 * order of the stream; all but sources get the output of the one before.
 */
final class MadeUpJob {
    static final int SECONDS = 10;
    private static final long MS = 1_000_000;
    private static final long NS = 1_000_000_000;

    int workers = 2;
    int cores = 2;
    double usedCores = 1.9;
    Double machineLoad = 0.5;
    long gcMs;
    Long gcCpuMs;
    IntToLongFunction heapUsedBytes = second -> 100_000_000;
    Long heapMaxBytes = 1_000_000_000L;

    /** Beside the one that is made of the figures above. */
    final List<ProcessSpan> others = new ArrayList<>();

    JobState state = JobState.RUNNING;
    AckStats acks;
    Long pending;
    String maxPending;
    LatencyStats latency = LatencyStats.NONE;

    /** Of the records of a second. */
    Ages ages;

    /** How records come to the chain that is added next, and from which operator; null for the last one of the chain before. */
    String grouping = "forward";

    String behind;
    String runner = "embedded";
    final List<CheckpointStats> checkpoints = new ArrayList<>();
    private final List<OperatorProfile> profiles = new ArrayList<>();
    private final List<PlanInfo.Operator> operators = new ArrayList<>();
    private final List<PlanInfo.Chain> chains = new ArrayList<>();
    private final List<PlanInfo.Edge> edges = new ArrayList<>();
    private final List<Task> tasks = new ArrayList<>();
    private final List<EdgeTotals> totals = new ArrayList<>();
    private final List<PlanInfo.Option> options = new ArrayList<>();

    private static final class Task {
        final PlanInfo.Chain chain;
        final int index;
        final long records;
        final double busy;
        final double waiting;
        final double held;
        long emitted;
        IntFunction<List<SplitTime>> splits = second -> null;
        IntToLongFunction stateBytes = second -> 0;
        IntFunction<Long> unread = second -> null;
        IntFunction<Long> queued = second -> null;
        Long batches;
        Long overdueUs;

        Task(PlanInfo.Chain chain, int index, long records, double busy, double waiting, double held) {
            this.chain = chain;
            this.index = index;
            this.records = records;
            this.busy = busy;
            this.waiting = waiting;
            this.held = held;
            emitted = records;
        }

        TaskSpan in(int second) {
            return new TaskSpan(
                    String.join("+", chain.operators()) + "[" + index + "]",
                    chain.operators(),
                    index,
                    "p",
                    records,
                    emitted,
                    null,
                    0,
                    0,
                    ns(busy),
                    ns(waiting),
                    ns(held),
                    queued.apply(second),
                    null,
                    0,
                    unread.apply(second),
                    null,
                    stateBytes.applyAsLong(second),
                    splits.apply(second),
                    batches,
                    overdueUs);
        }
    }

    /** An operator of the chain that is added next. */
    MadeUpJob operator(String name, String kind, String description, boolean stateful) {
        operators.add(new PlanInfo.Operator(name, kind, description, chains.size(), 0, stateful, true));
        return this;
    }

    /** Operators that were added before, in tasks of their own. */
    MadeUpJob chain(int parallelism, String... names) {
        boolean source = operators.stream()
                .anyMatch(each -> each.name().equals(names[0]) && each.kind().equals("source"));
        if (!source) {
            List<String> before = chains.get(chains.size() - 1).operators();
            edge(behind == null ? before.get(before.size() - 1) : behind, names[0], false);
        }
        for (int i = 1; i < names.length; i++) {
            edge(names[i - 1], names[i], true);
        }
        chains.add(new PlanInfo.Chain(chains.size(), List.of(names), parallelism, ""));
        return this;
    }

    private void edge(String from, String to, boolean fused) {
        edges.add(new PlanInfo.Edge(
                from, to, "", 0, fused ? "forward" : grouping, 1, 1, "", "", false, fused, "", false));
    }

    /** What the whole job was told, in the plan's words. */
    MadeUpJob option(String name, String value) {
        options.add(new PlanInfo.Option("", name, value));
        return this;
    }

    /** The next task of the chain that was added last, with records of each second and shares of it. */
    MadeUpJob task(long records, double busy, double waiting, double held) {
        PlanInfo.Chain chain = chains.get(chains.size() - 1);
        long index = tasks.stream().filter(each -> each.chain.equals(chain)).count();
        tasks.add(new Task(chain, (int) index, records, busy, waiting, held));
        return this;
    }

    /** What the task that was added last emits in a second, if not as much as it takes. */
    MadeUpJob emits(long records) {
        tasks.get(tasks.size() - 1).emitted = records;
        return this;
    }

    /** Event times of the splits of the task that was added last, by second from 0. */
    MadeUpJob splits(IntFunction<List<SplitTime>> bySecond) {
        tasks.get(tasks.size() - 1).splits = bySecond;
        return this;
    }

    /** What the task that was added last has not read, by second from 0. */
    MadeUpJob unread(IntFunction<Long> bySecond) {
        tasks.get(tasks.size() - 1).unread = bySecond;
        return this;
    }

    /** Batches that the task that was added last takes in a second, and those in its queues, by second from 0. */
    MadeUpJob batches(long inASecond, IntFunction<Long> queuedBySecond) {
        tasks.get(tasks.size() - 1).batches = inASecond;
        tasks.get(tasks.size() - 1).queued = queuedBySecond;
        return this;
    }

    /** For how long the records of a second, all together, were due before the source's task that was added last has read them. */
    MadeUpJob overdue(long us) {
        tasks.get(tasks.size() - 1).overdueUs = us;
        return this;
    }

    /** State of the task that was added last, by second from 0. */
    MadeUpJob state(IntToLongFunction bySecond) {
        tasks.get(tasks.size() - 1).stateBytes = bySecond;
        return this;
    }

    /** Samples within an operator and of tracking its records, and what it allocates in a second. */
    MadeUpJob profile(String operator, long samples, long ackSamples, long bytes) {
        profiles.add(new OperatorProfile(
                operator, samples, 0, ackSamples, null, 0, bytes * SECONDS, List.of(), List.of(), null, null, null));
        return this;
    }

    /** Samples within an operator, so many of them in what the engine does, and the others in a method of the user's. */
    MadeUpJob hot(String operator, long samples, long inEngine) {
        profiles.add(new OperatorProfile(
                operator,
                samples,
                0,
                null,
                null,
                0,
                null,
                List.of(
                        new HotSpot("", "", "HashMap.forEach", inEngine),
                        new HotSpot("Job.process", "Job.java:1", "", samples - inEngine)),
                List.of(),
                null,
                null,
                null));
        return this;
    }

    /** Calls of an operator in which it stood still. */
    MadeUpJob blocked(String operator, BlockedCall call) {
        profiles.add(new OperatorProfile(
                operator, 1, 0, null, null, call.totalNs(), null, List.of(), List.of(call), null, null, null));
        return this;
    }

    /** Samples within an operator and of passing its records on, and how many of both were copies. */
    MadeUpJob copies(String operator, long samples, long handOver, long copies) {
        profiles.add(new OperatorProfile(
                operator, samples, handOver, null, copies, 0, null, List.of(), List.of(), null, null, null));
        return this;
    }

    /** What the processes of an operator in Python did. */
    MadeUpJob python(String operator, PythonWork work) {
        profiles.add(new OperatorProfile(operator, 0, 0, null, null, 0, null, List.of(), List.of(), work, null, null));
        return this;
    }

    /** What the consumers of a source did. */
    MadeUpJob fetches(String operator, KafkaFetches fetches) {
        profiles.add(
                new OperatorProfile(operator, 0, 0, null, null, 0, null, List.of(), List.of(), null, fetches, null));
        return this;
    }

    /** What the producers of a sink did, and samples within it. */
    MadeUpJob sends(String operator, long samples, KafkaSends sends) {
        profiles.add(new OperatorProfile(
                operator, samples, 0, null, null, 0, null, List.of(), List.of(), null, null, sends));
        return this;
    }

    /** Samples within an operator, all of which were taken at these places. */
    MadeUpJob hot(String operator, HotSpot... spots) {
        long samples = Stream.of(spots).mapToLong(HotSpot::samples).sum();
        profiles.add(new OperatorProfile(
                operator, samples, 0, null, null, 0, null, List.of(spots), List.of(), null, null, null));
        return this;
    }

    /** How keys divide the records of an edge. */
    MadeUpJob keys(String from, String to, KeyShares shares) {
        totals.add(new EdgeTotals(from, to, null, null, shares));
        return this;
    }

    /** Checkpoints one behind the other, all the same. */
    MadeUpJob checkpoints(long everyMs, long tookMs, long alignedMs, long pausedMs) {
        for (int number = 1; number <= 5; number++) {
            checkpoints.add(new CheckpointStats(
                    "made-up", number, number * everyMs, tookMs, alignedMs, pausedMs, false, List.of()));
        }
        return this;
    }

    private static long ns(double share) {
        return Math.round(share * NS);
    }

    Observation observation() {
        List<Span> spans = new ArrayList<>();
        for (int second = 0; second < SECONDS; second++) {
            spans.add(span(second));
        }
        List<PlanInfo.Option> told = new ArrayList<>(options);
        if (maxPending != null) {
            told.add(new PlanInfo.Option("", "max-pending", maxPending + " records of a source task"));
        }
        return new Observation(
                Observation.VERSION,
                state,
                new PlanInfo("made-up", runner, workers, operators, chains, edges, told),
                spans,
                profiles,
                totals,
                checkpoints,
                acks,
                latency,
                new Restarts(0, null),
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private Span span(int second) {
        long read = tasks.stream()
                .filter(task -> operators.stream()
                        .anyMatch(each -> each.kind().equals("source")
                                && each.name().equals(task.chain.operators().get(0))))
                .mapToLong(task -> task.records)
                .sum();
        ProcessSpan process = new ProcessSpan(
                "p",
                cores,
                ns(usedCores),
                10,
                heapUsedBytes.applyAsLong(second),
                heapMaxBytes,
                1,
                gcMs * MS,
                gcCpuMs == null ? null : Long.valueOf(gcCpuMs * MS),
                machineLoad);
        List<ProcessSpan> processes = new ArrayList<>(List.of(process));
        processes.addAll(others);
        return new Span(
                (second + 1) * NS,
                (second + 2) * NS,
                read,
                0,
                0,
                0,
                null,
                pending,
                tasks.stream().map(task -> task.in(second)).toList(),
                processes,
                ages);
    }

    /** What rules ask of it. */
    Facts facts() {
        return new Facts(observation());
    }
}
