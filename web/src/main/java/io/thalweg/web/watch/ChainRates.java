// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.watch;

import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.stats.TaskStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
        EngineMetrics told = EngineMetrics.by(plan);
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
            long room = told.queues() ? room(plan, plan.chains().get(i), batches) : 0;
            chains.add(chain(tasks.get(i), room));
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

    /** What a chain takes came over its edges, and what it sends leaves over its edges: where one is missing, it has the rest. */
    private static List<@Nullable Double> edges(PlanInfo plan, Map<String, Integer> chainOf, List<OfChain> chains) {
        List<PlanInfo.Edge> between =
                plan.edges().stream().filter(edge -> !edge.fused()).toList();
        Map<Integer, List<Integer>> into = new HashMap<>();
        Map<Integer, List<Integer>> outOf = new HashMap<>();
        for (int i = 0; i < between.size(); i++) {
            into.computeIfAbsent(chainOf.getOrDefault(between.get(i).to(), -1), chain -> new ArrayList<>())
                    .add(i);
            outOf.computeIfAbsent(chainOf.getOrDefault(between.get(i).from(), -1), chain -> new ArrayList<>())
                    .add(i);
        }
        Set<Integer> writing = writing(plan, chainOf);
        boolean all = EngineMetrics.by(plan).calls();
        @Nullable Double[] rates = new @Nullable Double[between.size()];
        boolean found = true;
        while (found) {
            found = false;
            for (int chain = 0; chain < chains.size(); chain++) {
                found |= fill(
                        rates,
                        into.getOrDefault(chain, List.of()),
                        chains.get(chain).in());
                List<Integer> out = outOf.getOrDefault(chain, List.of());
                if ((all || out.size() == 1) && !writing.contains(chain)) {
                    found |= fill(rates, out, chains.get(chain).out());
                }
            }
        }
        return Arrays.asList(rates);
    }

    /** If only one of these edges has no rate yet, it gets what the others leave of the whole. */
    private static boolean fill(@Nullable Double[] rates, List<Integer> which, double whole) {
        int missing = -1;
        double rest = whole;
        for (int i : which) {
            Double rate = rates[i];
            if (rate != null) {
                rest -= rate;
            } else if (missing >= 0) {
                return false;
            } else {
                missing = i;
            }
        }
        if (missing < 0) {
            return false;
        }
        rates[missing] = Math.max(0, rest);
        return true;
    }

    /** The chains with a sink: what it writes counts as sent, too. */
    private static Set<Integer> writing(PlanInfo plan, Map<String, Integer> chainOf) {
        return plan.operators().stream()
                .filter(operator -> operator.kind().equals("sink"))
                .map(operator -> chainOf.getOrDefault(operator.name(), -1))
                .collect(Collectors.toSet());
    }
}
