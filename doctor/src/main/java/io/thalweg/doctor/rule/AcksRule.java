// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.AckStats;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.OperatorProfile;
import java.util.Comparator;
import java.util.List;

/** Tracking which records are done takes more of the cores than the job's own work leaves room for. */
final class AcksRule implements Rule {
    /** Of all samples, as for parsing: less is not worth another guarantee. */
    private static final double MIN_SHARE = 0.25;

    /**
     * For each sample in tracking, a tenth of a one elsewhere: records that are kept until they are done leave the caches. Measured on
     * the blind job Clicks, 72 % of whose samples are in tracking: 5.0 times as fast without acks, in three pairs of runs.
     */
    private static final double KEPT = 1.1;

    private static final double MOST = 0.9;

    @Override
    public List<Finding> findings(Facts facts) {
        AckStats acks = facts.observation().acks();
        double share = (double) facts.ackSamples() / Math.max(1, facts.allSamples());
        if (acks == null || share < MIN_SHARE || !(facts.areWorkersFull() || facts.waitsForHandOver())) {
            return List.of();
        }
        OperatorProfile most = facts.observation().operators().stream()
                .max(Comparator.comparingLong(AcksRule::acks))
                .orElseThrow();
        return Findings.of("acks")
                .operator(most.operator())
                .share("of all samples in tracking which records are done", share)
                .figure("records acked", acks.acked(), "")
                .figure("records pending, on average", facts.pending(), "")
                .why(
                        "each record is kept and tracked until all that is derived from it is done, which costs more than what is done with it")
                .remedy(
                        "take --guarantee at-least-once --checkpoint-dir DIR, which tracks none, if the source can be read again; or put several records into one")
                .throughput(1 / (1 - Math.min(MOST, share * KEPT)), "the job is as fast without a guarantee");
    }

    private static long acks(OperatorProfile operator) {
        Long acks = operator.ackSamples();
        return acks == null ? 0 : acks;
    }
}
