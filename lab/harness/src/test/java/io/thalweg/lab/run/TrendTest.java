// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class TrendTest {
    private static final int PARTS = 20;
    private static final int SERIES = 2_000;
    private static final long SEED = Long.getLong("thalweg.seed", 20_261_126);
    private static final long SECOND = 1_000_000_000;

    private final Random random = new Random(SEED);

    @Test
    void shouldFindARiseOfAFifth() {
        assertThat(found(() -> series(i -> 1 + 0.2 * i / PARTS, 0.03)))
                .as(seed())
                .isGreaterThan(0.99);
        assertThat(found(() -> series(i -> 1 + 0.2 * i / PARTS, 0.05)))
                .as(seed())
                .isGreaterThan(0.98);
        assertThat(found(() -> series(i -> 1 - 0.2 * i / PARTS, 0.05)))
                .as("a fall; " + seed())
                .isGreaterThan(0.98);
        assertThat(found(() -> series(i -> i < PARTS / 2 ? 1 : 1.2, 0.05)))
                .as("a step; " + seed())
                .isGreaterThan(0.98);
    }

    @Test
    void shouldCallNoiseATrendInOneOfTwentyCasesAtMost() {
        // Three standard deviations of the share of 2,000 that a rate of 5 % gives.
        double most = 0.05 + 3 * Math.sqrt(0.05 * 0.95 / SERIES);
        for (double noise : new double[] {0.01, 0.05, 0.2, 0.5}) {
            assertThat(found(() -> series(i -> 1, noise)))
                    .as("noise of " + noise + "; " + seed())
                    .isLessThanOrEqualTo(most);
        }
    }

    /** No trend is seen in what jumps, whatever there is; so it must not count as settled either. */
    @Test
    void shouldTakeForSettledWhatIsEven_andNothingElse() {
        assertThat(share(() -> series(i -> 1, 0.03), Trend::isSettled))
                .as(seed())
                .isGreaterThan(0.95);
        assertThat(share(() -> series(i -> 1, 0.3), Trend::isSettled))
                .as(seed())
                .isLessThan(0.10);
        for (double noise : new double[] {0.01, 0.05, 0.1, 0.2, 0.3}) {
            assertThat(share(() -> series(i -> 1 + 0.25 * i / PARTS, noise), Trend::isSettled))
                    .as("rising, with noise of " + noise + "; " + seed())
                    .isLessThan(0.10);
        }
    }

    /** A rate that depends on the one before looks more like a trend than noise does; small swings are of no consequence. */
    @Test
    void shouldSeldomCallADependentRateATrend() {
        assertThat(found(() -> dependent(0.3, 0.03))).as(seed()).isLessThan(0.10);
    }

    @Test
    void shouldNotCallAChangeOfNoConsequenceATrend() {
        Trend trend = Trend.of(series(i -> 1 + 0.02 * i / PARTS, 0));
        assertThat(trend.significant()).isTrue();
        assertThat(trend.percent()).isCloseTo(2, within(0.1));
        assertThat(trend.matters()).isFalse();
    }

    /** The example that text books compute by hand: eight values in order have S = 28, all slopes 1. */
    @Test
    void shouldComputeWhatCanBeComputedByHand() {
        Trend rising = Trend.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertThat(rising.percent()).isCloseTo(100 * 8 / 4.5, within(1e-9));
        assertThat(rising.lowPercent()).isEqualTo(rising.percent());
        assertThat(rising.significant()).isTrue();
        Trend even = Trend.of(new double[] {5, 5, 5, 5, 5, 5, 5, 5});
        assertThat(even).isEqualTo(new Trend(0, 0, 0, false));
    }

    @Test
    void shouldHoldTheTrueChangeInItsIntervalNearlyAlways() {
        int held = 0;
        for (int i = 0; i < SERIES; i++) {
            Trend trend = Trend.of(series(at -> 1 + 0.1 * (at - (PARTS - 1) / 2.0) / PARTS, 0.05));
            held += trend.lowPercent() <= 10 && trend.highPercent() >= 10 ? 1 : 0;
        }
        assertThat(held / (double) SERIES).as(seed()).isBetween(0.93, 0.98);
    }

    @Test
    void shouldSayThatItCannotTell() {
        assertThat(Trend.of(new double[7])).isNull();
        assertThat(Trend.of(new double[8])).isNull();
        assertThat(Trend.of(points(0.5, t -> 1_000), 0, 3 * SECOND))
                .as("six bursts")
                .isNull();
        assertThat(Trend.of(points(0.3, t -> 1_000), 0, 3 * SECOND))
                .as("ten bursts")
                .isNotNull();
    }

    @Test
    void shouldTellTheTrendOfWhatCameOut() {
        assertThat(Trend.of(points(0.1, t -> 10_000), 0, 3 * SECOND).percent()).isCloseTo(0, within(1.0));
        Trend rising = Trend.of(points(0.1, t -> 10_000 * (1 + t / 10)), 0, 3 * SECOND);
        assertThat(rising.matters()).isTrue();
        assertThat(rising.percent()).isBetween(20.0, 30.0);
    }

    private double found(Supplier<double[]> series) {
        return share(series, Trend::matters);
    }

    private static double share(Supplier<double[]> series, Predicate<Trend> which) {
        int found = 0;
        for (int i = 0; i < SERIES; i++) {
            found += which.test(Trend.of(series.get())) ? 1 : 0;
        }
        return found / (double) SERIES;
    }

    private double[] series(IntToDoubleFunction mean, double noise) {
        double[] values = new double[PARTS];
        for (int i = 0; i < PARTS; i++) {
            values[i] = 1e6 * mean.applyAsDouble(i) * Math.exp(noise * random.nextGaussian());
        }
        return values;
    }

    private double[] dependent(double on, double noise) {
        double[] values = new double[PARTS];
        double last = 0;
        for (int i = 0; i < PARTS; i++) {
            last = on * last + noise * random.nextGaussian();
            values[i] = 1e6 * Math.exp(last);
        }
        return values;
    }

    /** What has come out, looked at in such steps of time in seconds. */
    private static List<Track.Point> points(double everyS, java.util.function.DoubleUnaryOperator rate) {
        List<Track.Point> points = new ArrayList<>();
        double received = 1;
        points.add(new Track.Point(0, 1));
        for (int i = 1; i * everyS < 60; i++) {
            received += everyS * rate.applyAsDouble(i * everyS);
            points.add(new Track.Point((long) (i * everyS * SECOND), (long) received));
        }
        return points;
    }

    private static String seed() {
        return "-Dthalweg.seed=" + SEED;
    }
}
