// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.FailedCheckpoints;
import java.util.List;

/** Checkpoints fail, so that a restart would repeat more and more. */
final class FailedCheckpointsRule implements Rule {
    /** One may fail with a process that is lost; two in a row, or among a few, have a cause that lasts. */
    private static final int MIN_FAILED = 2;

    private static final double SEVERITY = 0.9;

    @Override
    public List<Finding> findings(Facts facts) {
        FailedCheckpoints failed = facts.observation().failedCheckpoints();
        if (failed == null || failed.times() < MIN_FAILED || !failed.newest()) {
            return List.of();
        }
        String cause = failed.cause();
        return List.of(Findings.of("failed-checkpoints")
                .figure("of the newest checkpoints failed", failed.times(), "of " + failed.of())
                .why("checkpoints fail, and a restart would repeat everything since the last complete one"
                        + (cause == null ? "" : ": " + cause))
                .remedy(facts.advice().failedCheckpoints())
                .made(SEVERITY, null, "the next checkpoints are complete"));
    }
}
