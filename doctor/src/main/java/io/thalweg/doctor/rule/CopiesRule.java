// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.HotSpot;
import io.thalweg.doctor.observation.OperatorProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A source uses its objects again, so that each record is copied where it goes to another task or is kept, and what the job waits for
 * spends much of its time with that.
 */
final class CopiesRule implements Rule {
    /**
     * Of the time of what the job waits for. If the least of it is saved, the job is faster by as much as two runs of the same job
     * differ by ({@link Facts#MIN_GAIN}).
     */
    private static final double MIN_SHARE = 0.2;

    /**
     * Of the time in copies, where the source gives a new object for each record: to make that is a part of a copy. An estimate; where
     * copies went by way of bytes, a job that does little else was five times as fast with copies field by field (docs/performance.md,
     * Copies), so more than half of a copy is not the object.
     */
    private static final double LEAST_SAVED = 0.5;

    /** All of it: the records cannot change, and are handed over as they are. */
    private static final double MOST_SAVED = 1;

    /** No factor is computed of a greater share. */
    private static final double LARGEST_SHARE = 0.9;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            List<String> operators = chain.info().operators();
            long copies = operators.stream()
                    .mapToLong(each -> copySamples(facts, each))
                    .sum();
            boolean limits = chain.busy(chain.busiest()) >= Facts.SATURATED;
            if (copies == 0 || !(limits || facts.areWorkersFull())) {
                continue;
            }
            // with all cores busy everybody gains what one saves; otherwise only what the others wait for counts
            long all = facts.areWorkersFull()
                    ? facts.allSamples()
                    : operators.stream().mapToLong(each -> samples(facts, each)).sum();
            double share = (double) copies / Math.max(1, all);
            if (Facts.leastShare(copies, all) >= MIN_SHARE) {
                found.addAll(finding(facts, chain, share, all));
            }
        }
        return found;
    }

    private static List<Finding> finding(Facts facts, ChainFacts chain, double share, long all) {
        List<String> operators = chain.info().operators();
        String operator = operators.stream()
                .max(Comparator.comparingLong(each -> copySamples(facts, each)))
                .orElseThrow();
        long own = operators.stream().mapToLong(each -> ownSamples(facts, each)).sum();
        String source = source(facts, operator).map(name -> "'" + name + "'").orElse("the source");
        double counted = Math.min(LARGEST_SHARE, share);
        return Findings.of("record-copies")
                .operator(operator)
                .share(
                        facts.areWorkersFull() ? "of all samples in copying records" : "of its time in copying records",
                        share)
                .share("in users' code of the same tasks", (double) own / Math.max(1, all))
                .figure("records", chain.recordsIn() * 1e9 / chain.lengthNs(), "/s")
                .why(source
                        + " uses the objects of its records again, so each record is copied where it goes to another task"
                        + " or is kept")
                .remedy(
                        "read into a record class whose components cannot change, which is handed over as it is; or let "
                                + source
                                + " make an object for each record (reusesRecords() false); or give the type a codec with"
                                + " a cheaper copy(…)")
                .throughput(
                        1 / (1 - counted * LEAST_SAVED),
                        1 / (1 - counted * MOST_SAVED),
                        "the job is as fast with records that cannot change");
    }

    private static Optional<String> source(Facts facts, String operator) {
        return facts.plan().operators().stream()
                .filter(each -> each.kind().equals("source"))
                .map(PlanInfo.Operator::name)
                .filter(name -> facts.leads(name, operator))
                .findFirst();
    }

    private static long copySamples(Facts facts, String operator) {
        OperatorProfile profile = facts.profile(operator);
        Long copies = profile == null ? null : profile.copySamples();
        return copies == null ? 0 : copies;
    }

    private static long samples(Facts facts, String operator) {
        OperatorProfile profile = facts.profile(operator);
        return profile == null ? 0 : profile.samples() + profile.handOverSamples();
    }

    private static long ownSamples(Facts facts, String operator) {
        OperatorProfile profile = facts.profile(operator);
        return profile == null
                ? 0
                : profile.hot().stream()
                        .filter(spot -> !spot.method().isEmpty())
                        .mapToLong(HotSpot::samples)
                        .sum();
    }
}
