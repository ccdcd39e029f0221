// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Bound;
import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.observation.BlockedCall;
import io.thalweg.doctor.observation.FlinkDetails;
import io.thalweg.doctor.observation.HotSpot;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.StormTopology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds out what limits a job, whether anything is wrong with it or not. */
public final class BoundOf {
    /** Of the busy time in calls: then they limit the job, and not what it computes. */
    private static final double MOSTLY_BLOCKED = 0.4;

    /** Of the cores that a job could use; below it, somebody else has the rest. */
    private static final double STARVED = 0.75;

    private BoundOf() {}

    public static Bound of(Facts facts) {
        ChainFacts slowest = null;
        double blocked = 0;
        for (ChainFacts chain : facts.chains()) {
            blocked += facts.blockedNs(chain) / facts.lengthNs();
            if (slowest == null || chain.busy(chain.busiest()) > slowest.busy(slowest.busiest())) {
                slowest = chain;
            }
        }
        double busy =
                facts.chains().stream().mapToDouble(ChainFacts::busyThreads).sum();
        List<Figure> evidence = evidence(facts, busy, blocked);
        FlinkDetails flink = facts.observation().flink();
        if (flink != null && flink.waitingForSlots() != null) {
            return new Bound(
                    "failure", null, "the slots of its cluster: its tasks wait for some, and none runs", evidence);
        }
        if (facts.didNothing()) {
            return new Bound("failure", null, "its failures: no task ran for long enough to be measured", evidence);
        }
        StormTopology storm = facts.observation().storm();
        if (storm != null && storm.status().equals("INACTIVE")) {
            return new Bound("source", null, "its spouts: the topology is deactivated", evidence);
        }
        int threads = facts.threads();
        boolean full = facts.areWorkersFull();
        if (facts.waitsForHandOver()) {
            return new Bound(
                    "hand-over",
                    null,
                    "hand-over: sources are held back, and tasks wait for each other's records; threads are busy for "
                            + percent(busy / threads) + " of the time" + crowd(facts, busy - blocked),
                    evidence);
        }
        if (facts.arePendingFull() && !full && !facts.isAnySaturated()) {
            return new Bound(
                    "acks",
                    null,
                    "acks: sources have sent as many records as may be pending, and wait; threads are busy for "
                            + percent(busy / threads) + " of the time",
                    evidence);
        }
        if (slowest == null || (!full && slowest.busy(slowest.busiest()) < Facts.SATURATED)) {
            for (ChainFacts chain : facts.chains()) {
                if (facts.waitsBesideBacklog(chain)) {
                    return new Bound(
                            "source",
                            chain.head(),
                            "what '" + chain.head() + "' reads from: more is there, and comes no faster; threads are"
                                    + " busy for " + percent(busy / threads) + " of the time",
                            evidence);
                }
            }
            return new Bound(
                    "source",
                    null,
                    storm == null
                            ? (facts.observation().spans().stream().allMatch(span -> span.recordsIn() == 0)
                                            ? "the source: no record has come from it"
                                            : "the source: tasks wait for records")
                                    + ", and threads are busy for " + percent(busy / threads) + " of the time"
                            : "its spouts, or what they read: bolts wait for tuples, and are busy for "
                                    + percent(busy / threads) + " of the time",
                    evidence);
        }
        if (blocked >= MOSTLY_BLOCKED * busy) {
            return calls(facts, busy, evidence);
        }
        int cores = Math.min(threads, facts.cores());
        boolean shared = storm != null && !facts.haveOwnThreads();
        String where = full
                ? (shared ? "the threads that executors share" : cores == 1 ? "one core" : cores + " cores")
                : busyTasks(slowest);
        if (!facts.knowsOperators()) {
            return new Bound(
                    full ? "cores" : "operator",
                    null,
                    where + (full ? "; " + busiestChain(facts) : "") + crowd(facts, busy - blocked),
                    evidence);
        }
        String operator = full ? busiest(facts) : facts.dominant(slowest);
        return new Bound(
                full ? "cores" : "operator",
                operator,
                where + "; " + percent(share(facts, operator, full ? null : slowest)) + " in " + inside(facts, operator)
                        + crowd(facts, busy - blocked) + unseen(facts),
                evidence);
    }

    /** Flink has stacks only where they were switched on. */
    private static String unseen(Facts facts) {
        FlinkDetails flink = facts.observation().flink();
        return flink != null && Boolean.FALSE.equals(flink.flameGraphs())
                ? "; whether that is copying or serializing records, as with Kryo, or reaching state cannot be seen, for"
                        + " rest.flamegraph.enabled is off"
                : "";
    }

    private static List<Figure> evidence(Facts facts, double busy, double blocked) {
        List<Figure> evidence = new ArrayList<>(List.of(new Figure("threads busy", round(busy), "")));
        if (!facts.chainsAreOperators() && facts.knowsOperators()) {
            evidence.add(new Figure("of them standing still in calls", round(blocked), ""));
        }
        if (facts.knowsCores()) {
            evidence.add(new Figure("cores used", round(facts.usedCores()), "of " + facts.cores()));
        }
        evidence.add(new Figure("records in", Math.round(facts.recordsIn() * 1e9 / facts.lengthNs()), "/s"));
        return evidence;
    }

