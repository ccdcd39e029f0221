// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;

/** Tasks of a source have no split to read, and those that have one are busy all the time. */
final class FewSplitsRule implements Rule {
    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            List<TaskSpan> reading = chain.tasks().stream()
                    .filter(task -> facts.whole(task).recordsIn() > 0)
                    .toList();
            double busy = reading.stream().mapToDouble(chain::busy).min().orElse(0);
            if (!facts.startsWithSource(chain)
                    || reading.isEmpty()
                    || reading.size() == chain.tasks().size()
                    || busy < Facts.SATURATED
                    || facts.blockedNs(chain) > BlockingCallRule.MIN_BLOCKED * chain.busyNs()
                    || !facts.hasIdleWorker()) {
                continue;
            }
            String operator = facts.dominant(chain);
            double factor = Math.min((double) chain.tasks().size() / reading.size(), facts.roomOnWorkers());
            found.addAll(Findings.of("few-splits")
                    .operator(chain.head())
                    .figure("tasks", chain.tasks().size(), "")
                    .figure("tasks with input", reading.size(), "")
                    .share("busy, those with input", busy)
                    .why(
                            "'" + chain.head()
                                    + "' has fewer splits than tasks, and what is fused with it runs only where there is a split")
                    .remedy(facts.advice()
                            .fewSplits(chain.tasks().size(), operator.equals(chain.head()) ? null : operator))
                    .throughput(factor, "the other tasks get records later on"));
        }
        return found;
    }
}
