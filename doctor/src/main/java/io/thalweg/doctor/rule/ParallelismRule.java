// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.KeyShares;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operator has too few tasks: all of them are busy all the time, and threads are idle. */
final class ParallelismRule implements Rule {
    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        Capacity capacity = new Capacity(facts);
        for (ChainFacts chain : facts.chains()) {
            String operator = facts.dominant(chain);
            int tasks = chain.tasks().size();
            if (!facts.hasIdleWorker()
                    || chain.leastBusy() < Facts.SATURATED
                    || facts.blockedNs(chain) > BlockingCallRule.MIN_BLOCKED * chain.busyNs()
                    || facts.operator(operator).kind().equals("sink")
                    || FlinkFacts.of(facts).filter(of -> of.mostlyWrites(chain)).isPresent()) {
                continue;
            }
            int implied = capacity.impliedParallelism(chain);
            Findings finding = Findings.of("parallelism")
                    .operator(operator)
                    .figure("tasks", tasks, "")
                    .share("least busy task", chain.leastBusy());
            facts.addSpare(finding);
            facts.addHeldBack(finding, chain);
            KeyShares keys = facts.keys(chain, operator);
            if (keys != null && keys.hottestShare() > 1.0 / implied) {
                finding.share("records with the hottest key", keys.hottestShare());
            }
            found.addAll(
                    finding.figure("records per busy second of a task", chain.recordsIn() * 1e9 / chain.busyNs(), "")
                            .figure("parallelism implied by the rates", implied, "")
                            .why("every task of '" + operator + "' is busy all the time, and others wait for them"
                                    + (facts.knowsCores() ? ", and threads are idle" : ""))
                            .remedy(facts.advice().moreTasks(operator, implied, sourceBefore(facts, chain, operator)))
                            .option(everywhere(facts, tasks) ? facts.advice().parallelism(implied) : null)
                            .atMost(capacity.mostGain(chain))
                            .throughput(
                                    capacity.gain(chain, implied),
                                    "with " + implied + " tasks the job is as fast as before, and each of them is busy"
                                            + (facts.knowsCores() ? "" : "; or no core is free")));
        }
        return found;
    }

    private static boolean everywhere(Facts facts, int tasks) {
        return facts.chains().stream().allMatch(chain -> chain.tasks().size() == tasks);
    }

    private static @Nullable String sourceBefore(Facts facts, ChainFacts chain, String operator) {
        return facts.startsWithSource(chain) && (!chain.head().equals(operator) || facts.chainsAreOperators())
                ? chain.head()
                : null;
    }
}
