// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Restarts;
import java.util.List;

/** The job failed and was started again. */
final class RestartsRule implements Rule {
    private static final double SEVERITY = 0.95;

    @Override
    public List<Finding> findings(Facts facts) {
        Restarts restarts = facts.observation().restarts();
        if (restarts.times() == 0) {
            return List.of();
        }
        String cause = restarts.cause();
        return List.of(Findings.of("restarts")
                .operator(facts.operatorIn(cause))
                .figure("restarts", restarts.times(), "")
                .why(cause == null ? "the job failed, and why is unknown" : cause)
                .remedy(facts.advice().restarts())
                .made(SEVERITY, null, "the job runs on without another restart"));
    }
}
