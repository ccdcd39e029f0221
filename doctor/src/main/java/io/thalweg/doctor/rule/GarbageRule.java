// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.ProcessSpan;
import java.util.Comparator;
import java.util.List;

/** Collections of garbage stop the tasks for more of the time than the collector itself aims at. */
final class GarbageRule implements Rule {
    /** G1's goal: GCTimeRatio=12, one part in thirteen. */
    private static final double MAX_GC = 1.0 / 13;

    /** A heap that is fuller than this after its collections leaves too little room between them. */
    private static final double FULL = 0.7;

    @Override
    public List<Finding> findings(Facts facts) {
        double share = facts.gcShare() * facts.share();
        if (share < MAX_GC) {
            return List.of();
        }
        OperatorProfile most = facts.observation().operators().stream()
                .filter(operator -> allocated(operator) > 0)
                .max(Comparator.comparingLong(GarbageRule::allocated))
                .orElse(null);
        ProcessSpan process = facts.newest().get(0);
        Long max = process.heapMaxBytes();
        long least = facts.steady().stream()
                .mapToLong(span -> span.processes().get(0).heapUsedBytes())
                .min()
                .orElse(0);
        boolean full = max != null && least > FULL * max;
        Findings finding = Findings.of("garbage").share("of the time in collections", share);
        if (most != null) {
            long all = facts.observation().operators().stream()
                    .mapToLong(GarbageRule::allocated)
                    .sum();
            finding.operator(most.operator())
                    .share("of what is allocated, by '" + most.operator() + "'", (double) allocated(most) / all);
        }
        finding.figure("heap in use", process.heapUsedBytes() / 1e6, "MB");
        if (max != null) {
            finding.figure("heap at most", max / 1e6, "MB");
        }
        return finding.why("collections stop all tasks")
                .remedy(
                        full
                                ? "give the job a larger heap, or keep less"
                                : (most == null ? "" : "make fewer objects in '" + most.operator() + "', ")
                                        + facts.advice().lessGarbage())
                .option(full && max != null ? facts.advice().largerHeap(max) : null)
                .throughput(1 / (1 - Math.min(0.9, share)), "the job is as fast with a heap of twice the size");
    }

    private static long allocated(OperatorProfile operator) {
        Long bytes = operator.allocatedBytes();
        return bytes == null ? 0 : bytes;
    }
}
