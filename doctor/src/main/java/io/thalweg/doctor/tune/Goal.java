// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.api.stats.LatencyStats;
import io.thalweg.doctor.compare.Difference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job is to be tuned for.
 *
 * @param quantile of the latency, such as {@code p99}; empty for throughput
 * @param limitUs that the latency is to be below, in microseconds; 0 for throughput
 * @param rate of records of all sources per second at which latency is measured; 0 for throughput
 */
public record Goal(String quantile, double limitUs, double rate) {
    /** As many records per second as possible. */
    public static final Goal THROUGHPUT = new Goal("", 0, 0);

    private static final Pattern LATENCY =
            Pattern.compile("(p50|p90|p99|p999)\\s*<\\s*([0-9]{1,6}(?:\\.[0-9]{1,3})?)(us|ms|s)");

    /**
     * Reads {@code p99<5ms}.
     *
     * @param rate of records per second
     * @throws IllegalArgumentException if it is none; the message is one line
     */
    public static Goal latency(String text, double rate) {
        Matcher matcher = LATENCY.matcher(text);
        double limit = matcher.matches() ? Double.parseDouble(matcher.group(2)) * us(matcher.group(3)) : 0;
        if (limit <= 0) {
            throw new IllegalArgumentException(
                    "it is throughput, or a latency such as 'p99<5ms', with p50, p90, p99 or p999, not '" + text + "'");
        }
        return new Goal(matcher.group(1), limit, rate);
    }

    private static double us(String unit) {
        return switch (unit) {
            case "us" -> 1;
            case "ms" -> 1_000;
            default -> 1_000_000;
        };
    }

    public boolean isLatency() {
        return !quantile.isEmpty();
    }

    /** Whether more of what is measured is better. */
    Difference.Better better() {
        return isLatency() ? Difference.Better.LESS : Difference.Better.MORE;
    }

    /** What a run reached: records per second, or microseconds. */
    double of(Measured run) {
        return isLatency() ? quantileUs(run.latency()) : run.records() / run.seconds();
    }

    private double quantileUs(LatencyStats latency) {
        return switch (quantile) {
            case "p50" -> latency.p50Us();
            case "p90" -> latency.p90Us();
            case "p99" -> latency.p99Us();
            default -> latency.p999Us();
        };
    }

    /** What is measured, in a word or two. */
    public String what() {
        return isLatency() ? quantile + " latency" : "throughput";
    }
}
