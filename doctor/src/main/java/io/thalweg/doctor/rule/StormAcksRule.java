// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.StormBolt;
import io.thalweg.doctor.observation.StormTopology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What holds the acks of a topology of Storm back. */
final class StormAcksRule implements Rule {
    private static final String MAX_PENDING = "topology.max.spout.pending";
    private static final String TIMEOUT = "topology.message.timeout.secs";

    /** Of the tuples of spouts; less is what any network loses when a worker is moved. */
    private static final double MIN_FAILED = 0.01;

    /** Storm counts every twentieth tuple twenty times by default, so that fewer are chance. */
    private static final long MIN_TUPLES = 100;

    /** Of the timeout: if the mean is longer, a part of the tuples takes twice as long and times out. */
    private static final double TIMELY = 0.5;

    /** A bolt that acks less of what it executes loses tuples; windows ack later, but all. */
    private static final double MIN_ACKED = 0.9;

    /** By Little's law, the rate grows with the number of pending tuples until something else limits it; tried in steps. */
    private static final double MOST_FACTOR = 8;

    /** Storm's FAQ: twice what Little's law says. */
    private static final double FAQ_FACTOR = 2;

    /** Of its time: an acker that is less busy could do the work of several. */
    private static final double IDLE_ACKER = 0.05;

    private static final double UNACKED = 0.9;
    private static final double TIMEOUTS = 0.85;
    private static final double FAILED = 0.75;
    private static final double UNBOUNDED = 0.6;
    private static final double NEEDLESS = 0.1;

    @Override
    public List<Finding> findings(Facts facts) {
        StormTopology storm = facts.observation().storm();
        List<Finding> found = new ArrayList<>();
        if (storm != null) {
            StormFacts of = new StormFacts(facts, storm);
            failed(of, found);
            pending(of, found);
            ackers(of, found);
        }
        return found;
    }

    private static void failed(StormFacts facts, List<Finding> found) {
        long failed = facts.storm().failed();
        if (failed < MIN_TUPLES || failed < MIN_FAILED * facts.tracked()) {
            return;
        }
        long timedOut = Math.max(0, failed - facts.failedInBolts());
        if (timedOut < failed / 2) {
            StormBolt most = facts.storm().bolts().stream()
                    .max(Comparator.comparingLong(StormBolt::failed))
                    .orElseThrow(); // something failed in a bolt
            found.add(tuples(facts, "failed-tuples", timedOut)
                    .operator(most.bolt())
                    .figure("failed by '" + most.bolt() + "'", most.failed(), "")
                    .why("'" + most.bolt() + "' fails tuples, and a spout that is reliable sends each again")
                    .remedy("find out why it fails them: with OutputCollector.reportError it says so in "
                            + (facts.runsHere() ? "the log" : "Storm's UI")
                            + " and here; ack what no repetition can repair")
                    .made(FAILED, null, "nothing fails while what '" + most.bolt() + "' needs is there"));
            return;
        }
        StormBolt forgets = forgetful(facts);
        if (forgets != null && facts.completeMs() < TIMELY * timeoutMs(facts)) {
            found.add(tuples(facts, "unacked-tuples", timedOut)
                    .operator(forgets.bolt())
                    .figure("executed by '" + forgets.bolt() + "'", forgets.executed(), "")
                    .figure("of them acked or failed", forgets.acked() + forgets.failed(), "")
                    .why("'" + forgets.bolt() + "' does not ack all that it executes, so that these tuples time out")
                    .remedy(
                            "call collector.ack(tuple) on every way through execute, or extend BaseBasicBolt, which does it")
                    .made(UNACKED, null, "the bolt acks them later, when a window or a batch of it is complete"));
            return;
        }
        boolean someInTime = facts.storm().acked() >= MIN_TUPLES;
        long max = facts.facts().maxPending();
        boolean fewer = someInTime && (max == 0 || timely(facts) < max);
        found.add(tuples(facts, "timeouts", timedOut)
                .figure("complete latency, on average", facts.completeMs(), "ms")
                .figure("timeout", timeoutMs(facts) / 1_000, "s")
                .share("busy, the busiest executor of a bolt", facts.busiest())
                .why("tuples are not acked in time: each is sent again, and processed twice while the first one waits")
                .remedy(
                        fewer
                                ? (max == 0 ? "limit" : "lower")
                                        + " what a spout may have pending, so that tuples wait at their source; or make"
                                        + " what they wait for faster, or raise " + TIMEOUT
                                : someInTime
                                        ? "make what some tuples wait for faster, or raise " + TIMEOUT
                                                + "; a spout may have so few pending that most are acked in time"
                                        : "find out what tuples wait for, since hardly any is acked in time: a bolt whose execute"
                                                + " does not return, as its stacks show (jstack), or one that is slower"
                                                + " than the spouts send")
                .option(fewer ? MAX_PENDING + ": " + timely(facts) : null)
                .made(TIMEOUTS, null, "the complete latency stays far below the timeout"));
    }

    private static Findings tuples(StormFacts facts, String rule, long timedOut) {
        return Findings.of(rule)
                .figure("failed tuples of spouts", facts.storm().failed(), "")
                .figure("acked", facts.storm().acked(), "")
                .figure("of the failed ones timed out", timedOut, "");
    }

    /** The bolt that acks the least of what it executes; null if all ack. */
    private static @Nullable StormBolt forgetful(StormFacts facts) {
        StormBolt least = null;
        for (StormBolt bolt : facts.storm().bolts()) {
            boolean forgets =
                    bolt.executed() >= MIN_TUPLES && bolt.acked() + bolt.failed() < MIN_ACKED * bolt.executed();
            if (forgets && (least == null || share(bolt) < share(least))) {
                least = bolt;
            }
        }
        return least;
    }

