// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/**
 * How old records were when a sink was done with them, in microseconds, counted from when they were due; one sample per
 * batch. All zero if nothing was sampled.
 */
public record LatencyStats(long samples, double p50Us, double p90Us, double p99Us, double p999Us, double maxUs) {
    public static final LatencyStats NONE = new LatencyStats(0, 0, 0, 0, 0, 0);
}
