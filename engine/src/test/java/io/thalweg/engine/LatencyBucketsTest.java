// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class LatencyBucketsTest {
    private static final long HOUR_US = 3_600_000_000L;

    private final Histogram histogram = new Histogram(HOUR_US, 3);

    @Test
    void shouldCountExactlyAtItsBounds() {
        List<Long> values = new ArrayList<>(List.of(0L, 15L, 16L, 23L, 24L, HOUR_US));
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            values.add((long) Math.exp(random.nextDouble() * Math.log(HOUR_US)));
        }
        values.forEach(histogram::recordValue);

        LatencyHistogram counted = LatencyBuckets.of(histogram);
        assertThat(counted.upToUs()).startsWith(15L, 23L, 31L, 47L).endsWith(67_108_863L);
        for (int i = 0; i < counted.upToUs().size(); i++) {
            long bound = counted.upToUs().get(i);
            assertThat(counted.samples().get(i))
                    .as("samples up to %s µs", bound)
                    .isEqualTo(values.stream().filter(value -> value <= bound).count());
        }
        assertThat(counted.total()).isEqualTo(values.size());
        assertThat(counted.sumUs())
                .isCloseTo(values.stream().mapToDouble(Long::doubleValue).sum(), Percentage.withPercentage(0.1));
    }

    @Test
    void shouldCountSamplesOnEachSideOfEveryBound() {
        histogram.recordValue(1);
        for (long bound : LatencyBuckets.of(histogram).upToUs()) {
            Histogram two = new Histogram(HOUR_US, 3);
            two.recordValue(bound);
            two.recordValue(bound + 1);
            LatencyHistogram counted = LatencyBuckets.of(two);
            int at = counted.upToUs().indexOf(bound);
            assertThat(counted.samples().get(at)).as("up to %s µs", bound).isEqualTo(1);
        }
    }

    @Test
    void shouldSayNothingOfNoSamples() {
        assertThat(LatencyBuckets.of(histogram)).isEqualTo(LatencyHistogram.NONE);
    }
}
