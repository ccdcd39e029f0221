// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.run.PlainText;
import java.util.Locale;

/** Numbers as a person reads them, the same in every locale. */
public final class Quantities {
    private static final double NS_PER_SECOND = 1e9;

    private Quantities() {}

    /** {@code 1,707}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 850/s}, {@code 12.3 k/s}, {@code 3.21 M/s}. */
    public static String rate(long records, long elapsedNs) {
        double perSecond = elapsedNs <= 0 ? 0 : records * NS_PER_SECOND / elapsedNs;
        if (perSecond < 999.5) {
            return String.format(Locale.ROOT, perSecond < 9.95 && perSecond > 0 ? "%.1f/s" : "%.0f/s", perSecond);
        }
        if (perSecond < 999_500) {
            return threeDigits(perSecond / 1e3) + " k/s";
        }
        return perSecond < 999_500_000 ? threeDigits(perSecond / 1e6) + " M/s" : threeDigits(perSecond / 1e9) + " G/s";
    }

    /** {@code Kafka at 127.0.0.1:9092, lost for 12.0 s}. */
    public static String lost(ConnectionStats connection) {
        return PlainText.line(connection.system()) + ", lost for " + elapsed(connection.lostForNs());
    }

    /** {@code 0.42 s}, {@code 12.3 s}, {@code 2 min 05 s}, {@code 1 h 02 min}. */
    public static String elapsed(long ns) {
        double seconds = ns / NS_PER_SECOND;
        if (seconds < 59.95) {
            return String.format(Locale.ROOT, seconds < 9.995 ? "%.2f s" : "%.1f s", seconds);
        }
        long whole = Math.round(seconds);
        return whole < 3600
                ? String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d h %02d min", whole / 3600, whole % 3600 / 60);
    }

    /** {@code 85 us}, {@code 12.3 ms}, {@code 1.25 s}. */
    static String micros(double us) {
        if (us < 999.5) {
            return us < 1 ? "<1 us" : Math.round(us) + " us";
        }
        if (us < 999_500) {
            return threeDigits(us / 1e3) + " ms";
        }
        return us < 59.95e6 ? threeDigits(us / 1e6) + " s" : elapsed((long) (us * 1e3));
    }

    /** {@code 87 %}. */
    static String share(long part, long whole) {
        return (whole <= 0 ? 0 : Math.round(Math.min(1, (double) part / whole) * 100)) + " %";
    }

    private static String threeDigits(double number) {
        return String.format(Locale.ROOT, number < 9.995 ? "%.2f" : number < 99.95 ? "%.1f" : "%.0f", number);
    }
}
