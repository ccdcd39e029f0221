// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.compare;

import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/** How large an effect must be for a t-test to find it. */
public final class Sensitivity {
    private static final int STEPS = 200;
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private Sensitivity() {}

    /**
     * The effect, in standard errors, that an interval of that confidence leaves 0 outside on the effect's side with that
     * probability. Exact, by Student's t around an effect (the noncentral one), since with few runs the spread itself is uncertain.
     */
    public static double standardErrors(double freedom, double confidence, double power) {
        double critical = TDistribution.of(freedom).inverseSurvivalProbability((1 - confidence) / 2);
        double[] spreads = new double[STEPS];
        double[] chances = new double[STEPS];
        fill(freedom, spreads, chances);
        double low = 0;
        double high = 1;
        while (power(high, critical, spreads, chances) < power) {
            low = high;
            high *= 2;
        }
        while (high - low > 1e-5 * high) {
            double middle = (low + high) / 2;
            if (power(middle, critical, spreads, chances) < power) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** How likely the estimated spread is which multiple s of the true one: s² × freedom follows chi-squared. */
    private static void fill(double freedom, double[] spreads, double[] chances) {
        ChiSquaredDistribution squares = ChiSquaredDistribution.of(freedom);
        double step = (1 + 8 / Math.sqrt(2 * freedom)) / STEPS;
        for (int i = 0; i < STEPS; i++) {
            double s = (i + 0.5) * step;
            spreads[i] = s;
            chances[i] = 2 * freedom * s * squares.density(freedom * s * s) * step;
        }
    }

    /** The chance that t comes out above the critical value; given the spread, t is normal. */
    private static double power(double effect, double critical, double[] spreads, double[] chances) {
        double power = 0;
        for (int i = 0; i < STEPS; i++) {
            power += chances[i] * NORMAL.cumulativeProbability(effect - critical * spreads[i]);
        }
        return power;
    }
}
