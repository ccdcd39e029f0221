// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.JobState;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Windows take records and never fire, and a task of the source has had none: its watermark holds all others back. */
final class IdleSplitRule implements Rule {
    private static final Pattern SIZE = Pattern.compile("window (?:tumbling|sliding|session) (\\d+) ms.*");

    /** In so many times its own length, a window of a live source should have fired. */
    private static final double MIN_LENGTHS = 4;

    private static final double SEVERITY = 0.8;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        if (facts.observation().state() == JobState.FINISHED) {
            return found;
        }
        for (ChainFacts chain : facts.chains()) {
            for (String operator : chain.info().operators()) {
                Matcher size = SIZE.matcher(facts.operator(operator).description());
                if (size.matches()
                        && Long.parseLong(size.group(1)) * 1e6 * MIN_LENGTHS <= facts.lengthNs()
                        && neverFires(facts, chain)) {
                    found.addAll(findings(facts, chain, operator));
                }
            }
        }
        return found;
    }

    private static boolean neverFires(Facts facts, ChainFacts chain) {
        return chain.recordsIn() > 0
                && chain.tasks().stream()
                                .map(facts::whole)
                                .mapToLong(TaskSpan::recordsOut)
                                .sum()
                        == 0;
    }

    private static List<Finding> findings(Facts facts, ChainFacts windows, String window) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            List<String> silent = chain.tasks().stream()
                    .filter(task -> facts.whole(task).recordsIn() == 0)
                    .map(TaskSpan::task)
                    .toList();
            if (facts.startsWithSource(chain)
                    && !silent.isEmpty()
                    && silent.size() < chain.tasks().size()) {
                Long open = facts.steady().get(facts.steady().size() - 1).windowsOpen();
                found.add(Findings.of("idle-split")
                        .operator(times(facts, chain))
                        .task(silent.get(0))
                        .figure(
                                "tasks of the source without a record",
                                silent.size(),
                                "of " + chain.tasks().size())
                        .figure("records into '" + window + "'", windows.recordsIn(), "")
                        .figure("windows open", open == null ? 0 : open, "")
                        .figure("results of '" + window + "'", 0, "")
                        .why("no window fires before every split has had a record after its end, and this one has none")
                        .remedy(
                                "pass idleAfter to eventTime(time, disorder, idleAfter): a split without records then no longer counts")
                        .made(SEVERITY, null, "the split gets a record, and windows fire"));
            }
        }
        return found;
    }

    private static String times(Facts facts, ChainFacts chain) {
        return chain.info().operators().stream()
                .filter(operator -> facts.operator(operator).kind().equals("event-time"))
                .findFirst()
                .orElse(chain.head());
    }
}
