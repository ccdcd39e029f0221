// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * How many samples had at most which latency, since the start. The bounds are the same in every job, two for each doubling from 15 µs to
 * 67 s, so that histograms of different times and jobs can be subtracted and added. Lists are empty if there were no samples, or if
 * the runner does not measure latency.
 *
 * @param upToUs bounds in microseconds, included, rising
 * @param samples for each bound, how many samples were not above it
 * @param total number of samples, with those above the last bound
 * @param sumUs of all samples, in microseconds, exact to one part in a thousand
 */
public record LatencyHistogram(List<Long> upToUs, List<Long> samples, long total, double sumUs) {
    /** No samples. */
    public static final LatencyHistogram NONE = new LatencyHistogram(List.of(), List.of(), 0, 0);

    /** @throws IllegalArgumentException if there are not as many bounds as counts */
    public LatencyHistogram {
        upToUs = List.copyOf(upToUs);
        samples = List.copyOf(samples);
        if (upToUs.size() != samples.size()) {
            throw new IllegalArgumentException(upToUs.size() + " bounds for " + samples.size() + " counts");
        }
    }
}
