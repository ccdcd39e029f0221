// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.TaskSpan;
import io.thalweg.doctor.whatif.Link;
import io.thalweg.doctor.whatif.Network;
import io.thalweg.doctor.whatif.Station;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a network of queues of what was observed. */
public final class NetworkOf {
    private static final double NS = 1e9;
    private static final double US = 1e6;

    private final Facts facts;
    private final double records;

    private NetworkOf(Facts facts) {
        this.facts = facts;
        records = facts.recordsIn();
    }

    /** Records of sources per second. */
    public static double rate(Facts facts) {
        return facts.recordsIn() * NS / facts.lengthNs();
    }

    /** @throws IllegalArgumentException if no record was read */
    public static Network of(Facts facts) {
        if (facts.recordsIn() == 0) {
            throw new IllegalArgumentException(
                    "no record was read while the job was observed, so nothing can be predicted");
        }
        if (!facts.knowsCores()) {
            throw new IllegalArgumentException(
                    "the engine tells nothing of its processes and their cores, so nothing can be predicted");
        }
        return new NetworkOf(facts).network();
    }

    private Network network() {
        Map<String, Double> handOver = new HashMap<>();
        List<Station> stations = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            stations.add(station(chain, handOver));
        }
        AckStats acks = facts.observation().acks();
        double pendingSeconds =
                acks == null || !facts.arePendingFull() ? 0 : facts.pending() / Math.max(1, rate(facts));
        return new Network(
                stations,
                links(handOver),
                Math.max(1, facts.workers()),
                facts.cores(),
                others(stations),
                isPaced() ? rate(facts) : Double.POSITIVE_INFINITY,
                facts.maxPending() * facts.sourceTasks(),
                pendingSeconds,
                facts.queueBatches() > 0 ? (int) facts.queueBatches() : Network.QUEUE_BATCHES,
                facts.batchRecords() > 0 ? (int) facts.batchRecords() : Network.BATCH_RECORDS);
    }

    /** Of cores that other processes keep busy; what the job itself has done was left to it. Null if unknown. */
    private @Nullable Double others(List<Station> stations) {
        Double busy = facts.othersCores();
        double computingNs = stations.stream()
                .flatMap(station -> station.steps().stream())
                .mapToDouble(Station.Step::computingNs)
                .sum();
        double computing = computingNs * records / facts.lengthNs();
        return busy == null ? null : Double.valueOf(Math.max(0, Math.min(busy, facts.cores() - computing)));
    }

    /** Nothing of the job itself holds it back. */
    private boolean isPaced() {
        return !facts.areWorkersFull()
                && !facts.isAnySaturated()
                && !facts.waitsForHandOver()
                && !facts.arePendingFull()
                && facts.chains().stream().noneMatch(facts::waitsBesideBacklog);
    }

    private Station station(ChainFacts chain, Map<String, Double> handOver) {
        boolean known = chain.info().operators().size() == 1
                || chain.info().operators().stream().anyMatch(each -> facts.profile(each) != null);
        double onCore = facts.haveOwnThreads() ? onCore() : besideOthers();
        List<Station.Step> steps = new ArrayList<>();
        for (String operator : chain.info().operators()) {
            double useful = known ? facts.usefulNs(chain, operator) : 0;
            double passing = useful <= 0 ? 0 : passingNs(chain, operator, useful);
            handOver.put(operator, passing / records);
            double own = known ? useful - passing : operator.equals(chain.head()) ? chain.busyNs() : 0;
            double blocked = Math.min(facts.blockedNs(operator), own);
            double fetching = operator.equals(chain.head()) ? fetchingNs(chain) : 0;
            steps.add(new Station.Step(
                    operator, own / records, ((own - blocked) * onCore + fetching) / records, facts.keys(operator)));
        }
        double mean = (double) chain.busyNs() / chain.tasks().size();
        double imbalance = mean <= 0 ? 1 : Math.max(1, chain.busiest().busyNs() / mean);
        return new Station(
                steps,
                chain.tasks().size(),
                imbalance,
                chain.sharesThreads(),
                facts.startsWithSource(chain),
                chain.recordsIn() / records,
                facts.waitsBesideBacklog(chain)
                        ? (double) facts.lengthNs() * Facts.reading(chain).size() / records
                        : 0,
                known);
    }

    /** Of cores, in threads that are no tasks: where a source asks for its input, they are most of what is used beside tasks. */
    private double fetchingNs(ChainFacts chain) {
        if (!facts.waitsBesideBacklog(chain)) {
            return 0;
        }
        double busy =
                facts.chains().stream().mapToDouble(ChainFacts::busyThreads).sum();
        return Math.max(0, facts.usedCores() - busy) * facts.lengthNs();
    }

    /** Of busy time: tasks with threads of their own are busy also while they stand still or wait for a core. */
    private double onCore() {
        double busy =
                facts.chains().stream().mapToDouble(ChainFacts::busyThreads).sum();
        return busy <= 0 ? 1 : Math.min(1, facts.usedCores() / busy);
    }

    /** Of busy time: where others keep all cores busy, tasks wait for one in the middle of a record. */
    private double besideOthers() {
        Double others = facts.othersCores();
        return others == null || others == 0 ? 1 : facts.share();
    }

    /** In which an operator handed records over or took them, over the steady part. */
    private double passingNs(ChainFacts chain, String operator, double usefulNs) {
        OperatorProfile profile = facts.profile(operator);
        if (profile == null || profile.samples() + profile.handOverSamples() == 0) {
            return 0;
        }
        double blocked = Math.min(facts.blockedNs(operator), (double) chain.busyNs());
        return (usefulNs - blocked) * profile.handOverSamples() / (profile.samples() + profile.handOverSamples());
    }

    /** What an operator spends on handing over is divided among the queues that it writes or reads. */
    private List<Link> links(Map<String, Double> handOver) {
        List<Link> links = new ArrayList<>();
        Map<String, Integer> ends = new HashMap<>();
        for (PlanInfo.Edge edge : facts.plan().edges()) {
            if (isCrossing(edge)) {
                ends.merge(edge.from(), 1, Integer::sum);
                ends.merge(edge.to(), 1, Integer::sum);
            }
        }
        for (PlanInfo.Edge edge : facts.plan().edges()) {
            if (isCrossing(edge)) {
                links.add(new Link(
                        edge.from(),
                        edge.to(),
                        recordsAlong(edge) / records,
                        handOver.getOrDefault(edge.from(), 0.0) / ends.getOrDefault(edge.from(), 1),
                        handOver.getOrDefault(edge.to(), 0.0) / ends.getOrDefault(edge.to(), 1),
                        UnfusedEdgeRule.needless(facts, edge)));
            }
        }
        return links;
    }

    private boolean isCrossing(PlanInfo.Edge edge) {
        return !edge.fused()
                && !edge.feedback()
                && facts.chains().stream()
                        .anyMatch(each -> each.info().operators().contains(edge.from()))
                && facts.chains().stream()
                        .anyMatch(each -> each.info().operators().contains(edge.to()));
    }

    private double recordsAlong(PlanInfo.Edge edge) {
        long into = facts.plan().edges().stream()
                .filter(each -> !each.fused() && each.to().equals(edge.to()))
                .count();
        double came = facts.chains().stream()
                .filter(each -> each.head().equals(edge.to()))
                .flatMap(each -> each.tasks().stream())
                .mapToLong(TaskSpan::recordsIn)
                .sum();
        return into == 0 ? came : came / into;
    }

    /** Of half of the records; null if it was not observed. */
    public static @Nullable Double latencyUs(Facts facts) {
        var latency = facts.observation().latency();
        return latency.samples() == 0 || latency.p50Us() > MOST_LATENCY_US ? null : Double.valueOf(latency.p50Us());
    }

    /** Records of another year, by their own times, say nothing about the job. */
    static final double MOST_LATENCY_US = 86_400 * US;
}
