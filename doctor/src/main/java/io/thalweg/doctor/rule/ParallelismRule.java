// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import java.util.ArrayList;
import java.util.List;

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
                    || facts.operator(operator).kind().equals("sink")) {
                continue;
            }
            int implied = capacity.impliedParallelism(chain);
            found.addAll(Findings.of("parallelism")
                    .operator(operator)
                    .figure("tasks", tasks, "")
                    .share("least busy task", chain.leastBusy())
                    .figure("threads busy", facts.busyWorkers(), "of " + facts.workers())
                    .figure("records per busy second of a task", chain.recordsIn() * 1e9 / chain.busyNs(), "")
                    .figure("parallelism implied by the rates", implied, "")
                    .why("every task of '" + operator
                            + "' is busy all the time, others wait for them, and threads are idle")
                    .remedy(remedy(facts, chain, operator, implied))
                    .option(everywhere(facts, tasks) ? "--parallelism " + implied : null)
                    .throughput(
                            capacity.gain(chain, implied),
                            "with " + implied + " tasks the job is as fast as before, and each of them is busy"));
        }
        return found;
    }

    private static boolean everywhere(Facts facts, int tasks) {
        return facts.chains().stream().allMatch(chain -> chain.tasks().size() == tasks);
    }

    private static String remedy(Facts facts, ChainFacts chain, String operator, int implied) {
        String set = "give '" + operator + "' .parallelism(" + implied + ")";
        return facts.startsWithSource(chain) && !chain.head().equals(operator)
                ? set + " behind .shuffle(), or as many splits to the source"
                : set;
    }
}
