// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;

/** One task of a keyed operator gets much more than its share of the records, and the job waits for it. */
final class SkewedKeysRule implements Rule {
    /** With uniform keys and a thousand or more of them, the fullest task has a few per cent more than the mean. */
    private static final double MIN_SKEW = 1.5;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            TaskSpan busiest = chain.busiest();
            double mean = (double) chain.recordsIn() / chain.tasks().size();
            double skew = mean == 0 ? 0 : busiest.recordsIn() / mean;
            boolean keyed =
                    facts.into(chain).stream().anyMatch(edge -> edge.grouping().startsWith("by key"));
            if (chain.tasks().size() < 2 || !keyed || skew < MIN_SKEW || chain.busy(busiest) < Facts.SATURATED / 2) {
                continue;
            }
            double even = (double) busiest.busyNs() * chain.tasks().size() / chain.busyNs();
            String operator = chain.head();
            Long keys = busiest.stateKeys();
            Findings finding = Findings.of("skewed-keys")
                    .operator(operator)
                    .task(busiest.task())
                    .share("records of this task", (double) busiest.recordsIn() / Math.max(1, chain.recordsIn()))
                    .share("its fair share", 1.0 / chain.tasks().size())
                    .share("busy", chain.busy(busiest))
                    .share("least busy task of '" + operator + "'", chain.leastBusy());
            facts.addHeldBack(finding, chain);
            if (keys != null && keys > 0) {
                finding.figure("keys of this task", keys, "");
            }
            found.addAll(finding.why("a few keys of '" + operator
                            + "' have most of the records, and all of a key go to one task")
                    .remedy(facts.advice().skewedKeys())
                    .throughput(
                            Math.min(even, Math.max(1, facts.roomOnWorkers())),
                            "records are spread evenly in a longer observation"));
        }
        return found;
    }
}
