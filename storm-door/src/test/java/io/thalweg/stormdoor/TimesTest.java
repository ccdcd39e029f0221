// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TimesTest {
    private static final long NS_PER_MS = 1_000_000;

    /** 1 ms to 1000 ms, of two executors. */
    @Test
    void shouldSumUpWhatSeveralExecutorsTook() {
        Times odd = new Times();
        Times even = new Times();
        for (long ms = 1; ms <= 1_000; ms++) {
            (ms % 2 == 0 ? even : odd).add(ms * NS_PER_MS);
        }
        Times all = new Times();
        all.add(odd);
        all.add(even);
        ComponentStats.Latency latency = all.latency();
        assertThat(latency.times()).isEqualTo(1_000);
        assertThat(latency.mean()).isEqualTo(500.5);
        assertThat(latency.p50()).isCloseTo(500, within(5.0));
        assertThat(latency.p90()).isCloseTo(900, within(9.0));
        assertThat(latency.p99()).isCloseTo(990, within(10.0));
        assertThat(latency.p999()).isCloseTo(999, within(10.0));
        assertThat(latency.most()).isCloseTo(1_000, within(10.0));
    }

    @Test
    void shouldComeToWhatTheSortedTimesSay() {
        long seed = Long.getLong("thalweg.seed", new Random().nextLong());
        Random random = new Random(seed);
        Times any = new Times();
        Times alone = new Times();
        double[] ms = new double[10_000];
        for (int i = 0; i < ms.length; i++) {
            long ns = (long) Math.exp(random.nextDouble() * Math.log(1e12)); // to a quarter of an hour
            ms[i] = Math.floor(ns / 1e3) / 1e3;
            any.add(ns);
            alone.addAlone(ns);
        }
        Arrays.sort(ms);
        ComponentStats.Latency latency = any.latency();
        assertThat(alone.latency()).isEqualTo(latency);
        assertThat(latency.p50()).as("seed %d", seed).isCloseTo(ms[ms.length / 2 - 1], withinPercentage(1.0));
        assertThat(latency.p90()).as("seed %d", seed).isCloseTo(ms[ms.length / 10 * 9 - 1], withinPercentage(1.0));
        assertThat(latency.p999()).as("seed %d", seed).isCloseTo(ms[ms.length / 1000 * 999 - 1], withinPercentage(1.0));
        assertThat(latency.most()).as("seed %d", seed).isCloseTo(ms[ms.length - 1], withinPercentage(1.0));
    }

    @Test
    void shouldBearTimesThatCannotBe() {
        Times times = new Times();
        times.add(-5);
        times.add(Long.MAX_VALUE / 2);
        assertThat(times.latency().times()).isEqualTo(2);
        assertThat(times.latency().p50()).isZero();
    }

    @Test
    void shouldSayNothingOfWhatDidNotHappen() {
        assertThat(new Times().latency()).isEqualTo(ComponentStats.Latency.NONE);
    }
}
