// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.StormTopology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What tuples of a topology of Storm cost on their way from one executor to another. */
final class StormTransferRule implements Rule {
    private static final String PRODUCER_BATCH = "topology.producer.batch.size";
    private static final String TRANSFER_BATCH = "topology.transfer.batch.size";
    private static final String FLUSH = "topology.batch.flush.interval.millis";

    /** Tuples per second from worker to worker: serializing and sending one takes some 10 µs, so that fewer take less than 1 % of a core. */
    private static final double MIN_CROSSING = 1_000;

    /** Tuples per second into queues: one by one, each takes about a microsecond, so that fewer take less than 10 % of a core. */
    private static final double MIN_BATCHED = 100_000;

    /** Storm's page on performance names 10, 100 and 1000 to try. */
    private static final int BATCH = 100;

    /** Nobody who looks at results sees less. */
    private static final double LONG_WAIT_MS = 100;

    /** Tuples per second: fewer are read in a log by a person. */
    private static final double MIN_LOGGED = 100;

    private static final double DEBUG = 0.5;
    private static final double SERIALIZED = 0.45;
    private static final double LARGE_BATCH = 0.4;
    private static final double WORKERS = 0.35;
    private static final double REMOTE = 0.32;
    private static final double JAVA = 0.3;
    private static final double SMALL_BATCH = 0.25;

    @Override
    public List<Finding> findings(Facts facts) {
        StormTopology storm = facts.observation().storm();
        List<Finding> found = new ArrayList<>();
        if (storm != null) {
            StormFacts of = new StormFacts(facts, storm);
            debug(of, found);
            serialization(of, found);
            workers(of, found);
            shuffles(of, found);
            batches(of, found);
        }
        return found;
    }

    private static void debug(StormFacts facts, List<Finding> found) {
        if (facts.is("topology.debug") && facts.handedOver() >= MIN_LOGGED) {
            found.add(Findings.of("debug")
                    .figure("tuples from component to component", facts.handedOver(), "/s")
                    .why("every tuple that is emitted or executed is written to the log")
                    .remedy("switch it off"
                            + (facts.runsHere() ? "" : "; for single components Storm's UI logs a sample of them"))
                    .option("topology.debug: false")
                    .made(DEBUG, null, "the topology is as fast without it"));
        }
    }

    private static void serialization(StormFacts facts, List<Finding> found) {
        if (facts.is("topology.testing.always.try.serialize") && facts.handedOver() >= MIN_CROSSING) {
            found.add(Findings.of("always-serialized")
                    .figure("tuples from component to component", facts.handedOver(), "/s")
                    .why("every tuple is serialized, also those that stay in their worker")
                    .remedy("leave this setting to tests")
                    .option("topology.testing.always.try.serialize: false")
                    .made(SERIALIZED, null, "the topology is as fast without it"));
        }
        if (facts.is("topology.fall.back.on.java.serialization") && facts.crossing() >= MIN_CROSSING) {
            found.add(Findings.of("java-serialization")
                    .figure("tuples from worker to worker", facts.crossing(), "/s")
                    .why(
                            "values of classes that are not registered with Kryo are serialized by Java's serialization, which"
                                    + " is many times slower and larger, and what a worker reads may be of any class")
                    .remedy(
                            "register the classes of your tuples (topology.kryo.register, Config.registerSerialization), and"
                                    + " switch it off: a class that is missing then fails by its name")
                    .option("topology.fall.back.on.java.serialization: false")
                    .made(JAVA, null, "tuples hold nothing but texts, numbers, lists and maps, which Kryo knows"));
        }
    }

    private static void workers(StormFacts facts, List<Finding> found) {
        Map<String, Long> crowded = facts.crowdedHosts();
        if (crowded.isEmpty() || facts.crossing() < MIN_CROSSING) {
            return;
        }
        long hosts = facts.storm().workers().stream()
                .map(each -> each.host())
                .distinct()
                .count();
        found.add(Findings.of("several-workers")
                .figure("workers", facts.storm().workers().size(), "")
                .figure("machines", hosts, "")
                .figure("tuples from worker to worker, at least", facts.crossing(), "/s")
                .why("several workers of the topology run on one machine ("
                        + crowded.entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .limit(3)
                                .map(each -> each.getValue() + " on " + each.getKey())
                                .collect(Collectors.joining(", "))
                        + "), and what goes from one to another is serialized and sent through a socket")
                .remedy(
                        "run one worker of a topology on each machine, as Storm's FAQ says, with the heap of those that it"
                                + " replaces")
                .option("topology.workers: " + hosts)
                .made(
                        WORKERS,
                        null,
                        "with one worker on each machine its collections of garbage take longer than that saves"));
    }

