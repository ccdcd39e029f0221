// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.AckStats;
import io.thalweg.doctor.finding.Finding;
import java.util.List;

/** An acked job may have so few records in flight that its threads are idle. */
final class MaxPendingRule implements Rule {
    /** By Little's law, throughput grows with the number of pending records until something else limits it; tried in steps. */
    private static final double MOST_FACTOR = 8;

    @Override
    public List<Finding> findings(Facts facts) {
        AckStats acks = facts.observation().acks();
        if (acks == null || !facts.arePendingFull() || !facts.hasIdleWorker() || facts.isAnySaturated()) {
            return List.of();
        }
        long max = facts.maxPending();
        double factor = Math.min(MOST_FACTOR, facts.roomOnWorkers());
        long wanted = (long) Math.ceil(max * factor * 2);
        return Findings.of("max-pending")
                .figure("records pending, on average", facts.pending(), "")
                .figure("of at most", max * facts.sourceTasks(), "")
                .figure("complete latency, half of the records", acks.complete().p50Us() / 1_000, "ms")
                .figure("threads busy", facts.busyWorkers(), "of " + facts.workers())
                .why("sources wait for acks with as many records pending as are allowed, and threads are idle")
                .remedy("allow more pending records; a failure then repeats more of them")
                .option("--max-pending " + wanted)
                .throughput(factor, "complete latency grows by as much as the number of pending records");
    }
}
