// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;

/** Tasks of a source wait for their input although there is more of it than they can read: asking for it takes the time. */
final class SlowSourceRule implements Rule {
    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            if (!facts.waitsBesideBacklog(chain)
                    || !KafkaFetchesRule.of(facts, chain).isEmpty()) {
                continue; // the other rule says why, too
            }
            List<TaskSpan> reading = Facts.reading(chain);
            int splits = 2 * reading.size();
            double waiting = reading.stream().mapToLong(TaskSpan::waitingNs).sum();
            Findings finding = Findings.of("slow-source")
                    .operator(chain.head())
                    .figure("tasks with input", reading.size(), "")
                    .share("of their time without a record", waiting / reading.size() / facts.lengthNs())
                    .figure("unread on average", Math.round(facts.unread(chain)), "");
            if (facts.knowsCores()) {
                finding.figure("cores used", facts.usedCores(), "of " + facts.cores())
                        .share("of the machine's cores busy, with others", facts.machineLoad());
            }
            found.addAll(
                    finding.why("'" + chain.head() + "' waits for records that are there: each of its tasks asks for"
                                    + " some, and they take their time to come")
                            .remedy("divide what it reads into " + splits
                                    + " splits, such as partitions of a topic, and give it .parallelism(" + splits
                                    + "); or have it ask for more at a time")
                            .throughput(
                                    Math.min(2, facts.roomOnCores()),
                                    "with " + splits + " splits it is as fast: then where it reads from has no more to"
                                            + " give, or shares these cores"));
        }
        return found;
    }
}
