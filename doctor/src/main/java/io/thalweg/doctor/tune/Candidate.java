// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.doctor.finding.Gain;
import org.jspecify.annotations.Nullable;

/**
 * A change that may pay.
 *
 * @param choice what is changed
 * @param was the value that the job which was observed has; null if it is not set, or is not known
 * @param from who proposes it: {@code doctor: unfused-edge}, {@code what-if}, {@code trial}
 * @param why in a few words
 * @param predicted the factor of what is to be improved; null if nobody predicts any
 */
public record Candidate(
        Choice choice,
        @Nullable String was,
        String from,
        String why,
        @Nullable Gain predicted) {}
