// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TelecomGeneratorTest {
    @Test
    void shouldMixWithDistinctPrimesAboveTwoToTheThirtyTwo() {
        assertThat(Arrays.stream(Mix.values()).map(mix -> mix.prime))
                .doesNotHaveDuplicates()
                .allSatisfy(prime -> {
                    assertThat(prime).isGreaterThan(1L << 32).isLessThan((1L << 61) - 1);
                    assertThat(BigInteger.valueOf(prime).isProbablePrime(60)).isTrue();
                });
    }

    @Test
    void shouldMixAsExactArithmeticSays() {
        BigInteger modulus = BigInteger.TWO.pow(61).subtract(BigInteger.ONE);
        for (Mix mix : Mix.values()) {
            for (int g : new int[] {0, 1, 2, 999, 49_999, 60_000, (1 << 20) - 1, Integer.MAX_VALUE}) {
                BigInteger exact = BigInteger.valueOf(g + 1L)
                        .multiply(BigInteger.valueOf(mix.prime))
                        .mod(modulus);
                assertThat(mix.of(g)).as("%s of %d", mix, g).isEqualTo(exact.longValueExact());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.thalweg.workloads.telecom.SmallSizes#all")
    void shouldGiveEachProfileItsShareOfEveryWindow(TelecomSize size) {
        TelecomProfiles profiles = TelecomProfiles.of(size);
        assertThat(IntStream.range(0, size.profiles()).map(profiles::weight).sum())
                .isEqualTo(size.slots());
        for (long window = 0; window < 5; window++) {
            int[] seen = new int[size.profiles()];
            for (int j = 0; j < size.windowRecords(); j++) {
                seen[profiles.profileOf(window * size.windowRecords() + j)]++;
            }
            for (int g = 0; g < size.profiles(); g++) {
                assertThat(seen[g])
                        .as("profile %d in window %d", g, window)
                        .isEqualTo(size.cycles() * profiles.weight(g));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "typical", "worst"})
    void shouldWeighProfilesAsTheSpecificationDoes(String name) {
        TelecomSize size = TelecomSize.named(name);
        BigInteger all = IntStream.range(0, size.profiles())
                .mapToObj(g -> BigInteger.ONE.shiftLeft(32).divide(BigInteger.valueOf(g + 1L)))
                .reduce(BigInteger.ZERO, BigInteger::add);
        TelecomProfiles profiles = TelecomProfiles.of(size);
        long sum = profiles.weight(0);
        for (int g = 1; g < size.profiles(); g++) {
            BigInteger share = BigInteger.ONE.shiftLeft(32).divide(BigInteger.valueOf(g + 1L));
            int expected = 1
                    + BigInteger.valueOf(size.slots() - size.profiles())
                            .multiply(share)
                            .divide(all)
                            .intValueExact();
            if (profiles.weight(g) != expected) {
                assertThat(profiles.weight(g)).as("weight of %d", g).isEqualTo(expected);
            }
            sum += expected;
        }
        assertThat(sum).isEqualTo(size.slots());
    }

    @ParameterizedTest
    @MethodSource("io.thalweg.workloads.telecom.SmallSizes#all")
    void shouldPlaceEachRecordInItsWindow_neverGoingBack(TelecomSize size) {
        TelecomGenerator generator = new TelecomGenerator(size);
        long previous = Long.MIN_VALUE;
        for (long i = 0; i < 4L * size.windowRecords(); i++) {
            long time = generator.probe(i).time();
            long window = i / size.windowRecords();
            long inWindow = i % size.windowRecords();
            assertThat(time)
                    .isEqualTo(1_735_689_600_000L + 300_000 * window + 300_000 * inWindow / size.windowRecords())
                    .isGreaterThanOrEqualTo(previous)
                    .isBetween(1_735_689_600_000L + 300_000 * window, 1_735_689_600_000L + 300_000 * (window + 1) - 1);
            previous = time;
        }
    }

    @Test
    void shouldTellAllProfilesApart() {
        for (TelecomSize size : SmallSizes.all()) {
            TelecomGenerator generator = new TelecomGenerator(size);
            Map<Dimensions, Integer> rows = new HashMap<>();
            for (long i = 0; i < size.windowRecords(); i++) {
                rows.merge(generator.probe(i).dimensions(), 1, Integer::sum);
            }
            assertThat(rows).as(size.name()).hasSize(size.profiles());
        }
    }

    @Test
    void shouldTellAMillionProfilesApart_byCellAndSubscriber() {
        DimensionRules rules = new DimensionRules(TelecomSize.WORST.profiles());
        long[] keys = IntStream.range(0, TelecomSize.WORST.profiles())
                .mapToLong(g -> {
                    Dimensions dimensions = rules.dimensions(g);
                    return Long.parseLong(dimensions.cell().cellId().substring(1), 36) << 32
                            | dimensions.subscriber().imsiBucket();
                })
                .sorted()
                .distinct()
                .toArray();
        assertThat(keys).hasSize(1 << 20);
    }

    @Test
    void shouldHaveHeavyTails() {
        long[] tails = new long[21];
        for (int g = 0; g < 1 << 20; g++) {
            tails[Math.min(20, Long.numberOfTrailingZeros(Mix.BYTES_UP_TAIL.of(g)))]++;
        }
        for (int e = 0; e < 12; e++) {
            double expected = 1 << (19 - e);
            assertThat((double) tails[e]).as("2^%d", e).isCloseTo(expected, within(0.1 * expected + 8));
        }
    }

    @Test
    void shouldKeepToTheRulesOfMeasures() {
        TelecomSize size = SmallSizes.SIXTEEN_CYCLES;
        TelecomGenerator generator = new TelecomGenerator(size);
        TelecomProfiles profiles = TelecomProfiles.of(size);
        for (long i = 0; i < 2L * size.windowRecords(); i++) {
            int g = profiles.profileOf(i);
            long n = i / size.slots();
            long q = n % size.cycles();
            Probe.Measures m = generator.probe(i).measures();
            assertThat(m.records()).isEqualTo(1);
            long tcp = Mix.TCP.of(g) % 200;
            assertThat(m.tcpMs())
                    .isEqualTo(tcp * (1L << Math.min(20, Long.numberOfTrailingZeros(Mix.TCP_TAIL.of(g)))) + q);
            assertThat(m.drops()).isEqualTo(n % 4 == 10 % 4 ? 1 : 0);
            assertThat(m.handovers()).isEqualTo(n % 4 == 11 % 4 ? 1 : 0);
            assertThat(m.setupFail()).isEqualTo(n % 4 == 12 % 4 ? 1 : 0);
            assertThat(m.rtt()).isEqualTo((Mix.RTT.of(g) % 4_000 + q) / 8.0);
            assertThat(m.rsrp()).isEqualTo((int) -(Mix.RSRP.of(g) % 100_000 % 140 + n % 2));
            assertThat(m.volumeCharged()).isEqualTo(n % 4 == 0 ? null : Mix.VOLUME_CHARGED.of(g) % 100_000);
            assertThat(m.cost() == null).isEqualTo(n % 4 == 0);
            assertThat(m.sparse()).isEqualTo(g % 100 == 0 ? 0.25 : null);
        }
    }

    @Test
    void shouldRefuseSizesThatAreNoPowersOfTwo() {
        assertThatThrownBy(() -> new TelecomSize("odd", 100, 10, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TelecomSize("odd", 64, 65, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TelecomSize.named("huge"))
                .hasMessage("size must be small, typical or worst, not 'huge'");
    }
}
