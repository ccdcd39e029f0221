// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TelecomExpectationTest {
    private static final List<String> GROUPINGS =
            List.of("all", "region,rat", "mvno,codec,releaseCause", "prepaid", "cellId", "app,sector,sni");

    static List<TelecomSettings> settings() {
        List<TelecomSettings> all = new ArrayList<>();
        for (TelecomSize size : SmallSizes.all()) {
            long window = size.windowRecords();
            TelecomSettings fourWindows = TelecomSettings.of(size).withRecords(4 * window);
            TelecomSettings andAPart = fourWindows.withRecords(5 * window + window / 3 + 1);
            all.addAll(List.of(
                    fourWindows,
                    andAPart,
                    andAPart.withDisorder(6),
                    andAPart.withLate(4),
                    andAPart.withLate(2).withDisorder(size.log2WindowRecords()).withBad(7),
                    fourWindows.withLate(size.slots()),
                    fourWindows.withRecords(5),
                    fourWindows.withRecords(0)));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldExpectWhatBruteForceFinds(TelecomSettings settings) throws Exception {
        for (String names : GROUPINGS) {
            List<TelecomDimension> dimensions = TelecomDimension.list(names);
            TelecomExpectation expectation = new TelecomExpectation(settings, dimensions);
            BruteForce found = BruteForce.of(settings, dimensions);
            Map<Long, Integer> rowsOfWindow = new HashMap<>();
            for (TelecomRow row : found.rows) {
                long window = (row.windowStart() - TelecomSize.FIRST_WINDOW_MS) / TelecomSize.WINDOW_MS;
                assertThat(expectation.sums(window, row.dimensions())).as(names).isEqualTo(row.sums());
                rowsOfWindow.merge(window, 1, Integer::sum);
            }
            for (long window = 0; window < expectation.windows(); window++) {
                assertThat(expectation.window(window).rows()).as(names).isEqualTo(rowsOfWindow.get(window));
            }
            assertThat(rowsOfWindow).hasSize((int) expectation.windows());
            assertThat(found.dropped).isEqualTo(settings.lateRecords());
            assertTotals(expectation.totals(), found.rows);
        }
    }

    private static void assertTotals(TelecomSums totals, List<TelecomRow> rows) {
        assertThat(totals.records())
                .isEqualTo(rows.stream().mapToLong(row -> row.sums().records()).sum());
        assertThat(totals.bytesUp())
                .isEqualTo(rows.stream().mapToLong(row -> row.sums().bytesUp()).sum());
        assertThat(totals.tcpMs())
                .isEqualTo(rows.stream().mapToLong(row -> row.sums().tcpMs()).sum());
        assertThat(totals.drops())
                .isEqualTo(rows.stream().mapToLong(row -> row.sums().drops()).sum());
        assertThat(totals.handovers())
                .isEqualTo(
                        rows.stream().mapToLong(row -> row.sums().handovers()).sum());
        assertThat(totals.setupFail())
                .isEqualTo(
                        rows.stream().mapToLong(row -> row.sums().setupFail()).sum());
        assertThat(totals.mos())
                .isEqualTo(rows.stream().mapToDouble(row -> row.sums().mos()).sum());
        assertThat(totals.sinr())
                .isEqualTo(rows.stream().mapToLong(row -> row.sums().sinr()).sum());
        assertThat(totals.volumeCharged())
                .isEqualTo(rows.stream()
                        .map(row -> row.sums().volumeCharged())
                        .reduce(null, (a, b) -> a == null ? b : b == null ? a : Long.valueOf(a + b)));
        assertThat(totals.cost())
                .isEqualTo(rows.stream()
                        .map(row -> row.sums().cost())
                        .reduce(null, (a, b) -> a == null ? b : b == null ? a : a.add(b)));
        assertThat(totals.sparse())
                .isEqualTo(rows.stream()
                        .map(row -> row.sums().sparse())
                        .reduce(null, (a, b) -> a == null ? b : b == null ? a : Double.valueOf(a + b)));
    }

    @ParameterizedTest
    @MethodSource("io.thalweg.workloads.telecom.SmallSizes#all")
    void shouldExpectOneRowForEachProfileAndWindow(TelecomSize size) {
        TelecomExpectation expectation = new TelecomExpectation(TelecomSettings.of(size), TelecomDimension.list("all"));
        assertThat(expectation.groups()).isEqualTo(size.profiles());
        assertThat(expectation.window(123).rows()).isEqualTo(size.profiles());
    }

    /** The table of the specification, column by column, for the sizes that it is made for. */
    @Test
    void shouldAgreeWithTheTableOfTheSpecification() {
        for (TelecomSize size :
                List.of(SmallSizes.FOUR_CYCLES, SmallSizes.SIXTEEN_CYCLES, TelecomSize.SMALL, TelecomSize.TYPICAL)) {
            TelecomProfiles profiles = TelecomProfiles.of(size);
            Occurrences occurrences = new Occurrences(profiles);
            occurrences.addWindows(3, 1);
            for (int g : new int[] {0, 1, 7, size.profiles() - 1}) {
                SumsOfProfiles sums = new SumsOfProfiles();
                sums.add(g, Measure.bases(g), occurrences);
                TelecomSums is = sums.toSums();
                long c = size.cycles();
                long m = profiles.weight(g);
                assertThat(is.records()).isEqualTo(c * m);
                assertThat(is.bytesUp())
                        .isEqualTo(m * (c * tailed(Mix.BYTES_UP, 800, Mix.BYTES_UP_TAIL, g) + c * (c - 1) / 2));
                assertThat(is.pktsDown())
                        .isEqualTo(m * (c * tailed(Mix.PKTS_DOWN, 30, Mix.PKTS_DOWN_TAIL, g) + c * (c - 1) / 2));
                assertThat(is.drops()).isEqualTo(m * c / 4);
                assertThat(is.handovers()).isEqualTo(m * c / 4);
                assertThat(is.setupFail()).isEqualTo(m * c / 4);
                assertThat(is.jitter()).isEqualTo(m * (c * Mix.JITTER.of(g, 400) + c * (c - 1) / 2) / 8.0);
                assertThat(is.rsrp()).isEqualTo(-m * (c * (Mix.RSRP.of(g, 100_000) % 140) + c / 2));
                assertThat(is.volumeCharged()).isEqualTo(m * Mix.VOLUME_CHARGED.of(g, 100_000) * 3 * c / 4);
                assertThat(is.cost()).isEqualTo(BigDecimal.valueOf(m * Mix.COST.of(g, 1_000_000) * 3 * c / 4, 4));
                assertThat(is.sparse()).isEqualTo(g % 100 == 0 ? Double.valueOf(m * c / 4.0) : null);
            }
        }
    }

    private static long tailed(Mix mix, int bound, Mix tail, int g) {
        return mix.of(g, bound) * (1L << Math.min(20, Long.numberOfTrailingZeros(tail.of(g))));
    }

    @Test
    void shouldFindGroupsByTheirValuesOnly() {
        TelecomExpectation expectation =
                new TelecomExpectation(TelecomSettings.of(TelecomSize.SMALL), TelecomDimension.list("region,mvno"));
        Groups groups = expectation.window(0).groups();
        List<List<@Nullable String>> keys =
                IntStream.range(0, groups.count()).mapToObj(groups::keyOfGroup).toList();
        assertThat(keys).doesNotHaveDuplicates().allSatisfy(key -> {
            assertThat(groups.keyOfGroup(groups.find(key))).isEqualTo(key);
        });
        assertThat(groups.find(List.of("north", "no such"))).isEqualTo(Groups.NONE);
    }

    @Test
    void shouldHaveNoTotals_whenEndless() {
        TelecomExpectation expectation =
                new TelecomExpectation(TelecomSettings.of(TelecomSize.SMALL), TelecomDimension.list("rat"));
        assertThatThrownBy(expectation::totals).hasMessage("a stream without an end has no totals");
    }
}
