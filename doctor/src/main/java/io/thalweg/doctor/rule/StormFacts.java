// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.StormTopology;
import io.thalweg.doctor.observation.StormWorker;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What the rules for Storm ask of an observation besides.
 *
 * @param facts of the observation
 * @param storm what Storm told
 */
record StormFacts(Facts facts, StormTopology storm) {
    private static final String LOCAL_FIRST = "local or shuffle";
    private static final String SHUFFLE = "shuffle";
    private static final double NS = 1e9;

    /** Of the tuples that may be pending: spouts stop and go all the time. */
    private static final double MIN_FULL = 0.8;

    /** The topology runs in Thalweg. */
    boolean runsHere() {
        return facts.plan().runner().equals(StormTopology.HERE);
    }

    /** All spans: what Storm told is of all of them. */
    double seconds() {
        return facts.observation().spans().stream().mapToLong(Span::lengthNs).sum() / NS;
    }

    boolean is(String setting) {
        return facts.option(setting).equals("true");
    }

    /** Tuples that spouts emitted. */
    long emitted() {
        return facts.observation().spans().stream().mapToLong(Span::recordsIn).sum();
    }

    /** Tuples of spouts that were acked or failed. */
    long tracked() {
        return storm.acked() + storm.failed();
    }

    long failedInBolts() {
        return storm.bolts().stream().mapToLong(each -> each.failed()).sum();
    }

    double completeMs() {
        Double mean = storm.completeMs();
        return mean == null ? 0 : mean;
    }

    /** Tuples of spouts that are pending at a time, by Little's law. */
    double pending() {
        return storm.acked() / seconds() * completeMs() / 1_000;
    }

    /** The most tuples of all spouts that may be pending; 0 if any number may. */
    long mostPending() {
        return facts.maxPending() * Math.max(1, storm.spoutTasks());
    }

    /** Spouts have about as many tuples pending as they may. */
    boolean arePendingFull() {
        return mostPending() > 0 && pending() >= MIN_FULL * mostPending();
    }

    /** How busy the busiest executor of all bolts is. */
    double busiest() {
        return facts.chains().stream()
                .mapToDouble(chain -> chain.busy(chain.busiest()))
                .max()
                .orElse(0);
    }

    boolean hasSeveralWorkers() {
        return storm.workers().size() > 1;
    }

    /** Hosts that several workers run on, with how many. */
    Map<String, Long> crowdedHosts() {
        Map<String, Long> workers = new HashMap<>();
        for (StormWorker worker : storm.workers()) {
            workers.merge(worker.host(), 1L, Long::sum);
        }
        workers.values().removeIf(count -> count < 2);
        return workers;
    }

    /** Tuples per second from all components to all others. */
    double handedOver() {
        return facts.plan().edges().stream().mapToDouble(this::rate).sum();
    }

    /** Tuples per second along an edge; if several lead from one component to another, each has its part. */
    double rate(PlanInfo.Edge edge) {
        long same = facts.plan().edges().stream()
                .filter(each -> each.from().equals(edge.from()) && each.to().equals(edge.to()))
                .count();
        return facts.observation().edges().stream()
                        .filter(each ->
                                each.from().equals(edge.from()) && each.to().equals(edge.to()))
                        .mapToDouble(StormFacts::records)
                        .max()
                        .orElse(0)
                / seconds()
                / Math.max(1, same);
    }

    private static double records(EdgeTotals edge) {
        Long records = edge.records();
        return records == null ? 0 : records;
    }

    /** Tuples per second that go from one worker to another, as far as that can be told. */
    double crossing() {
        return facts.plan().edges().stream().mapToDouble(this::crossing).sum();
    }

    /**
     * The same, of an edge. Where tuples go depends on the grouping: a shuffle that is aware of the load prefers its own
     * worker, so that only what arrives where less is sent is known to cross; others do not ask where tasks are.
     */
    double crossing(PlanInfo.Edge edge) {
        Map<String, Double> sent = shares(edge.from(), TaskSpan::recordsOut);
        Map<String, Double> received = shares(edge.to(), TaskSpan::recordsIn);
        boolean aware = edge.grouping().equals(LOCAL_FIRST)
                || (edge.grouping().equals(SHUFFLE) && !is("topology.disable.loadaware.messaging"));
        double share = 0;
        for (Map.Entry<String, Double> worker : received.entrySet()) {
            double own = sent.getOrDefault(worker.getKey(), 0.0);
            share += aware ? Math.max(0, worker.getValue() - own) : worker.getValue() * (1 - own);
        }
        return share * rate(edge);
    }

    /** An executor that receives is in every worker that has one that sends. */
    boolean couldStay(PlanInfo.Edge edge) {
        return workers(edge.to()).containsAll(workers(edge.from()));
    }

    /** With only the executors in the workers of those that send, how busy each would be. */
    double busyIfLocal(PlanInfo.Edge edge) {
        Set<String> senders = workers(edge.from());
        List<TaskSpan> all = tasks(edge.to());
        double busy = all.stream().mapToLong(TaskSpan::busyNs).sum() / (double) facts.lengthNs();
        long local =
                all.stream().filter(task -> senders.contains(task.process())).count();
        return busy / Math.max(1, local);
    }

    private Set<String> workers(String component) {
        Set<String> workers = new HashSet<>();
        tasks(component).forEach(task -> workers.add(task.process()));
        return workers;
    }

    private List<TaskSpan> tasks(String component) {
        return facts.chains().stream()
                .filter(chain -> chain.head().equals(component))
                .flatMap(chain -> chain.tasks().stream())
                .toList();
    }

    private Map<String, Double> shares(String component, ToLongFunction<TaskSpan> count) {
        Map<String, Double> shares = new HashMap<>();
        List<TaskSpan> tasks = tasks(component);
        double all = Math.max(1, tasks.stream().mapToLong(count).sum());
        tasks.forEach(task -> shares.merge(task.process(), count.applyAsLong(task) / all, Double::sum));
        return shares;
    }
}
