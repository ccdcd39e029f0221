// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TelecomDimensionTest {
    /** Cardinalities, D1 to D62, as specified; D1 is exact only up to 60,000 profiles. */
    private static final int[] CARDINALITIES = {
        60_000, 20_000, 3, 1_200, 900, 60, 12, 4, 5, 12, 40, 12, 24, 16, 48, 4, 12_000, 8_000, 180, 9, 120, 7, 2, 2, 2,
        8, 1_024, 90, 6, 2, 14, 230, 700, 4, 8, 3_000, 60, 2_500, 35, 250, 3, 400, 3_000, 20, 120, 2, 5, 20_000, 20, 30,
        60, 150, 6, 14, 15, 4, 8, 3, 22, 60, 5, 9
    };

    private static final Map<TelecomDimension, Integer> EMPTY_PERCENT = Map.ofEntries(
            Map.entry(TelecomDimension.MVNO, 85),
            Map.entry(TelecomDimension.AGE_BAND, 35),
            Map.entry(TelecomDimension.CORPORATE_ID, 92),
            Map.entry(TelecomDimension.CDN, 60),
            Map.entry(TelecomDimension.TLS_VERSION, 58),
            Map.entry(TelecomDimension.SNI, 58),
            Map.entry(TelecomDimension.ALPN, 90),
            Map.entry(TelecomDimension.CONTENT_TYPE, 45),
            Map.entry(TelecomDimension.RELEASE_CAUSE, 70),
            Map.entry(TelecomDimension.HANDOVER_TYPE, 80),
            Map.entry(TelecomDimension.CODEC, 95));

    private static final List<TelecomDimension> ALL = List.of(TelecomDimension.values());
    private static final int PROFILES = 60_000;
    private static final Map<TelecomDimension, Map<Object, Integer>> COUNTS = new EnumMap<>(TelecomDimension.class);

    @BeforeAll
    static void countValues() {
        DimensionRules rules = new DimensionRules(PROFILES);
        for (int g = 0; g < PROFILES; g++) {
            Dimensions dimensions = rules.dimensions(g);
            for (TelecomDimension dimension : TelecomDimension.values()) {
                Object value = dimension.value(dimensions);
                COUNTS.computeIfAbsent(dimension, d -> new HashMap<>())
                        .merge(value == null ? "" : value, 1, Integer::sum);
            }
        }
    }

    @Test
    void shouldHaveTheSpecifiedCardinalities() {
        assertThat(TelecomDimension.values()).hasSize(62);
        for (int i = 0; i < 62; i++) {
            TelecomDimension dimension = ALL.get(i);
            int specified = CARDINALITIES[i];
            Set<Object> values = new HashSet<>(COUNTS.get(dimension).keySet());
            values.remove("");
            assertThat(values).as("%s: at most", dimension).hasSizeLessThanOrEqualTo(specified);
            // draws without system leave some of the many out
            int most = specified <= 1_200 ? specified : (int) (0.6 * specified);
            assertThat(values).as("%s: at least", dimension).hasSizeGreaterThanOrEqualTo(most);
        }
    }

    @Test
    void shouldBeEmptyAsOftenAsSpecified() {
        for (TelecomDimension dimension : TelecomDimension.values()) {
            int empty = COUNTS.get(dimension).getOrDefault("", 0);
            double percent = 100.0 * empty / PROFILES;
            assertThat(percent).as("%s", dimension).isCloseTo(EMPTY_PERCENT.getOrDefault(dimension, 0), within(0.5));
            if (!EMPTY_PERCENT.containsKey(dimension)) {
                assertThat(empty).as("%s", dimension).isZero();
            }
        }
    }

    @Test
    void shouldWeighRadioAccessAndProtocolsAsSpecified() {
        assertShare(TelecomDimension.RAT, "LTE", 62);
        assertShare(TelecomDimension.RAT, "NR", 22);
        assertShare(TelecomDimension.RAT, "UMTS", 9);
        assertShare(TelecomDimension.RAT, "GSM", 5);
        assertShare(TelecomDimension.RAT, "NB-IoT", 2);
        assertShare(TelecomDimension.L7_PROTO, "TLS", 33);
        assertShare(TelecomDimension.SERVER_PORT, 443, 20);
        double topTen = COUNTS.get(TelecomDimension.L7_PROTO).values().stream()
                .sorted((a, b) -> b - a)
                .limit(10)
                .mapToInt(Integer::intValue)
                .sum();
        assertThat(100 * topTen / PROFILES).isCloseTo(61, within(1.0));
    }

    private static void assertShare(TelecomDimension dimension, Object value, int percent) {
        int count = COUNTS.get(dimension).get(value);
        assertThat(100.0 * count / PROFILES).as("%s %s", dimension, value).isCloseTo(percent, within(1.0));
    }

    @Test
    void shouldFollowOnlyFromTheRoots() {
        // what hangs on the cell alone: the same site has the same tac, city, province and region
        Map<String, List<Object>> ofSite = new HashMap<>();
        DimensionRules rules = new DimensionRules(TelecomSize.WORST.profiles());
        for (int g = 0; g < 200_000; g++) {
            Probe.Cell cell = rules.dimensions(g).cell();
            List<Object> parents = List.of(cell.tac(), cell.city(), cell.province(), cell.region(), cell.upf());
            List<Object> known = ofSite.putIfAbsent(cell.site(), parents);
            assertThat(known == null || known.equals(parents)).as(cell.site()).isTrue();
        }
    }

    @Test
    void shouldUseTextsThatNeedNoQuoting() {
        COUNTS.forEach((dimension, values) -> assertThat(values.keySet())
                .as("%s", dimension)
                .allSatisfy(value -> assertThat(value.toString()).matches("[A-Za-z0-9._/+-]*")));
    }

    @Test
    void shouldBeNamedAsTheComponents() {
        List<String> components = Stream.of(Dimensions.class.getRecordComponents())
                .flatMap(part -> Stream.of(part.getType().getRecordComponents()))
                .map(component -> component.getName())
                .toList();
        assertThat(Stream.of(TelecomDimension.values()).map(TelecomDimension::fieldName))
                .isEqualTo(components);
        assertThat(Stream.of(Measure.values()).map(measure -> measure.fieldName))
                .isEqualTo(Stream.of(Probe.Measures.class.getRecordComponents())
                        .map(component -> component.getName())
                        .toList());
    }

    @Test
    void shouldReadListsOfNames() {
        assertThat(TelecomDimension.list("region, rat")).containsExactly(TelecomDimension.REGION, TelecomDimension.RAT);
        assertThat(TelecomDimension.list("cell_id,qci_5qi,l7Proto"))
                .containsExactly(TelecomDimension.CELL_ID, TelecomDimension.QCI_5QI, TelecomDimension.L7_PROTO);
        assertThat(TelecomDimension.list("all")).containsExactly(TelecomDimension.values());
    }

    @Test
    void shouldNameAllDimensions_whenOneIsUnknown() {
        assertThatThrownBy(() -> TelecomDimension.list("region,colour"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("there is no dimension 'colour'; there are: cellId, site, sector,")
                .hasMessageEndingWith("handoverType, codec")
                .hasMessageNotContaining(System.lineSeparator());
        assertThatThrownBy(() -> TelecomDimension.list("rat,rat")).hasMessage("a dimension comes twice in 'rat,rat'");
    }
}