    /** Those that are busy all the time: the others wait for them. */
    private static String busyTasks(ChainFacts chain) {
        long tasks = chain.tasks().stream()
                .filter(task -> chain.busy(task) >= Facts.SATURATED)
                .count();
        return tasks == 1 ? "one task of '" + chain.head() + "'" : tasks + " tasks of '" + chain.head() + "'";
    }

    /** The chain whose tasks are busy for most of the time, where nobody sampled within them. */
    private static String busiestChain(Facts facts) {
        ChainFacts busiest = facts.chains().get(0);
        double all = 0;
        for (ChainFacts chain : facts.chains()) {
            all += chain.busyNs();
            busiest = chain.busyNs() > busiest.busyNs() ? chain : busiest;
        }
        return percent(all == 0 ? 0 : busiest.busyNs() / all) + " in the tasks of '"
                + String.join(" + ", busiest.info().operators()) + "'";
    }

    /** The operator that takes most useful time of all. */
    private static String busiest(Facts facts) {
        String busiest = "";
        double most = -1;
        for (ChainFacts chain : facts.chains()) {
            for (String operator : chain.info().operators()) {
                double useful = facts.usefulNs(chain, operator);
                if (useful > most) {
                    most = useful;
                    busiest = operator;
                }
            }
        }
        return busiest;
    }

    /** @param of the chain whose time it is a share of; null for all */
    private static double share(Facts facts, String operator, @Nullable ChainFacts of) {
        double useful = 0;
        double all = 0;
        for (ChainFacts chain : facts.chains()) {
            if (of == null || chain.equals(of)) {
                all += chain.busyNs();
                useful += chain.info().operators().contains(operator) ? facts.usefulNs(chain, operator) : 0;
            }
        }
        return all == 0 ? 0 : useful / all;
    }

    private static Bound calls(Facts facts, double busy, List<Figure> evidence) {
        OperatorProfile most = null;
        for (OperatorProfile profile : facts.observation().operators()) {
            most = most == null || facts.blockedNs(profile.operator()) > facts.blockedNs(most.operator())
                    ? profile
                    : most;
        }
        if (most == null || (most.blocked().isEmpty() && !facts.waitsBriefly(most.operator()))) {
            throw new IllegalStateException("an operator stands still, and none has a call");
        }
        double share = facts.blockedNs(most.operator()) / facts.lengthNs() / busy;
        if (facts.waitsBriefly(most.operator())) {
            return new Bound(
                    "calls",
                    most.operator(),
                    "calls; " + percent(Math.min(1, share)) + " of the busy time '" + most.operator()
                            + "' waits, in calls of less than a millisecond mostly",
                    evidence);
        }
        BlockedCall call = most.blocked().get(0);
        return new Bound(
                "calls",
                most.operator(),
                "calls; " + percent(Math.min(1, share)) + " of the busy time '" + most.operator() + "' waits in "
                        + call.call() + (call.line().isEmpty() ? "" : " (" + call.line() + ")"),
                evidence);
    }

    /** {@code your 'parse' (Prices.java:17), of that 61 % in BigDecimal.<init>}. */
    private static String inside(Facts facts, String operator) {
        String kind = facts.operator(operator).kind();
        OperatorProfile profile = facts.sampled(operator);
        String name = (kind.equals("source") || kind.equals("sink") ? "the " + kind + " '" : "your '") + operator + "'";
        if (profile == null || profile.hot().isEmpty() || profile.samples() == 0) {
            return name;
        }
        HotSpot hottest = profile.hot().get(0);
        Map<String, Long> calls = new HashMap<>();
        profile.hot().forEach(spot -> calls.merge(spot.call(), spot.samples(), Long::sum));
        String call = calls.entrySet().stream()
                .filter(each -> !each.getKey().isEmpty())
                .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse("");
        double share = (double) calls.getOrDefault(call, 0L) / profile.samples();
        String line = hottest.line().isEmpty() ? "" : " (" + hottest.line() + ")";
        if (!call.isEmpty() && share >= NOTABLE) {
            return name + line + ", of that " + percent(share) + " in " + call;
        }
        double own = (double) hottest.samples() / profile.samples();
        return name
                + (hottest.method().isEmpty() ? "" : ", of that " + percent(own) + " in " + hottest.method() + line);
    }

    /** Of the samples of an operator: a call that takes less is not what the operator is about. */
    private static final double NOTABLE = 0.25;

    private static String crowd(Facts facts, double computing) {
        double could = Math.min(computing, facts.cores());
        if (facts.share() >= STARVED) {
            return "";
        }
        String others = "; other processes keep the machine busy";
        return facts.observation().storm() == null
                ? others + ", and this one got " + round(facts.usedCores()) + " of " + round(could)
                        + " cores that it could use"
                : others; // whether its executors compute or wait is not known
    }

    static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