    private static void shuffles(StormFacts facts, List<Finding> found) {
        facts.facts().plan().edges().stream()
                .filter(edge -> edge.grouping().equals("shuffle")
                        && facts.couldStay(edge)
                        && facts.crossing(edge) >= MIN_CROSSING
                        && facts.busyIfLocal(edge) < Facts.SATURATED)
                .max(Comparator.comparingDouble(facts::crossing))
                .ifPresent(edge -> found.add(remote(facts, edge)));
    }

    private static Finding remote(StormFacts facts, PlanInfo.Edge edge) {
        boolean unaware = facts.is("topology.disable.loadaware.messaging");
        return Findings.of("remote-shuffle")
                .operator(edge.to())
                .figure("tuples from worker to worker", facts.crossing(edge), "/s")
                .figure("of all along this edge", facts.rate(edge), "/s")
                .share("busy with the executors of the same workers alone", facts.busyIfLocal(edge))
                .why("the shuffle from '" + edge.from() + "' to '" + edge.to()
                        + "' sends tuples to other workers, though each"
                        + " worker that sends has an executor that could take them"
                        + (unaware ? "; with load-aware messaging it would prefer them" : ""))
                .remedy("use localOrShuffleGrouping" + (unaware ? ", or switch load-aware messaging on" : ""))
                .option(unaware ? "topology.disable.loadaware.messaging: false" : null)
                .made(REMOTE, null, "local executors get much more to do than those of other workers");
    }

    private static void batches(StormFacts facts, List<Finding> found) {
        long producer = facts.facts().setting(PRODUCER_BATCH);
        if (producer == 1 && facts.handedOver() - facts.crossing() >= MIN_BATCHED) {
            found.add(small(facts, PRODUCER_BATCH, facts.handedOver() - facts.crossing(), "queue of an executor"));
        }
        if (facts.facts().setting(TRANSFER_BATCH) == 1 && facts.crossing() >= MIN_BATCHED) {
            found.add(small(facts, TRANSFER_BATCH, facts.crossing(), "queue of what leaves its worker"));
        }
        if (producer > 1 && !facts.runsHere()) { // here a batch goes when its sender waits
            large(facts, producer, found);
        }
    }

    private static Finding small(StormFacts facts, String option, double rate, String queue) {
        return Findings.of("small-batches")
                .figure("tuples", rate, "/s")
                .figure("batch", 1, "")
                .share("busy, the busiest executor of a bolt", facts.busiest())
                .why("every tuple is put by itself into the " + queue + ", which synchronizes threads each time")
                .remedy(
                        "put several at a time there, if some milliseconds matter less than the rate: try 10, 100 and 1000")
                .option(option + ": " + BATCH)
                .made(SMALL_BATCH, null, "the rate is the same with larger batches");
    }

    /** Each executor that sends has a batch for each one that receives. */
    private static void large(StormFacts facts, long batch, List<Finding> found) {
        long flushMs = facts.facts().setting(FLUSH);
        for (PlanInfo.Edge edge : facts.facts().plan().edges()) {
            double pairs = (double) edge.tasksFrom() * edge.tasksTo();
            double fillMs = facts.rate(edge) <= 0 ? 0 : batch / (facts.rate(edge) / pairs) * 1_000;
            double waitMs = flushMs == 0 ? fillMs : Math.min(fillMs, (double) flushMs);
            if (waitMs >= LONG_WAIT_MS) {
                found.add(Findings.of("large-batches")
                        .operator(edge.to())
                        .figure("tuples to each executor from each other", facts.rate(edge) / pairs, "/s")
                        .figure("batch", batch, "")
                        .figure("until it is full or flushed", waitMs, "ms")
                        .why("tuples from '" + edge.from() + "' to '" + edge.to() + "' wait until a batch is full"
                                + (flushMs == 0 ? ", and nothing flushes it before" : ""))
                        .remedy("take smaller batches, or flush them more often")
                        .option(flushMs == 0 ? FLUSH + ": 1" : PRODUCER_BATCH + ": 1")
                        .made(LARGE_BATCH, null, "nobody waits for the results"));
                return;
            }
        }
    }
}
