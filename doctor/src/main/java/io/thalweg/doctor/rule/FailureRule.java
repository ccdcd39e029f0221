// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.JobState;
import io.thalweg.doctor.finding.Finding;
import java.util.List;

/** The job has failed: nothing else matters as much. */
final class FailureRule implements Rule {
    @Override
    public List<Finding> findings(Facts facts) {
        if (facts.observation().state() != JobState.FAILED) {
            return List.of();
        }
        String failure = facts.observation().failure();
        return List.of(Findings.of("failure")
                .operator(facts.operatorIn(failure))
                .figure("seconds until then", facts.endNs() / 1e9, "s")
                .why("the job failed: " + (failure == null ? "why is unknown" : failure))
                .remedy("repair the cause, and ask again: what else is said is of the time before")
                .made(1, null, "the job runs to its end the next time"));
    }
}
