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

    /** All cores are full, so nothing is lost; but some of the input is read at half the pace of the rest, or less. */
    private static final double BEHIND = 0.5;

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
                    || busyOthers >= Facts.SATURATED
                    || !(ratio >= MIN_RATIO)) {
                continue;
            }
            String operator = facts.dominant(chain);
            double even = (double) slow.busyNs() * chain.tasks().size() / chain.busyNs();
            double factor = Math.min(even, Math.max(1, facts.roomOnWorkers()));
            Findings finding = Findings.of("slow-task")
                    .operator(operator)
                    .task(slow.task())
                    .share("busy", chain.busy(slow))
                    .share("busy, the others", busyOthers)
                    .figure("time for a record", costNs(facts.whole(slow)) / 1_000, "µs")
                    .figure("time for a record, the others", costNs(typical) / 1_000, "µs")
                    .why("the records of this task take longer than those of the others, which wait for it"
                            + (facts.startsWithSource(chain) ? " or have read their splits" : ""))
                    .remedy(facts.advice().expensiveRecords(operator, facts.startsWithSource(chain)));
            if (factor < Facts.MIN_GAIN) {
                found.addAll(fallsBehind(facts, chain, finding));
            } else if (busyOthers <= Facts.SATURATED / 2) {
                found.addAll(finding.throughput(factor, REFUTED_BY));
            }
        }
        return found;
    }

    private static final String REFUTED_BY = "the other tasks need as long for the same records";

    /** Where all cores are full, others get done what this task cannot: but a part of the input then falls behind the rest. */
    private static List<Finding> fallsBehind(Facts facts, ChainFacts chain, Findings finding) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts source : facts.chains()) {
            TaskSpan last = source.tasks().stream()
                    .filter(task -> task.recordsIn() > 0)
                    .min(Comparator.comparingLong(TaskSpan::recordsIn))
                    .orElse(null);
            if (source.equals(chain)
                    || !facts.startsWithSource(source)
                    || !facts.leads(source.head(), chain.head())
                    || last == null) {
                continue;
            }
            double others = (double) (source.recordsIn() - last.recordsIn())
                    / Math.max(1, source.tasks().size() - 1);
            if (others >= MIN_RATIO * last.recordsIn()) {
                found.add(finding.figure("records read by " + last.task(), last.recordsIn(), "")
                        .figure("by the other tasks of '" + source.head() + "', on average", Math.round(others), "")
                        .why(
                                "the records of this task take longer than those of the others, so that the input which leads"
                                        + " to it is read more slowly than the rest, and falls behind")
                        .made(BEHIND, null, REFUTED_BY));
                break;
            }
        }
        return found;
    }

    private static double costNs(TaskSpan task) {
        return (double) task.busyNs() / Math.max(1, task.recordsIn());
    }
}
