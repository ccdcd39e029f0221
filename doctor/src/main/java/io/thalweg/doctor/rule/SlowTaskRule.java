// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One task needs much longer for a record than the others of its operator, which are done or wait. */
final class SlowTaskRule implements Rule {
    /** Tasks on the same machine differ by less than a half for the same work. */
    private static final double MIN_RATIO = 2;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            if (chain.tasks().size() < 2) {
                continue;
            }
            TaskSpan slow = chain.busiest();
            List<TaskSpan> others =
                    chain.tasks().stream().filter(task -> !task.equals(slow)).toList();
            TaskSpan typical = others.stream()
                    .map(facts::whole)
                    .sorted(Comparator.comparingDouble(SlowTaskRule::costNs))
                    .toList()
                    .get(others.size() / 2);
            double busyOthers =
                    others.stream().mapToDouble(chain::busy).average().orElse(0);
            double ratio = costNs(facts.whole(slow)) / costNs(typical);
            if (typical.recordsIn() == 0
                    || chain.busy(slow) < Facts.SATURATED
                    || busyOthers > Facts.SATURATED / 2
                    || !(ratio >= MIN_RATIO)) {
                continue;
            }
            String operator = facts.dominant(chain);
            double even = (double) slow.busyNs() * chain.tasks().size() / chain.busyNs();
            found.addAll(Findings.of("slow-task")
                    .operator(operator)
                    .task(slow.task())
                    .share("busy", chain.busy(slow))
                    .share("busy, the others", busyOthers)
                    .figure("time for a record", costNs(facts.whole(slow)) / 1_000, "µs")
                    .figure("time for a record, the others", costNs(typical) / 1_000, "µs")
                    .why("the records of this task take longer than those of the others, which wait for it"
                            + (facts.startsWithSource(chain) ? " or have read their splits" : ""))
                    .remedy(facts.advice().expensiveRecords(operator, facts.startsWithSource(chain)))
                    .throughput(
                            Math.min(even, Math.max(1, facts.roomOnWorkers())),
                            "the other tasks need as long for the same records"));
        }
        return found;
    }

    private static double costNs(TaskSpan task) {
        return (double) task.busyNs() / Math.max(1, task.recordsIn());
    }
}
