// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.doctor.finding.Gain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that was tried.
 *
 * @param number from 1
 * @param choice what was changed
 * @param was the value before; null if it was not set, or is not known
 * @param from who proposed it
 * @param why it was to help
 * @param predicted factor; null if nobody predicted any
 * @param pairs of runs, in the order in which they ran
 * @param measured null if no pair of runs was complete
 * @param prediction {@code held}, {@code too high} or {@code too low}; null if there was none, or nothing to compare it with
 * @param outcome what became of it
 * @param reason for that, in one line; empty while it is being tried
 */
public record Step(
        int number,
        Choice choice,
        @Nullable String was,
        String from,
        String why,
        @Nullable Gain predicted,
        List<Pair> pairs,
        @Nullable Effect measured,
        @Nullable String prediction,
        Outcome outcome,
        String reason) {
    public Step {
        pairs = List.copyOf(pairs);
    }

    /**
     * Two runs beside each other.
     *
     * @param before what the run without the change reached, in records per second or microseconds; likewise {@code after} with it
     */
    public record Pair(double before, double after) {}

    /** What became of a change. */
    public enum Outcome {
        /** It pays, and the output is the same. */
        KEPT,
        /** It is worse, or gains too little to be worth a setting. */
        WITHDRAWN,
        /** No gain was seen in as many pairs as are worth it. */
        WITHIN_NOISE,
        /** The output is another one, or no longer all of it. */
        OUTPUT_DIFFERS,
        /** The job does not run to its end with it. */
        FAILED,
        /** The budget, the user or an error ended it before it was clear, or the runs differ too much. It is not kept, and may be tried again. */
        UNDECIDED,
        /** It is being tried. */
        TRYING;

        /** Whether the change was found useless or wrong: it is not tried again. */
        public boolean isWithdrawn() {
            return switch (this) {
                case WITHDRAWN, WITHIN_NOISE, OUTPUT_DIFFERS, FAILED -> true;
                case KEPT, UNDECIDED, TRYING -> false;
            };
        }
    }

    /** The same, whatever it was about to become. */
    Step undecided(String why) {
        return new Step(
                number, choice, was, from, this.why, predicted, pairs, measured, prediction, Outcome.UNDECIDED, why);
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
