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
import io.thalweg.engine.chain.Loop;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.TaskAgreement;
import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.route.Transport;
import io.thalweg.engine.source.SlowestSplits;
import io.thalweg.engine.source.SplitProgress;
import io.thalweg.engine.stats.AckCounters;
import io.thalweg.engine.work.Waker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds the tasks of a plan, the queues between them, and their wake-up handles ({@link Waker}). */
public final class Build {
    /**
     * A task, and what the job needs to know of it.
     *
     * @param acks null if it is not a source task, or the job is not acked
     * @param loop that it is within; null if it is in none
     */
    public record Built(
            ChainTask task,
            Waker waker,
            List<String> operators,
            int index,
            boolean reads,
            boolean writes,
            @Nullable AckCounters acks,
            @Nullable Loop loop) {}

    private Build() {}

    /** @throws OperatorException if a source cannot list its splits */
    public static List<Built> tasks(
            Plan plan,
            BuildSettings settings,
            TaskAgreement agreement,
            Frame.BadRecords badRecords,
            @Nullable Barriers checkpoints,
            @Nullable SavedState saved)
            throws OperatorException {
        Map<Integer, Waker[]> wakers = new HashMap<>();
        for (Chain chain : plan.chains()) {
            wakers.put(
                    chain.id(),
                    IntStream.range(0, chain.parallelism())
                            .mapToObj(i -> new Waker())
                            .toArray(Waker[]::new));
        }
        Loops loops = new Loops(plan, settings, agreement, wakers, checkpoints != null);
        JobBuild job = new JobBuild(
                plan,
                settings,
                agreement,
                badRecords,
                splits(plan, saved),
                checkpoints,
                saved,
                new JobBuild.Local(
                        new Queues(plan, settings, wakers),
                        AckPaths.of(plan, settings, wakers),
                        slowest(plan, wakers),
                        loops));
        List<Built> tasks = new ArrayList<>();
        for (Chain chain : plan.chains()) {
            List<String> operators = chain.nodes().stream().map(Node::name).toList();
            boolean reads = chain.head().spec().source() != null;
            boolean writes = chain.nodes().stream().anyMatch(node -> node.spec().sink() != null);
            Waker[] own = wakers(wakers, chain);
            for (int index = 0; index < chain.parallelism(); index++) {
                TaskBuilder builder = new TaskBuilder(TaskSite.of(job, chain, index, tasks.size(), own[index]));
                ChainTask task = builder.build();
                tasks.add(new Built(
                        task, own[index], operators, index, reads, writes, builder.ackCounters(), loops.of(chain)));
            }
        }
        return tasks;
    }

    /**
     * The other engine, if it runs the task.
     *
     * @param acks gets reports of records that failed or wait for answers; null if the job is not acked
     * @param wakeUp run by any thread when the task has something to do
     */
    public record Host(
            TaskAgreement agreement,
            Frame.BadRecords badRecords,
            @Nullable Barriers checkpoints,
            Transport carrier,
            @Nullable Reports acks,
            Runnable wakeUp) {}

    /**
     * Builds one task for another engine to run.
     *
     * @param splits of the sources, by number of the node, as {@link #splits} returned them
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

    /** For each operator that aligns watermarks, what its tasks share. */
    private static Map<Integer, SlowestSplits> slowest(Plan plan, Map<Integer, Waker[]> wakers) {
        Map<Integer, SlowestSplits> slowest = new HashMap<>();
        for (Chain chain : plan.chains()) {
            for (Node node : chain.nodes()) {
                if (node.spec().timing() == Timing.ASSIGNS) {
                    slowest.put(node.id(), new SlowestSplits(List.of(wakers(wakers, chain))));
                }
            }
        }
        return slowest;
    }

    static Waker[] wakers(Map<Integer, Waker[]> wakers, Chain chain) {
        return wakers.getOrDefault(chain.id(), new Waker[0]);
    }

    /**
     * True if the source discovers its splits while running and the checkpoint has none of them: all are new, and read
     * from the beginning.
     */
    private static boolean finds(Source<Object> source, Node node, SavedState saved) {
        return source instanceof LiveSource<Object> live
                && !live.discovery().isZero()
                && SplitProgress.isIn(saved, node.name());
    }

    /**
     * The splits of all sources, by number of the node. A restored job reads the splits in its checkpoint.
     *
     * @throws OperatorException if a source cannot list its splits
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
