// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.compare;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * How B differs from A, by Student's t on the logarithms of what their runs reached: a run that is 10 % slower counts the same
 * at any speed. Paired, each run of A is held against the run of B beside it, so that what slows the machine for a while slows
 * both; otherwise by Welch's test, which lets the two vary differently.
 *
 * @param paired whether runs were compared in pairs
 * @param runsA how many runs of A counted
 * @param ratio B against A, geometric mean
 * @param ci95 where the true ratio is with 95 % confidence, likewise {@code ci99}
 * @param smallestEffect the least that B would have had to be worse, as a share of A, for these runs to show it with 80 %
 *     probability; NaN if there are too few
 */
public record Difference(
        boolean paired,
        int runsA,
        int runsB,
        double ratio,
        Interval ci95,
        Interval ci99,
        double smallestEffect,
        Verdict verdict) {

    /** With fewer runs of either side there is no verdict, nor an interval worth its name. */
    public static final int FEWEST_RUNS = 3;

    private static final double POWER = 0.80;

    public record Interval(double low, double high) {
        static final Interval UNKNOWN = new Interval(0, Double.POSITIVE_INFINITY);

        public boolean contains(double ratio) {
            return low <= ratio && ratio <= high;
        }

        /**
         * Where the mean of what runs reach is with 95 % confidence: the geometric one, by Student's t on their logarithms, with one degree of
         * freedom less than there are runs (Student, "The probable error of a mean", 1908; for few runs of Java programs: Georges, Buytaert and
         * Eeckhout, "Statistically rigorous Java performance evaluation", 2007). That takes the logarithms for normally distributed, which few
         * runs cannot show. Of three runs it reaches 2.5 of their standard deviations to either side, of five 1.2, of ten 0.7. It says
         * nothing of another day or machine.
         *
         * @throws IllegalArgumentException if there are fewer than {@link #FEWEST_RUNS}, or any is not above zero
         */
        public static Interval ofMean(double[] runs) {
            if (runs.length < FEWEST_RUNS) {
                throw new IllegalArgumentException("an interval needs " + FEWEST_RUNS + " runs, not " + runs.length);
            }
            double[] logs = logs(runs);
            return interval(mean(logs), Math.sqrt(variance(logs) / logs.length), logs.length - 1.0, 0.95);
        }
    }

    /** At 99 %: of 200 comparisons of a thing with itself, one is called a regression. */
    public enum Verdict {
        REGRESSION,
        IMPROVEMENT,
        NO_DIFFERENCE_SEEN,
        TOO_FEW_RUNS
    }

    /** Whether more is better, as of rates, or less, as of latencies. */
    public enum Better {
        MORE,
        LESS
    }

    /**
     * @param a what the runs of A reached, {@code a[i]} run beside {@code b[i]}
     * @throws IllegalArgumentException if there are not as many of one as of the other, or any is not above zero
     */
    public static Difference ofPairs(double[] a, double[] b, Better better) {
        if (a.length != b.length) {
            throw new IllegalArgumentException("pairs are of two, but A has " + a.length + " runs and B " + b.length);
        }
        double[] logs = logs(b);
        double[] logsA = logs(a);
        for (int i = 0; i < logs.length; i++) {
            logs[i] -= logsA[i];
        }
        double error = Math.sqrt(variance(logs) / logs.length);
        return of(true, a.length, b.length, mean(logs), error, a.length - 1.0, better);
    }

    /** @throws IllegalArgumentException if any is not above zero */
    public static Difference ofUnpaired(double[] a, double[] b, Better better) {
        double[] logsA = logs(a);
        double[] logsB = logs(b);
        double errorA = variance(logsA) / a.length;
        double errorB = variance(logsB) / b.length;
        double both = errorA + errorB;
        double freedom = both == 0
                ? a.length + b.length - 2.0
                : both * both / (errorA * errorA / (a.length - 1) + errorB * errorB / (b.length - 1));
        return of(false, a.length, b.length, mean(logsB) - mean(logsA), Math.sqrt(both), freedom, better);
    }

    private static Difference of(
            boolean paired, int runsA, int runsB, double log, double error, double freedom, Better better) {
        double ratio = Math.exp(log);
        if (Math.min(runsA, runsB) < FEWEST_RUNS) {
            return new Difference(
                    paired, runsA, runsB, ratio, Interval.UNKNOWN, Interval.UNKNOWN, Double.NaN, Verdict.TOO_FEW_RUNS);
        }
        Interval ci99 = interval(log, error, freedom, 0.99);
        double effect = error * Sensitivity.standardErrors(freedom, 0.99, POWER);
        return new Difference(
                paired,
                runsA,
                runsB,
                ratio,
                interval(log, error, freedom, 0.95),
                ci99,
                better == Better.MORE ? -Math.expm1(-effect) : Math.expm1(effect),
                verdict(ci99, better));
    }

    private static Interval interval(double log, double error, double freedom, double confidence) {
        double half = error * TDistribution.of(freedom).inverseSurvivalProbability((1 - confidence) / 2);
        return new Interval(Math.exp(log - half), Math.exp(log + half));
    }

    private static Verdict verdict(Interval ci99, Better better) {
        if (ci99.contains(1)) {
            return Verdict.NO_DIFFERENCE_SEEN;
        }
        return (ci99.high() < 1) == (better == Better.MORE) ? Verdict.REGRESSION : Verdict.IMPROVEMENT;
    }

    private static double[] logs(double[] values) {
        double[] logs = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            if (!(values[i] > 0) || values[i] == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("a run reached " + values[i] + ", which has no logarithm");
            }
            logs[i] = Math.log(values[i]);
        }
        return logs;
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return squares / (values.length - 1);
    }
}
