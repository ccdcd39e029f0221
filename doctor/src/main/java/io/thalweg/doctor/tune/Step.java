// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.doctor.finding.Gain;
import org.jspecify.annotations.Nullable;

/**
 * A change that was tried.
 *
 * @param number from 1
 * @param choice what was changed
 * @param from who proposed it
 * @param why it was to help
 * @param predicted factor; null if nobody predicted any
 * @param measured null if no pair of runs was complete
 * @param prediction {@code held}, {@code too high} or {@code too low}; null if there was none, or nothing to compare it with
 * @param outcome what became of it
 * @param reason for that, in one line
 */
public record Step(
        int number,
        Choice choice,
        String from,
        String why,
        @Nullable Gain predicted,
        @Nullable Effect measured,
        @Nullable String prediction,
        Outcome outcome,
        String reason) {

    /** What became of a change. */
    public enum Outcome {
        /** It pays, and the output is the same. */
        KEPT,
        /** It does not, or the output is another one. It is not tried again. */
        WITHDRAWN,
        /** The budget or the user ended it before it was clear, or the runs differ too much. It is not kept, and may be tried again. */
        UNDECIDED
    }

    /** Whether the measured factor is where it was predicted. */
    static @Nullable String prediction(@Nullable Gain predicted, @Nullable Effect measured) {
        if (predicted == null || measured == null) {
            return null;
        }
        if (measured.ratio() < predicted.low()) {
            return "too high";
        }
        return measured.ratio() > predicted.high() ? "too low" : "held";
    }
}
