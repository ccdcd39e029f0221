// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import io.thalweg.doctor.finding.Bound;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.LatencyBudget;
import io.thalweg.doctor.finding.WhatIf;
import io.thalweg.doctor.observation.Observation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about a job, and from what.
 *
 * @param version of this format: {@link Observation#VERSION}
 * @param bound what limits the job
 * @param findings the worst first; none if nothing is to be changed
 * @param observation that was judged
 * @param whatIf what other settings would bring; null if nobody asked
 * @param latency what the latency of records consists of; null on other engines than the embedded one, or if none was measured
 */
public record Diagnosis(
        int version,
        Bound bound,
        List<Finding> findings,
        Observation observation,
        @Nullable WhatIf whatIf,
        @Nullable LatencyBudget latency) {
    public Diagnosis {
        findings = List.copyOf(findings);
    }
}
