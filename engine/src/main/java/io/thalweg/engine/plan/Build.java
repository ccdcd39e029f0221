// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.Timing;
import io.thalweg.engine.ack.Reports;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.TaskAgreement;
import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.route.Carrier;
import io.thalweg.engine.source.SlowestSplits;
import io.thalweg.engine.source.SplitProgress;
import io.thalweg.engine.stats.AckCounters;
import io.thalweg.engine.work.Seat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Turns a plan into tasks, the queues between them, and their seats. */
public final class Build {
    /**
     * A task with what the job must know of it.
     *
     * @param acks null if it reads nothing, or the job is not acked
     */
    public record Built(
            ChainTask task,
            Seat seat,
            List<String> operators,
            int index,
            boolean reads,
            boolean writes,
            @Nullable AckCounters acks) {}

    private Build() {}

    /** @throws OperatorException if a source cannot say what splits it has */
    public static List<Built> tasks(
            Plan plan,
            BuildSettings settings,
            TaskAgreement agreement,
            Frame.BadRecords badRecords,
            @Nullable Barriers checkpoints,
            @Nullable SavedState saved)
            throws OperatorException {
        Map<Integer, Seat[]> seats = new HashMap<>();
        for (Chain chain : plan.chains()) {
            seats.put(
                    chain.id(),
                    IntStream.range(0, chain.parallelism())
                            .mapToObj(i -> new Seat())
                            .toArray(Seat[]::new));
        }
        JobBuild job = new JobBuild(
                plan,
                settings,
                agreement,
                badRecords,
                splits(plan, saved),
                checkpoints,
                saved,
                new JobBuild.Local(
                        new Queues(plan, settings, seats), AckPaths.of(plan, settings, seats), slowest(plan, seats)));
        List<Built> tasks = new ArrayList<>();
        for (Chain chain : plan.chains()) {
            List<String> operators = chain.nodes().stream().map(Node::name).toList();
            boolean reads = chain.head().spec().source() != null;
            boolean writes = chain.nodes().stream().anyMatch(node -> node.spec().sink() != null);
            Seat[] own = seats(seats, chain);
            for (int index = 0; index < chain.parallelism(); index++) {
                TaskBuilder builder = new TaskBuilder(TaskSite.of(job, chain, index, tasks.size(), own[index]));
                ChainTask task = builder.build();
                tasks.add(new Built(task, own[index], operators, index, reads, writes, builder.ackCounters()));
            }
        }
        return tasks;
    }

    /**
     * Whoever runs a task in the place of this engine.
     *
     * @param acks hears of records that failed, and of those that wait for answers; null if the job is not acked
     * @param wakeUp run by any thread when the task has something to do
     */
    public record Host(
            TaskAgreement agreement,
            Frame.BadRecords badRecords,
            @Nullable Barriers checkpoints,
            Carrier carrier,
            @Nullable Reports acks,
            Runnable wakeUp) {}

    /**
     * Builds one task that somebody else runs.
     *
     * @param splits of the sources, by number of the node, as {@link #splits} gave them
     * @param chain its number in the plan
     */
    public static ChainTask hosted(
            Plan plan,
            BuildSettings settings,
            Host host,
            @Nullable SavedState saved,
            Map<Integer, List<String>> splits,
            int chain,
            int index) {
        JobBuild job = new JobBuild(
                plan,
                settings,
                host.agreement(),
                host.badRecords(),
                splits,
                host.checkpoints(),
                saved,
                new JobBuild.Hosting(host.carrier(), host.acks()));
        int before =
                plan.chains().stream().limit(chain).mapToInt(Chain::parallelism).sum();
        return new TaskBuilder(TaskSite.of(job, plan.chains().get(chain), index, before + index, host.wakeUp()))
                .build();
    }

    /** Of each operator that reads event times, what its tasks tell each other. */
    private static Map<Integer, SlowestSplits> slowest(Plan plan, Map<Integer, Seat[]> seats) {
        Map<Integer, SlowestSplits> slowest = new HashMap<>();
        for (Chain chain : plan.chains()) {
            for (Node node : chain.nodes()) {
                if (node.spec().timing() == Timing.ASSIGNS) {
                    slowest.put(node.id(), new SlowestSplits(List.of(seats(seats, chain))));
                }
            }
        }
        return slowest;
    }

    static Seat[] seats(Map<Integer, Seat[]> seats, Chain chain) {
        return seats.getOrDefault(chain.id(), new Seat[0]);
    }

    /** What is there of a source that had no splits in the checkpoint was found since: its tasks find it, and begin at its beginning. */
    private static boolean finds(Source<Object> source, Node node, SavedState saved) {
        return source instanceof LiveSource<Object> live
                && !live.discovery().isZero()
                && SplitProgress.isIn(saved, node.name());
    }

    /**
     * The splits of all sources, by number of the node. A job that goes on reads those it began with.
     *
     * @throws OperatorException if a source cannot say what splits it has
     */
    public static Map<Integer, List<String>> splits(Plan plan, @Nullable SavedState saved) throws OperatorException {
        Map<Integer, List<String>> splits = new HashMap<>();
        for (Node node : plan.graph().nodes()) {
            List<String> known = saved == null ? List.of() : SplitProgress.splits(node.name(), saved);
            Source<Object> source = node.spec().source();
            if (source != null) {
                try {
                    if (!known.isEmpty()) {
                        check(source, node, known);
                    }
                    boolean lists = known.isEmpty() && !(saved != null && finds(source, node, saved));
                    splits.put(node.id(), lists ? source.splits(plan.parallelism(node)) : known);
                } catch (Exception e) {
                    throw new OperatorException(node.name(), "", 0, e);
                }
            }
        }
        return splits;
    }

    private static void check(Source<Object> source, Node node, List<String> known) throws Exception {
        try {
            source.checkSplits(known);
        } catch (ConnectorException e) {
            throw new ConnectorException(
                    "operator '" + node.name() + "': " + e.getMessage()
                            + "; give the input as it was, or read what is there now from its beginning with --discard-state '"
                            + node.name() + "'",
                    e);
        }
    }
}
