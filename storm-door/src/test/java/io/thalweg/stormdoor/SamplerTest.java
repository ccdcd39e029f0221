// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Map;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

final class SamplerTest {
    private static final int TUPLES = 200_000;

    @Test
    void shouldTakeAsManyAsTheRateSays() {
        for (double rate : new double[] {0.5, 0.3, 0.05, 0.001}) {
            // One standard deviation is 0.6 % of those taken at a rate of 0.05, and 4 % at 0.001.
            assertThat(taken(rate))
                    .as("rate %s", rate)
                    .isCloseTo(rate * TUPLES, withinPercentage(rate < 0.01 ? 30 : 6));
        }
    }

    @Test
    void shouldTakeAllWithoutARateOrWithOneThatIsNone() {
        assertThat(taken(new Sampler(Map.of()))).isEqualTo(TUPLES);
        for (double rate : new double[] {1, 2, 0, -1}) {
            assertThat(taken(rate)).as("rate %s", rate).isEqualTo(TUPLES);
        }
    }

    @Test
    void shouldTakeTheFirst() {
        assertThat(sampler(0.001).takes()).isTrue();
    }

    private static Sampler sampler(double rate) {
        return new Sampler(Map.of(Config.TOPOLOGY_STATS_SAMPLE_RATE, rate));
    }

    private static double taken(double rate) {
        return taken(sampler(rate));
    }

    private static double taken(Sampler sampler) {
        return IntStream.range(0, TUPLES).filter(any -> sampler.takes()).count();
    }
}
