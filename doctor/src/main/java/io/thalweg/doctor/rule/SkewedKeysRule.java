// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.codec.StableHash;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.KeyShares;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One task of a keyed operator gets much more than its share of the records, and the job waits for it. If keys were looked at, it says
 * whether one of them is too hot for any number of tasks, or several merely fell to the same task.
 */
final class SkewedKeysRule implements Rule {
    /** With uniform keys and a thousand or more of them, the fullest task has a few per cent more than the mean. */
    private static final double MIN_SKEW = 1.5;

    /** What keys do not explain of a skew: shares are of samples, and the least that they may be. */
    private static final double EXPLAINED = 1.3;

    /** Of what equal tasks would gain: then more tasks take the keys apart. */
    private static final double MOSTLY = 0.8;

    /** Another number of tasks is looked for up to so many times as many. */
    private static final int MOST_TIMES = 4;

    /** Of the best gain: more tasks for the rest are not worth it. */
    private static final double ENOUGH = 0.95;

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
            Long stateKeys = busiest.stateKeys();
            Findings finding = Findings.of("skewed-keys")
                    .operator(operator)
                    .task(busiest.task())
                    .share("records of this task", (double) busiest.recordsIn() / Math.max(1, chain.recordsIn()))
                    .share("its fair share", 1.0 / chain.tasks().size())
                    .share("busy", chain.busy(busiest))
                    .share("least busy task of '" + operator + "'", chain.leastBusy());
            facts.addHeldBack(finding, chain);
            if (stateKeys != null && stateKeys > 0) {
                finding.figure("keys of this task", stateKeys, "");
            }
            double most = Math.min(even, Math.max(1, facts.roomOnWorkers()));
            found.addAll(judged(finding, facts, chain, explaining(facts, chain, skew), most));
        }
        return found;
    }

    /** The keys that were looked at, if what they say fits what the tasks got; null otherwise. */
    private static @Nullable KeyShares explaining(Facts facts, ChainFacts chain, double skew) {
        KeyShares keys = facts.keys(chain.head());
        int tasks = chain.tasks().size();
        return keys == null || keys.largestPart(tasks) * tasks * EXPLAINED < skew ? null : keys;
    }

    /** @param most what equal tasks would gain */
    private static List<Finding> judged(
            Findings finding, Facts facts, ChainFacts chain, @Nullable KeyShares keys, double most) {
        String operator = chain.head();
        if (keys == null) {
            return finding.why("a few keys of '" + operator
                            + "' have most of the records, and all of a key go to one task")
                    .remedy(facts.advice().skewedKeys())
                    .throughput(most, "records are spread evenly in a longer observation");
        }
        int index = chain.busiest().index();
        int now = chain.tasks().size();
        finding.share("records with the hottest key", keys.hottestShare())
                .figure(
                        "keys of this task with 1 % of the records or more",
                        keys.hottest().stream()
                                .filter(key -> KeyShares.taskOf(key, now) == index)
                                .count(),
                        "");
        int apart = apart(keys, now, most);
        double gain = Math.min(most, keys.largestPart(now) / keys.largestPart(apart));
        if (gain >= Facts.MIN_GAIN && gain >= MOSTLY * most) {
            return finding.why("keys of '" + operator
                            + "' that have most of the records fell to one task, and none of them is too much for one")
                    .remedy(facts.advice().moreTasks(operator, apart, null)
                            + ", which takes these keys apart, or choose another key")
                    .atMost(keys.largestPart(now) / keys.hottestShare())
                    .throughput(gain, "with " + apart + " tasks one of them still gets as much");
        }
        return finding.why(
                        "one key of '" + operator
                                + "' has so many of the records that no number of tasks divides them: all of a key go to one task")
                .remedy(facts.advice().skewedKeys())
                .throughput(most, "the key has fewer records in a longer observation");
    }

    /** The fewest tasks with which the fullest gets about as little as with any number; never less than the hottest key. */
    private static int apart(KeyShares keys, int tasks, double most) {
        double needed = keys.largestPart(tasks) / most;
        double least = 1;
        for (int number = tasks; number <= Math.min(StableHash.KEY_GROUPS, MOST_TIMES * tasks); number++) {
            least = Math.min(least, keys.largestPart(number));
        }
        int number = tasks;
        while (keys.largestPart(number) > Math.max(least, needed) / ENOUGH) {
            number++;
        }
        return number;
    }
}
