// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.rule.BoundOf;
import io.thalweg.doctor.rule.Facts;
import io.thalweg.doctor.rule.Rules;

/** Judges observations. The same observation always leads to the same diagnosis. */
public final class Doctor {
    private Doctor() {}

    /**
     * What limits the job, and what is wrong with it.
     *
     * @throws IllegalArgumentException if the observation has no spans, or names an operator that its plan does not have
     */
    public static Diagnosis diagnose(Observation observation) {
        if (observation.spans().isEmpty()) {
            throw new IllegalArgumentException("nothing was observed: there are no spans");
        }
        Facts facts = new Facts(observation);
        return new Diagnosis(Observation.VERSION, BoundOf.of(facts), Rules.findings(facts), observation);
    }
}
