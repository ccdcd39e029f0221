// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import io.thalweg.doctor.finding.Bound;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Observation;
import java.util.List;

/**
 * What was found out about a job, and from what.
 *
 * @param version of this format: {@link Observation#VERSION}
 * @param bound what limits the job
 * @param findings the worst first; none if nothing is to be changed
 * @param observation that was judged
 */
public record Diagnosis(int version, Bound bound, List<Finding> findings, Observation observation) {
    public Diagnosis {
        findings = List.copyOf(findings);
    }
}
