// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.BlockedCall;
import io.thalweg.doctor.observation.OperatorProfile;
import java.util.ArrayList;
import java.util.List;

/** A sink waits for what it writes to, or computes all the time while threads are idle, and the job waits for it. */
final class SlowSinkRule implements Rule {
    /** Of the busy time of its chain, in the sink. */
    private static final double MIN_SHARE = 0.5;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            for (String operator : chain.info().operators()) {
                if (facts.operator(operator).kind().equals("sink")
                        && KafkaSendsRule.of(facts, chain, operator).isEmpty()) { // that says why, too
                    found.addAll(findings(facts, chain, operator));
                }
            }
        }
        return found;
    }

    private static List<Finding> findings(Facts facts, ChainFacts chain, String sink) {
        double share = facts.usefulNs(chain, sink) / Math.max(1, chain.busyNs());
        double blocked = Math.min(1, facts.blockedNs(sink) / Math.max(1, chain.busyNs()));
        boolean waits = blocked >= BlockingCallRule.MIN_BLOCKED;
        if (share < MIN_SHARE
                || chain.busy(chain.busiest()) < Facts.SATURATED
                || (!waits && !(facts.hasIdleWorker() && chain.leastBusy() >= Facts.SATURATED))) {
            return List.of();
        }
        Capacity capacity = new Capacity(facts);
        int tasks = capacity.impliedParallelism(chain);
        double factor = waits ? BlockingCallRule.factor(facts, chain) : capacity.gain(chain, tasks);
        int wanted = waits ? (int) Math.ceil(factor * chain.tasks().size()) : tasks;
        Findings finding = Findings.of("slow-sink")
                .operator(sink)
                .share("of the time of its tasks in the sink", share)
                .share("busy", chain.busy(chain.busiest()));
        OperatorProfile profile = facts.profile(sink);
        if (profile != null) {
            finding.share("of it waiting", blocked);
        }
        facts.addHeldBack(finding, chain);
        if (waits && facts.waitsBriefly(sink)) {
            BlockingCallRule.addBrief(finding, facts, sink);
        } else if (waits && profile != null && !profile.blocked().isEmpty()) {
            BlockedCall worst = profile.blocked().get(0);
            finding.figure("calls of " + worst.call(), worst.times(), "")
                    .figure("of each", (double) worst.totalNs() / worst.times() / 1e6, "ms");
        }
        return finding.why("the job is as fast as '" + sink + "' writes")
                .remedy(
                        waits || facts.chainsAreOperators()
                                ? facts.advice().batchWrites(sink, wanted)
                                : facts.advice().moreTasks(sink, wanted, null))
                .throughput(factor, "with a sink that discards everything the job is as slow");
    }
}
