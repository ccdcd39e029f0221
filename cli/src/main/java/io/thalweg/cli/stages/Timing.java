// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import java.util.Arrays;

/**
 * How long an operator takes for a record when it runs alone, from several rounds.
 *
 * @param medianNs for a record
 * @param lowestNs of the fastest round
 * @param highestNs of the slowest round
 * @param onCore share of the time in which the thread was on a core; the rest it stood still, or others had the core
 * @param rising it was still getting faster when the patience ended
 */
record Timing(double medianNs, double lowestNs, double highestNs, double onCore, boolean rising) {
    static Timing of(double[] rounds, double onCore, boolean rising) {
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Timing(median, sorted[0], sorted[sorted.length - 1], onCore, rising);
    }
}
