// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.watch;

import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.stats.TaskStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of each chain did between two looks.
 *
 * @param chains in the order of the plan
 * @param edges records per second over each edge between two chains, in the order of the plan; null where tasks do not count them apart
 */
public record ChainRates(List<OfChain> chains, List<@Nullable Double> edges) {
    public ChainRates {
        chains = List.copyOf(chains);
        edges = new ArrayList<>(edges);
    }

    /**
     * Of the tasks of a chain together. Shares are of the time of all its tasks.
     *
     * @param in records taken per second
     * @param out records put into queues or written per second
     * @param busy share of the time, from 0 to 1
     * @param heldBack share of the time in which an output had no room
     * @param waiting share of the time without input
     * @param queued batches that wait in the queues of all tasks
     * @param room batches that all these queues hold; 0 if that is not known
     * @param skew records of the task that took most, divided by the mean of all tasks; 0 if no records came in
     * @param tasks in the order of their numbers
     */
    public record OfChain(
            double in,
            double out,
            double busy,
            double heldBack,
            double waiting,
            long queued,
            long room,
            double skew,
            List<OfTask> tasks) {
        public OfChain {
            tasks = List.copyOf(tasks);
        }
    }

    /**
     * Of one task.
     *
     * @param now its totals
     * @param in records taken per second
     * @param out records put into queues or written per second
     * @param busy share of the time, from 0 to 1
     * @param heldBack share of the time in which an output had no room
     * @param waiting share of the time without input
     * @param keys with state
     * @param stateBytes of heap, estimated
     */
    public record OfTask(
            TaskStats now,
            double in,
            double out,
            double busy,
            double heldBack,
            double waiting,
            long keys,
            long stateBytes) {}

    /**
     * Computes them.
     *
     * @param before null if the job has just started: shares and rates are then those since the start
     * @param batches that one queue holds; 0 if that is not known
     */
    public static ChainRates of(@Nullable JobStats before, JobStats now, int batches) {
        PlanInfo plan = now.plan();
        Map<String, TaskStats> earlier = new HashMap<>();
        if (before != null) {
            before.tasks().forEach(task -> earlier.put(task.task(), task));
        }
        double seconds = (now.elapsedNs() - (before == null ? 0 : before.elapsedNs())) / 1e9;
        Map<String, Integer> chainOf = new HashMap<>();
        List<List<OfTask>> tasks = new ArrayList<>();
        for (PlanInfo.Chain chain : plan.chains()) {
            chain.operators().forEach(operator -> chainOf.put(operator, tasks.size()));
            tasks.add(new ArrayList<>());
        }
        for (TaskStats task : now.tasks()) {
            Integer chain = task.operators().isEmpty()
                    ? null
                    : chainOf.get(task.operators().get(0));
            if (chain != null) {
                tasks.get(chain).add(task(earlier.get(task.task()), task, seconds));
            }
        }
        List<OfChain> chains = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            chains.add(chain(tasks.get(i), room(plan, plan.chains().get(i), batches)));
        }
        return new ChainRates(chains, edges(plan, chainOf, chains));
    }

    private static OfTask task(@Nullable TaskStats was, TaskStats now, double seconds) {
        double ns = Math.max(seconds * 1e9, 1);
        return new OfTask(
                now,
                rate(now.recordsIn() - (was == null ? 0 : was.recordsIn()), seconds),
                rate(now.recordsOut() - (was == null ? 0 : was.recordsOut()), seconds),
                share(now.busyNs() - (was == null ? 0 : was.busyNs()), ns),
                share(now.heldBackNs() - (was == null ? 0 : was.heldBackNs()), ns),
                share(now.waitingNs() - (was == null ? 0 : was.waitingNs()), ns),
                now.state().stream().mapToLong(StateStats::keys).sum(),
                now.state().stream().mapToLong(StateStats::bytes).sum());
    }

    private static double rate(long records, double seconds) {
        return seconds <= 0 ? 0 : Math.max(0, records) / seconds;
    }

    private static double share(long part, double whole) {
        return Math.max(0, Math.min(1, part / whole));
    }

    private static OfChain chain(List<OfTask> tasks, long room) {
        double in = tasks.stream().mapToDouble(OfTask::in).sum();
        double most = tasks.stream().mapToDouble(OfTask::in).max().orElse(0);
        return new OfChain(
                in,
                tasks.stream().mapToDouble(OfTask::out).sum(),
                tasks.stream().mapToDouble(OfTask::busy).average().orElse(0),
                tasks.stream().mapToDouble(OfTask::heldBack).average().orElse(0),
                tasks.stream().mapToDouble(OfTask::waiting).average().orElse(0),
                tasks.stream().mapToLong(task -> task.now().queueDepth()).sum(),
                room,
                in == 0 ? 0 : most * tasks.size() / in,
                tasks);
    }

    /** A task has a queue for each task that sends to it. */
    private static long room(PlanInfo plan, PlanInfo.Chain chain, int batches) {
        long queues = 0;
        for (PlanInfo.Edge edge : plan.edges()) {
            if (!edge.fused() && chain.operators().contains(edge.to())) {
                boolean oneEach = edge.grouping().startsWith("forward");
                queues += (long) edge.tasksTo() * (oneEach ? 1 : edge.tasksFrom());
            }
        }
        return queues * batches;
    }

    /** What a chain takes came over its only edge, or what it sent left over its only one. */
    private static List<@Nullable Double> edges(PlanInfo plan, Map<String, Integer> chainOf, List<OfChain> chains) {
        Map<Integer, Integer> into = new HashMap<>();
        Map<Integer, Integer> outOf = new HashMap<>();
        for (PlanInfo.Edge edge : plan.edges()) {
            if (!edge.fused()) {
                into.merge(chainOf.getOrDefault(edge.to(), -1), 1, Integer::sum);
                outOf.merge(chainOf.getOrDefault(edge.from(), -1), 1, Integer::sum);
            }
        }
        List<@Nullable Double> rates = new ArrayList<>();
        for (PlanInfo.Edge edge : plan.edges()) {
            if (!edge.fused()) {
                int from = chainOf.getOrDefault(edge.from(), -1);
                int to = chainOf.getOrDefault(edge.to(), -1);
                if (to >= 0 && into.getOrDefault(to, 0) == 1) {
                    rates.add(chains.get(to).in());
                } else if (from >= 0
                        && outOf.getOrDefault(from, 0) == 1
                        && !writes(plan, plan.chains().get(from))) {
                    rates.add(chains.get(from).out());
                } else {
                    rates.add(null);
                }
            }
        }
        return rates;
    }

    private static boolean writes(PlanInfo plan, PlanInfo.Chain chain) {
        return plan.operators().stream()
                .anyMatch(operator ->
                        operator.kind().equals("sink") && chain.operators().contains(operator.name()));
    }
}
