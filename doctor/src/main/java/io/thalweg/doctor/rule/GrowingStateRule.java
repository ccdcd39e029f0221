// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.JobState;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.ProcessSpan;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;

/** State that nothing removes grows as fast as at first, and will fill the heap. */
final class GrowingStateRule implements Rule {
    /** Windows remove what they keep when they fire. */
    private static final List<String> CLEARED = List.of("window", "join");

    /** An hour: sooner than anybody looks again. */
    private static final double SOON_NS = 3_600e9;

    /** Growth in the last third against the first: less is a set of keys that is almost complete. */
    private static final double STEADY = 0.5;

    /** The share of the heap that state may take by default; see --state-limit. */
    private static final double LIMIT = 0.8;

    private static final double SEVERITY = 0.55;
    private static final int FEWEST_SPANS = 6;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        if (facts.observation().state() == JobState.FINISHED || facts.steady().size() < FEWEST_SPANS) {
            return found;
        }
        for (ChainFacts chain : facts.chains()) {
            chain.info().operators().stream()
                    .filter(operator -> facts.operator(operator).stateful()
                            && (CLEARED.stream()
                                            .noneMatch(facts.operator(operator).description()::contains)
                                    || IdleSplitRule.holdsBack(facts, operator) != null))
                    .findFirst()
                    .ifPresent(operator -> found.addAll(findings(facts, chain, operator)));
        }
        return found;
    }

    private static List<Finding> findings(Facts facts, ChainFacts chain, String operator) {
        List<Span> spans = facts.steady();
        int third = spans.size() / 3;
        long begin = bytes(spans.get(0), chain);
        long end = bytes(spans.get(spans.size() - 1), chain);
        double early = rate(spans, chain, 0, third);
        double late = rate(spans, chain, spans.size() - 1 - third, spans.size() - 1);
        ProcessSpan process = facts.knowsCores() ? facts.newest().get(0) : null;
        Long heap = process == null ? null : process.heapMaxBytes();
        if (heap == null || late <= 0 || late < STEADY * early || end < 1.2 * begin) {
            return List.of();
        }
        double leftNs = Math.max(0, LIMIT * heap - end) / late;
        if (leftNs > SOON_NS) {
            return List.of();
        }
        boolean held = IdleSplitRule.holdsBack(facts, operator) != null;
        return List.of(Findings.of("growing-state")
                .operator(operator)
                .figure("state", end / 1e6, "MB")
                .figure("at first", begin / 1e6, "MB")
                .figure("growth", late * 1e9 / 1e6, "MB/s")
                .figure("until the heap is full", leftNs / 60e9, "min")
                .why("'" + operator
                        + (held
                                ? "' keeps what comes for windows that do not fire"
                                : "' keeps something for each new key, and nothing removes it"))
                .remedy(
                        held
                                ? "let windows fire: what holds them back is a finding of its own"
                                : "give the state a TimeToLive, clear it by a timer, or use a window")
                .made(SEVERITY, null, "the number of keys stops growing"));
    }

    private static double rate(List<Span> spans, ChainFacts chain, int from, int to) {
        double tookNs = spans.get(to).toNs() - spans.get(from).toNs();
        return (bytes(spans.get(to), chain) - bytes(spans.get(from), chain)) / tookNs;
    }

    private static long bytes(Span span, ChainFacts chain) {
        long bytes = 0;
        for (TaskSpan task : span.tasks()) {
            Long state = task.stateBytes();
            if (task.operators().equals(chain.info().operators()) && state != null) {
                bytes += state;
            }
        }
        return bytes;
    }
}