    private static double share(StormBolt bolt) {
        return (double) (bolt.acked() + bolt.failed()) / bolt.executed();
    }

    private static double timeoutMs(StormFacts facts) {
        return facts.facts().setting(TIMEOUT) * 1_000.0;
    }

    /** So many pending tuples of a spout task that a tuple takes half of the timeout, at the rate that was observed. */
    private static long timely(StormFacts facts) {
        double rate = facts.storm().acked() / facts.seconds();
        double pending = rate
                * timeoutMs(facts)
                / 1_000
                * TIMELY
                / Math.max(1, facts.storm().spoutTasks());
        return Math.max(1, Math.round(pending));
    }

    private static void pending(StormFacts facts, List<Finding> found) {
        long max = facts.facts().maxPending();
        double timeoutMs = timeoutMs(facts);
        boolean troubled = found.stream().anyMatch(each -> !each.rule().equals("failed-tuples"));
        if (facts.storm().acked() < MIN_TUPLES || troubled) {
            return;
        }
        if (max == 0 && timeoutMs > 0 && facts.completeMs() > TIMELY * timeoutMs) {
            found.add(Findings.of("unbounded-pending")
                    .figure("complete latency, on average", facts.completeMs(), "ms")
                    .figure("timeout", timeoutMs / 1_000, "s")
                    .figure("tuples pending, by Little's law", facts.pending(), "")
                    .why(
                            "spouts send without waiting for acks, and what waits in the queues takes more than half of the"
                                    + " timeout already")
                    .remedy("limit what a spout may have pending")
                    .option(MAX_PENDING + ": " + timely(facts))
                    .made(UNBOUNDED, null, "the complete latency falls again without any change"));
        }
        boolean othersFull = StormShellRule.isAnyFull(facts);
        boolean ackersFull = facts.storm().busiestAcker() >= Facts.SATURATED;
        if (facts.arePendingFull()
                && facts.busiest() < Facts.SATURATED
                && !ackersFull
                && !othersFull
                && !facts.facts().areWorkersFull()) {
            double factor = Math.min(
                    Math.min(MOST_FACTOR, 1 / Math.max(0.01, facts.busiest())),
                    facts.facts().roomOnWorkers());
            found.addAll(Findings.of("max-pending")
                    .figure("tuples pending, by Little's law", facts.pending(), "")
                    .figure("of at most", facts.mostPending(), "")
                    .figure("complete latency, on average", facts.completeMs(), "ms")
                    .share("busy, the busiest executor of a bolt", facts.busiest())
                    .why("spouts wait for acks with as many tuples pending as are allowed, and no bolt is busy")
                    .remedy(
                            "allow more, in steps, until the rate does not grow any more; Storm's FAQ ends near twice the rate"
                                    + " times the latency")
                    .option(MAX_PENDING + ": " + (long) Math.ceil(max * factor * FAQ_FACTOR))
                    .throughput(factor, "complete latency grows by as much as the number of pending tuples"));
        }
    }

    private static void ackers(StormFacts facts, List<Finding> found) {
        StormTopology storm = facts.storm();
        if (storm.ackers() > 0 && storm.busiestAcker() >= Facts.SATURATED) {
            found.addAll(Findings.of("few-ackers")
                    .figure("ackers", storm.ackers(), "")
                    .share("busy, the busiest of them", storm.busiestAcker())
                    .figure("acked", storm.acked() / facts.seconds(), "/s")
                    .why("the ackers are busy all the time, and spouts and bolts wait for them")
                    .remedy("run more of them")
                    .option("topology.acker.executors: " + 2 * storm.ackers())
                    .throughput(
                            Math.min(2, 1 / Math.max(0.01, facts.busiest())),
                            "with twice as many ackers the topology is as fast, and all of them are busy"));
        }
        int workers = Math.max(1, storm.workers().size());
        if (storm.ackers() > workers
                && storm.silentExecutors() == 0
                && storm.busiestAcker() < IDLE_ACKER
                && facts.emitted() >= MIN_TUPLES) {
            boolean unused = isUntracked(facts);
            found.add(Findings.of("needless-ackers")
                    .figure("ackers", storm.ackers(), "")
                    .figure("workers", workers, "")
                    .share("busy, the busiest of them", storm.busiestAcker())
                    .why(
                            unused
                                    ? "no spout has emitted a tuple with a message id, so that ackers have nothing to do"
                                    : "there are more ackers than workers, and they have little to do; each has a thread and a"
                                            + " queue, and is waited for where tuples are flushed")
                    .remedy("leave it to Storm, which runs one in each worker"
                            + (unused
                                    ? ", or run none; a tuple with a message id then counts as acked at once, and is"
                                            + " not sent again if it fails or its worker dies"
                                    : ""))
                    .option("topology.acker.executors: " + (unused ? 0 : workers))
                    .made(
                            NEEDLESS,
                            new Gain(1, 1.05, Gain.THROUGHPUT),
                            "more tuples are to be tracked at other times"));
        }
    }

    /** Every spout has emitted, for longer than a tuple may be pending, and none was acked or failed. */
    private static boolean isUntracked(StormFacts facts) {
        return facts.tracked() == 0
                && facts.seconds() * 1_000 >= timeoutMs(facts)
                && facts.facts().chains().stream()
                        .filter(facts.facts()::startsWithSource)
                        .allMatch(spout -> spout.recordsIn() > 0);
    }
}
