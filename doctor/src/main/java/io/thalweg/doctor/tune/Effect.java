// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.doctor.compare.Difference;
import java.util.Arrays;

/**
 * What a change did, from runs without and with it, beside each other.
 *
 * @param pairs how many
 * @param before median of the runs without it, in records per second or microseconds; likewise {@code after}
 * @param ratio with it against without it, geometric mean of the pairs
 * @param low where the true ratio is at least, with 95 % confidence; 0 if there were too few pairs to tell
 * @param high where it is at most; 0 if there were too few pairs to tell
 */
public record Effect(int pairs, double before, double after, double ratio, double low, double high) {
    /** Fewer pairs give no interval. */
    static Effect of(double[] before, double[] after, Difference difference) {
        boolean known = difference.verdict() != Difference.Verdict.TOO_FEW_RUNS;
        return new Effect(
                before.length,
                round(median(before), 10),
                round(median(after), 10),
                round(difference.ratio(), 1_000),
                known ? round(difference.ci95().low(), 1_000) : 0,
                known ? round(difference.ci95().high(), 1_000) : 0);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double round(double value, double steps) {
        return Math.round(value * steps) / steps;
    }
}
