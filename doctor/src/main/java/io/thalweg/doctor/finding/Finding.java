// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.finding;

import io.thalweg.doctor.observation.JsonName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that holds a job back or endangers it, and what to do about it.
 *
 * @param rule name of the rule that found it
 * @param severity from 0 to 1: the share of the job's possible throughput that is lost, or what it is worth to know first;
 *     the worst finding has the highest
 * @param operator that it is about; null if it is about the whole job
 * @param task that it is about; null if it is about all of them
 * @param evidence what was measured
 * @param why that holds the job back, in a sentence
 * @param remedy what to change, in a sentence
 * @param option of the command line that does it; null if there is none
 * @param predictedGain what that would bring; null if it is not about more of anything
 * @param refutedBy what would show that the finding is wrong
 */
public record Finding(
        String rule,
        double severity,
        @Nullable String operator,
        @Nullable String task,
        List<Figure> evidence,
        String why,
        String remedy,
        @Nullable String option,
        @JsonName("predicted_gain") @Nullable Gain predictedGain,
        @JsonName("refuted_by") String refutedBy) {
    public Finding {
        evidence = List.copyOf(evidence);
    }
}
