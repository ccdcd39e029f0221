// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.StormBolt;
import io.thalweg.doctor.observation.StormTopology;
import java.util.ArrayList;
import java.util.List;

/** Tuples of a topology of Storm wait for the programs of a bolt in another language. */
final class StormShellRule implements Rule {
    /** On average, of a task, with the one that its program works at: what waits before a server that is busy for 85 % of the time. */
    private static final double MIN_INSIDE = 6;

    /** Of the pending tuples, and of the time that they are pending; with so few of them that chance would decide, nearly all. */
    private static final double MOSTLY = 0.5;

    private static final int FEW = 4;

    /** Fewer are chance. */
    private static final long MIN_TUPLES = 100;

    /** Storm tells nothing of the program: whether it computes, waits, or turns tuples into JSON. */
    private static final double UNKNOWN = 0.5;

    @Override
    public List<Finding> findings(Facts facts) {
        StormTopology storm = facts.observation().storm();
        List<Finding> found = new ArrayList<>();
        if (storm != null) {
            StormFacts of = new StormFacts(facts, storm);
            storm.bolts().stream()
                    .filter(bolt -> waits(of, bolt) && !(of.runsHere() && isBusy(of, bolt)))
                    .forEach(bolt -> found.add(finding(of, bolt)));
        }
        return found;
    }

    /** Tuples wait for one of them. */
    static boolean isAnyFull(StormFacts facts) {
        return facts.storm().bolts().stream().anyMatch(bolt -> waits(facts, bolt));
    }

    private static boolean waits(StormFacts facts, StormBolt bolt) {
        return bolt.shell()
                && bolt.acked() >= MIN_TUPLES
                && (inside(facts, bolt) >= MIN_INSIDE || holdsWhatIsPending(facts, bolt));
    }

    /** Here an executor that has handed so much over to its program waits for it, so that its tasks are seen to be too few. */
    private static boolean isBusy(StormFacts facts, StormBolt bolt) {
        return facts.facts().chains().stream()
                .filter(chain -> chain.head().equals(bolt.bolt()))
                .anyMatch(chain -> chain.busy(chain.busiest()) >= Facts.SATURATED);
    }

    /**
     * As many tuples are pending as may be, and most are with its programs, for most of the time that they are pending. Of n tuples
     * among k programs that are alike, each program has one for n / (n + k - 1) of the time.
     */
    private static boolean holdsWhatIsPending(StormFacts facts, StormBolt bolt) {
        Double processMs = bolt.processMs();
        int programs = executors(facts, bolt);
        double inside = inside(facts, bolt) * programs;
        double most = facts.pending() < FEW ? Facts.SATURATED : MOSTLY;
        return processMs != null
                && facts.arePendingFull()
                && inside >= most * facts.pending()
                && processMs >= most * facts.completeMs()
                && inside >= Facts.SATURATED * (inside + programs - 1);
    }

    /** Tuples that an executor has at a time, by Little's law. */
    private static double inside(StormFacts facts, StormBolt bolt) {
        Double each = bolt.processMs();
        return each == null ? 0 : bolt.acked() / facts.seconds() * each / 1_000 / executors(facts, bolt);
    }

    private static int executors(StormFacts facts, StormBolt bolt) {
        return Math.max(
                1,
                facts.facts().chains().stream()
                        .filter(chain -> chain.head().equals(bolt.bolt()))
                        .mapToInt(chain -> chain.tasks().size())
                        .sum());
    }

    private static Finding finding(StormFacts facts, StormBolt bolt) {
        Double each = bolt.processMs();
        String name = bolt.bolt();
        return Findings.of("multilang")
                .operator(name)
                .figure("executors", executors(facts, bolt), "")
                .figure(
                        "acked by each of them in a second",
                        bolt.acked() / facts.seconds() / executors(facts, bolt),
                        "")
                .figure("process latency, on average", each == null ? 0 : each, "ms")
                .figure("tuples that each of them has at a time, by Little's law", inside(facts, bolt), "")
                .why("'" + name
                        + "' runs a program in another language, and tuples wait for it; Storm's capacity does not show"
                        + " that, because execute returns when a tuple is on its way to the program")
                .remedy("give '" + name
                        + "' more executors and tasks, each of which has a program of its own, if cores are free; "
                        + (facts.runsHere() ? "make its program of" : "run it with thalweg storm run and")
                        + " components of the package thalweg, which are sent frames of"
                        + " MessagePack or columns of Arrow instead of JSON; or write it in Java")
                .made(
                        UNKNOWN,
                        null,
                        "it acks later on purpose, as batches and windows do; or the rate stays with twice as many"
                                + " executors and cores that are free");
    }
}
