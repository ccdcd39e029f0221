// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.Lateness;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Many records come after the watermark has passed them: results lack them. */
final class LateRecordsRule implements Rule {
    /** Of all records read; who needs fewer of them late, says so with a bound that was chosen for it. */
    private static final double MAX_LATE = 0.01;

    /** Of those that were late, with the bound that admits 99 % of them: twice as many as then should be. */
    private static final double MAX_LEFT = 2 * (1 - Lateness.MOST);

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
        String head = facts.chains().stream()
                .filter(each -> late(facts, each) > 0)
                .max(Comparator.comparingLong(each -> late(facts, each)))
                .map(ChainFacts::head)
                .orElse(null); // only the whole job tells
        String times = facts.plan().operators().stream()
                .filter(operator -> operator.kind().equals("event-time"))
                .map(operator -> "'" + operator.name() + "'")
                .findFirst()
                .orElse("eventTime");
        Lateness most = lateness(facts);
        Findings finding = Findings.of("late-records")
                .operator(most == null ? head : most.operator())
                .figure("late records", late, "")
                .share("of all records read", share)
                .why("records are further out of order than " + times + " allows, so windows have fired without them");
        String refutedBy = "as many are late with a bound of twice the size";
        if (most == null) {
            finding.remedy(
                    "allow more disorder in eventTime(…), at the cost of later results, or keep windows open with .allowedLateness(…)");
        } else {
            String more = duration(most.p99Ms());
            finding.figure("half of them late by at most", most.p50Ms(), "ms")
                    .figure("99 % of them by at most", most.p99Ms(), "ms")
                    .figure("all of them by at most", most.maxMs(), "ms")
                    .remedy("allow " + more
                            + " more disorder in eventTime(…), which admits 99 % of them, at the cost of results"
                            + " that come as much later; or keep windows open for as much with .allowedLateness(…)");
            refutedBy = "with " + more + " more, more than " + Math.round(100 * MAX_LEFT)
                    + " % of as many records are still late";
        }
        return List.of(finding.made(
                SEVERITY,
                new Gain(1, Math.round(100 / (1 - Math.min(0.9, share))) / 100.0, "records in results"),
                refutedBy));
    }

    /** Of the operator that has most of them; null if nobody tells how late they were. */
    private static @Nullable Lateness lateness(Facts facts) {
        List<Lateness> all = facts.observation().lateness();
        return all == null
                ? null
                : all.stream().filter(each -> each.p99Ms() > 0).findFirst().orElse(null);
    }

    private static String duration(long ms) {
        return ms < 10_000 ? ms + " ms" : -Math.floorDiv(-ms, 1_000L) + " s";
    }

    private static long late(Facts facts, ChainFacts chain) {
        return chain.tasks().stream()
                .map(facts::whole)
                .mapToLong(TaskSpan::recordsLate)
                .sum();
    }
}
