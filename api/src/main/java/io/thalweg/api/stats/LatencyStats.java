// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/**
 * Latency: the age of records when a sink had processed them, in microseconds, measured from when they were due. One
 * sample per batch. All zero if there were no samples.
 *
 * @param samples number of samples
 * @param p50Us median
 * @param p90Us 90th percentile
 * @param p99Us 99th percentile
 * @param p999Us 99.9th percentile
 * @param maxUs maximum
 */
public record LatencyStats(long samples, double p50Us, double p90Us, double p99Us, double p999Us, double maxUs) {
    /** No samples. */
    public static final LatencyStats NONE = new LatencyStats(0, 0, 0, 0, 0, 0);
}
