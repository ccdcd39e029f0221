// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.FlinkSamples;
import java.util.ArrayList;
import java.util.List;

/**
 * Two vertices of Flink that could be one: each task of the first sends to one task of the second, and others wait for one of them.
 * As one they do without serializing records and without buffers, but share a thread: that pays where the cores are full, or where
 * handing over takes longer than what one of them does otherwise.
 */
final class FlinkChainingRule implements Rule {
    /**
     * To hand over a record, on both sides together, where no stacks show it. On two cores Flink has 29 million small records a second
     * distributed and 75 million fused (docs/performance.md), so that one takes 40 ns of a core more.
     */
    private static final double LEAST_NS = 40;

    /** The same for records of nested objects, which take some ten times as long to serialize: an estimate. */
    private static final double MOST_NS = 400;

    /** Of the time of both: what that job lost, in which there is little else to do. */
    private static final double MOST_SAVED = 0.6;

    private static final double NS = 1e9;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        FlinkFacts.of(facts).ifPresent(of -> {
            for (PlanInfo.Edge edge : facts.plan().edges()) {
                ChainFacts from = of.chain(edge.from());
                ChainFacts to = of.chain(edge.to());
                if (from != null && to != null && couldChain(of, edge) && (of.limits(from) || of.limits(to))) {
                    found.addAll(finding(of, edge, from, to));
                }
            }
        });
        return found;
    }

    /** An operator with several inputs is never chained to what is before it. */
    private static boolean couldChain(FlinkFacts facts, PlanInfo.Edge edge) {
        return edge.grouping().equals("forward")
                && edge.tasksFrom() == edge.tasksTo()
                && facts.into(edge.to()).size() == 1;
    }

    private static List<Finding> finding(FlinkFacts facts, PlanInfo.Edge edge, ChainFacts from, ChainFacts to) {
        double rate = to.recordsIn() * NS / to.lengthNs();
        double ofTask = rate / Math.max(1, to.tasks().size());
        Findings finding = Findings.of("broken-chaining")
                .operator(edge.to())
                .figure("records from '" + edge.from() + "'", rate, "/s")
                .share("busy, '" + edge.from() + "'", FlinkFacts.busy(from))
                .share("busy, '" + edge.to() + "'", FlinkFacts.busy(to));
        FlinkSamples sending =
                facts.outOf(edge.from()).size() == 1 ? facts.samples(edge.from()) : null; // otherwise, to others too
        FlinkSamples receiving = facts.samples(edge.to());
        double least;
        double most;
        if (sending != null && receiving != null) {
            double sends = FlinkFacts.ofTime((double) sending.sending() / sending.all(), from);
            double receives = FlinkFacts.ofTime((double) receiving.receiving() / receiving.all(), to);
            finding.share("of the time of the first in sending", sends)
                    .share("of the time of the second in receiving", receives);
            least = gain(facts, from, to, sends + receives);
            most = least;
        } else {
            finding.figure("for handing over a record, at least", LEAST_NS, "ns");
            least = gain(facts, from, to, ofTask * LEAST_NS / NS);
            most = gain(facts, from, to, ofTask * MOST_NS / NS);
        }
        return finding.why("each task of '" + edge.from() + "' sends to one task of '" + edge.to()
                        + "', and every record is serialized and goes through a buffer, because Flink was told not to chain the two,"
                        + " or could not")
                .remedy("chain them: without disableChaining(), startNewChain() or a slot sharing group of its own at '"
                        + edge.to()
                        + "' and what follows the beginning of '" + edge.from()
                        + "', and with pipeline.operator-chaining.enabled, which is the default")
                .throughput(least, most, "chained, the job is as fast");
    }

    /** @param saved of the time of two tasks, one of each, together */
    private static double gain(FlinkFacts facts, ChainFacts from, ChainFacts to, double saved) {
        double busy = FlinkFacts.busy(from) + FlinkFacts.busy(to);
        double both = Math.min(saved, MOST_SAVED * busy);
        int tasks = to.tasks().size();
        double all = 0;
        double slowest = 0;
        double others = 0;
        for (ChainFacts each : facts.facts().chains()) {
            all += each.busyThreads();
            slowest = Math.max(slowest, FlinkFacts.busy(each));
            others = each.equals(from) || each.equals(to) ? others : Math.max(others, FlinkFacts.busy(each));
        }
        boolean enoughThreads = facts.facts().threads() - tasks >= facts.facts().cores();
        return facts.facts().areWorkersFull() && enoughThreads
                ? FlinkFacts.gain(all, all - both * tasks)
                : FlinkFacts.gain(slowest, Math.max(busy - both, others));
    }
}
