// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How long an operator takes for a record when it runs alone, from several rounds. Time in which the thread was ready and
 * had no core is left out.
 *
 * @param medianNs for a record
 * @param lowestNs of the fastest round
 * @param highestNs of the slowest round
 * @param onCore share of that time in which the thread was on a core; otherwise it stood still in calls
 * @param crowded share of all time in which others had the cores; null if that is not known, and so not left out
 * @param rising it was still getting faster when the patience ended
 */
record StageTiming(
        double medianNs,
        double lowestNs,
        double highestNs,
        double onCore,
        @Nullable Double crowded,
        boolean rising) {
    static StageTiming of(double[] rounds, double onCore, @Nullable Double crowded, boolean rising) {
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new StageTiming(median, sorted[0], sorted[sorted.length - 1], onCore, crowded, rising);
    }
}
