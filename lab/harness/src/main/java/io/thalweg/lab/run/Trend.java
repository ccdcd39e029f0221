// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.result.RunResult;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the rates of equally long parts of a run rise or fall, by the test of Mann and Kendall: S, the number of pairs of which
 * the later is greater less that of which it is smaller, has for values without a trend the mean 0 and the variance
 * {@code (n(n-1)(2n+5) - sum of t(t-1)(2t+5) over ties of t) / 18}, and is nearly normal from some eight values on (H. B. Mann,
 * Nonparametric tests against trend, Econometrica 13, 1945; M. G. Kendall, Rank Correlation Methods, 1975). How much they change is
 * told by Sen's slope, the median of the slopes of all pairs, with its confidence interval (P. K. Sen, Estimates of the regression
 * coefficient based on Kendall's tau, JASA 63, 1968; R. O. Gilbert, Statistical Methods for Environmental Pollution Monitoring,
 * 1987, section 16.5).
 *
 * @param percent by how much the rate changes from the beginning to the end, of the median rate
 * @param lowPercent end of the 95 % confidence interval, likewise {@code highPercent}
 * @param significant whether values without a trend give such an S in less than one of twenty cases
 */
record Trend(double percent, double lowPercent, double highPercent, boolean significant) {
    /** Fewer parts than these tell nothing, more are not made. */
    static final int FEWEST = 8;

    private static final int MOST = 20;

    /** A trend that is significant and smaller is of no consequence. */
    private static final double OF_NO_CONSEQUENCE = 5;

    /** Two-sided, of 5 %. */
    private static final double Z = 1.959964;

    /** So large a change must be out of the question before a rate counts as settled. */
    private static final double OUT_OF_THE_QUESTION = 25;

    /**
     * Whether the rate has settled: no trend that matters is seen, and the rates are even enough to rule a large one out. That none
     * is seen says nothing of rates that jump.
     */
    boolean isSettled() {
        return !matters() && lowPercent > -OUT_OF_THE_QUESTION && highPercent < OUT_OF_THE_QUESTION;
    }

    /** Whether there is a trend that matters. */
    boolean matters() {
        return significant && Math.abs(percent) > OF_NO_CONSEQUENCE;
    }

    RunResult.Trend result() {
        return new RunResult.Trend(percent, lowPercent, highPercent);
    }

    /** The trend between two times; null if it cannot be told, because too little came out, or in too few bursts. */
    static @Nullable Trend of(List<Track.Point> points, long fromNs, long toNs) {
        for (int parts = MOST; parts >= FEWEST; parts--) {
            double[] rates = new double[parts];
            boolean all = true;
            for (int i = 0; i < parts; i++) {
                long begin = fromNs + (toNs - fromNs) * i / parts;
                long end = fromNs + (toNs - fromNs) * (i + 1) / parts;
                rates[i] = Track.rate(points, begin, end);
                all &= rates[i] > 0;
            }
            if (all) {
                return of(rates);
            }
        }
        return null;
    }

    /**
     * @param values of equally long parts, in order; null if there are too few, or half of them are not above zero
     */
    static @Nullable Trend of(double[] values) {
        int n = values.length;
        if (n < FEWEST) {
            return null;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double median = median(sorted);
        if (median <= 0) {
            return null;
        }
        int s = 0;
        double[] slopes = new double[n * (n - 1) / 2];
        int pairs = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                s += (int) Math.signum(values[j] - values[i]);
                slopes[pairs++] = (values[j] - values[i]) / (j - i);
            }
        }
        Arrays.sort(slopes);
        double deviation = Math.sqrt(variance(sorted));
        double z = deviation == 0 ? 0 : (s - Math.signum(s)) / deviation;
        double reach = Z * deviation;
        double percent = 100 * n / median;
        return new Trend(
                percent * median(slopes),
                percent * at(slopes, (pairs - reach) / 2 - 1),
                percent * at(slopes, (pairs + reach) / 2),
                Math.abs(z) > Z);
    }

    private static double variance(double[] sorted) {
        double variance = term(sorted.length);
        int begin = 0;
        for (int i = 1; i <= sorted.length; i++) {
            if (i == sorted.length || sorted[i] != sorted[begin]) {
                variance -= term(i - begin);
                begin = i;
            }
        }
        return Math.max(0, variance);
    }

    private static double term(double n) {
        return n * (n - 1) * (2 * n + 5) / 18;
    }

    private static double at(double[] sorted, double index) {
        return sorted[(int) Math.max(0, Math.min(sorted.length - 1.0, Math.rint(index)))];
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
