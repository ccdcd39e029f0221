// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.stats.LatencyHistogram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Sums up a histogram of microseconds. */
final class LatencyBuckets {
    private static final int LEAST_BITS = 4;
    private static final int MOST_BITS = 26;

    /**
     * Below powers of two, and below those and a half: where HdrHistogram's own buckets end too, at three digits, so that no bucket is cut
     * and the counts are exact.
     */
    private static final List<Long> UP_TO_US = bounds();

    private LatencyBuckets() {}

    private static List<Long> bounds() {
        List<Long> bounds = new ArrayList<>();
        for (int bits = LEAST_BITS; bits < MOST_BITS; bits++) {
            bounds.add((1L << bits) - 1);
            bounds.add((3L << (bits - 1)) - 1);
        }
        bounds.add((1L << MOST_BITS) - 1);
        return List.copyOf(bounds);
    }

    static LatencyHistogram of(Histogram us) {
        if (us.getTotalCount() == 0) {
            return LatencyHistogram.NONE;
        }
        Long[] samples = new Long[UP_TO_US.size()];
        long seen = 0;
        double sum = 0;
        int bucket = 0;
        for (HistogramIterationValue each : us.recordedValues()) {
            while (bucket < samples.length && UP_TO_US.get(bucket) < each.getValueIteratedTo()) {
                samples[bucket++] = seen;
            }
            long count = each.getCountAddedInThisIterationStep();
            seen += count;
            sum += (double) count * us.medianEquivalentValue(each.getValueIteratedTo());
        }
        Arrays.fill(samples, bucket, samples.length, seen);
        return new LatencyHistogram(UP_TO_US, Arrays.asList(samples), us.getTotalCount(), sum);
    }
}
