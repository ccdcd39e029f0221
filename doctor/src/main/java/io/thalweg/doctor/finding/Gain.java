// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.finding;

/**
 * What following an advice is expected to bring: a factor between two limits.
 *
 * @param low the least that is expected, as a factor: 1.2 is a fifth more
 * @param high the most that is expected
 * @param of what grows by the factor: {@code throughput}
 */
public record Gain(double low, double high, String of) {
    /** Of the rate at which records are processed. */
    public static final String THROUGHPUT = "throughput";

    /** A prediction is seldom better than this: its limits are the factor times and divided by so much. */
    private static final double ERROR = 1.2;

    /** Around a factor of throughput, with the error that predictions from rates have. */
    public static Gain throughput(double factor) {
        return throughput(factor, factor);
    }

    /** Between two factors of throughput, with that error around each. */
    public static Gain throughput(double least, double most) {
        return new Gain(round(Math.max(1, least / ERROR)), round(most * ERROR), THROUGHPUT);
    }

    /** The same where more than this factor cannot be. */
    public Gain atMost(double factor) {
        return new Gain(Math.min(low, round(factor)), Math.min(high, round(factor)), of);
    }

    private static double round(double factor) {
        return Math.round(factor * 100) / 100.0;
    }

    /** The middle of both. */
    public double middle() {
        return (low + high) / 2;
    }
}
