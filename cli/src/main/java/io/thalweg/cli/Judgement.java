// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.whatif.Changes;
import org.jspecify.annotations.Nullable;

/**
 * A diagnosis, also if what changes would bring cannot be computed.
 *
 * @param diagnosis without a what-if then
 * @param refused why there is none; null if there is one, or nobody asked
 */
record Judgement(Diagnosis diagnosis, @Nullable IllegalArgumentException refused) {
    /**
     * Judges an observation.
     *
     * @param changes null for none
     * @throws IllegalArgumentException if it cannot be judged at all
     */
    static Judgement of(Observation observation, @Nullable Changes changes) {
        if (changes != null) {
            try {
                return new Judgement(Doctor.diagnose(observation, changes), null);
            } catch (IllegalArgumentException e) {
                return new Judgement(Doctor.diagnose(observation), e);
            }
        }
        return new Judgement(Doctor.diagnose(observation), null);
    }

    /** @throws ConnectorException if there is no what-if, though somebody asked: to be called once all else is told */
    void sayWhatIsMissing() {
        if (refused != null) {
            throw new ConnectorException(Failures.oneLine(refused), refused);
        }
    }
}
