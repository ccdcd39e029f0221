// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.Comparator;
import java.util.List;

/** Many records come after the watermark has passed them: results lack them. */
final class LateRecordsRule implements Rule {
    /** Of all records read; who needs fewer of them late, says so with a bound that was chosen for it. */
    private static final double MAX_LATE = 0.01;

    private static final double SEVERITY = 0.6;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Span> all = facts.observation().spans();
        long late = all.stream().mapToLong(Span::recordsLate).sum();
        long read = all.stream().mapToLong(Span::recordsIn).sum();
        if (read == 0 || late < MAX_LATE * read) {
            return List.of();
        }
        double share = (double) late / read;
        ChainFacts chain = facts.chains().stream()
                .filter(each -> late(facts, each) > 0)
                .max(Comparator.comparingLong(each -> late(facts, each)))
                .orElse(facts.chains().get(0));
        String times = facts.plan().operators().stream()
                .filter(operator -> operator.kind().equals("event-time"))
                .map(operator -> "'" + operator.name() + "'")
                .findFirst()
                .orElse("eventTime");
        return List.of(Findings.of("late-records")
                .operator(chain.head())
                .figure("late records", late, "")
                .share("of all records read", share)
                .why("records are further out of order than " + times + " allows, so windows have fired without them")
                .remedy(
                        "allow more disorder in eventTime(…), at the cost of later results, or keep windows open with .allowedLateness(…)")
                .made(
                        SEVERITY,
                        new Gain(1, Math.round(100 / (1 - Math.min(0.9, share))) / 100.0, "records in results"),
                        "as many are late with a bound of twice the size"));
    }

    private static long late(Facts facts, ChainFacts chain) {
        return chain.tasks().stream()
                .map(facts::whole)
                .mapToLong(TaskSpan::recordsLate)
                .sum();
    }
}
