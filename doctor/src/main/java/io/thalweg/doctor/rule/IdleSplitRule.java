// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.JobState;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.TaskSpan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A split without records holds windows back: its event time stands still while those of others move on. Where the engine does not
 * tell of splits: windows take records and never fire, and a task of the source has had none.
 */
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
                long size = sizeMs(facts, operator);
                ChainFacts source = size == 0 ? null : holdsBack(facts, operator);
                HeldTime held = source == null ? null : HeldTime.of(facts, source);
                if (source != null && held != null) {
                    addOnce(found, finding(facts, source, held, operator));
                } else if (size > 0
                        && size * 1e6 * MIN_LENGTHS <= facts.lengthNs()
                        && neverFires(facts, chain, operator)) {
                    findings(facts, chain, operator).forEach(finding -> addOnce(found, finding));
                }
            }
        }
        return found;
    }

    /** A split that holds several windows back is one thing to change. */
    private static void addOnce(List<Finding> found, Finding finding) {
        if (found.stream()
                .noneMatch(other -> Objects.equals(other.operator(), finding.operator())
                        && Objects.equals(other.task(), finding.task()))) {
            found.add(finding);
        }
    }

    /** The length of a window; 0 if the operator is none. */
    private static long sizeMs(Facts facts, String operator) {
        Matcher size = SIZE.matcher(facts.operator(operator).description());
        return size.matches() ? Long.parseLong(size.group(1)) : 0;
    }

    /**
     * A source before this window of which a split stood still, while others came so far that the window should have fired several
     * times; null if there is none.
     */
    static @Nullable ChainFacts holdsBack(Facts facts, String window) {
        long size = sizeMs(facts, window);
        for (ChainFacts source : facts.chains()) {
            if (size > 0 && facts.startsWithSource(source) && facts.leads(source.head(), window)) {
                HeldTime held = HeldTime.of(facts, source);
                if (held != null && held.movedMs() >= MIN_LENGTHS * size) {
                    return source;
                }
            }
        }
        return null;
    }

    private static Finding finding(Facts facts, ChainFacts source, HeldTime held, String window) {
        Long reached = held.last().watermarkMs();
        return Findings.of("idle-split")
                .operator(held.last().operator())
                .task(held.task())
                .figure("it stood still for, at least", held.forNs() / 1e9, "s")
                .figure("event time of the others moved on by", held.movedMs() / 1e3, "s")
                .figure("length of '" + window + "'", sizeMs(facts, window) / 1e3, "s")
                .figure("windows open", open(facts), "")
                .why("windows fire no further than the split that is least far, and '"
                        + held.last().split() + "' of '" + source.head() + "' has had "
                        + (reached == null ? "no record" : "none later than " + Instant.ofEpochMilli(reached)))
                .remedy(remedy())
                .made(SEVERITY, null, "the split gets a record, and windows fire");
    }

    private static String remedy() {
        return "pass idleAfter to eventTime(time, disorder, idleAfter): a split without records then no longer counts; those"
                + " that it gets later may be late for windows that have fired meanwhile";
    }

    private static long open(Facts facts) {
        Long open = facts.steady().get(facts.steady().size() - 1).windowsOpen();
        return open == null ? 0 : open;
    }

    /** What a window puts out is known only where nothing but sinks is behind it in its chain: an operator may drop it. */
    private static boolean neverFires(Facts facts, ChainFacts chain, String window) {
        List<String> operators = chain.info().operators();
        boolean known = operators.stream()
                .skip(operators.indexOf(window) + 1L)
                .allMatch(behind -> facts.operator(behind).kind().equals("sink"));
        return known
                && chain.recordsIn() > 0
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
                    && facts.leads(chain.head(), window)
                    && !tellsSplits(facts, chain)
                    && !silent.isEmpty()
                    && silent.size() < chain.tasks().size()) {
                found.add(Findings.of("idle-split")
                        .operator(times(facts, chain))
                        .task(silent.get(0))
                        .figure(
                                "tasks of the source without a record",
                                silent.size(),
                                "of " + chain.tasks().size())
                        .figure("records into '" + window + "'", windows.recordsIn(), "")
                        .figure("windows open", open(facts), "")
                        .figure("results of '" + window + "'", 0, "")
                        .why("no window fires before every split has had a record after its end, and this one has none")
                        .remedy(remedy())
                        .made(SEVERITY, null, "the split gets a record, and windows fire"));
            }
        }
        return found;
    }

    private static boolean tellsSplits(Facts facts, ChainFacts source) {
        return facts.steady().stream()
                .flatMap(span -> span.tasks().stream())
                .anyMatch(task -> task.operators().equals(source.info().operators()) && task.splitTimes() != null);
    }

    private static String times(Facts facts, ChainFacts chain) {
        return chain.info().operators().stream()
                .filter(operator -> facts.operator(operator).kind().equals("event-time"))
                .findFirst()
                .orElse(chain.head());
    }
}
