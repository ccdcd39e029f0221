// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.window.WindowResult;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TelecomRowTest {
    private static TelecomSums sums(@Nullable BigDecimal cost) {
        return new TelecomSums(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13.5, 14.125, 15, -16, -17, null, cost, 0.25);
    }

    @Test
    void shouldStandAsALineOfCsv() {
        TelecomRow row = new TelecomRow(Arrays.asList("north", null), 1_000, 2_000, sums(new BigDecimal("1.5")));
        assertThat(row.text())
                .isEqualTo("1000,2000,north,,1,2,3,4,5,6,7,8,9,10,11,12,13.5,14.125,15.0,-16,-17,,1.5000,0.25");
        assertThat(TelecomRow.columns(TelecomDimension.list("region,mvno")))
                .hasSize(24)
                .startsWith("windowStart", "windowEnd", "region", "mvno", "records", "bytesUp")
                .endsWith("cost", "sparse");
    }

    @Test
    void shouldNotMindHowACostIsWritten() {
        assertThat(sums(new BigDecimal("1.50000"))).isEqualTo(sums(new BigDecimal("1.5")));
        assertThat(sums(new BigDecimal("1E+2"))).isEqualTo(sums(new BigDecimal("100.0000")));
        assertThat(sums(new BigDecimal("1.50001"))).isNotEqualTo(sums(new BigDecimal("1.5")));
        assertThat(sums(null)).isNotEqualTo(sums(BigDecimal.ZERO));
    }

    @Test
    void shouldHaveTheSameRow_byAllDimensionsAndByTheirList() throws Exception {
        Probe probe = new TelecomGenerator(TelecomSize.SMALL).probe(4_711);
        DimensionKey key = DimensionKey.by(TelecomDimension.list("all")).apply(probe);
        assertThat(TelecomRow.ofAll(new WindowResult<>(probe.dimensions(), 0, 1, sums(null))))
                .isEqualTo(TelecomRow.of(new WindowResult<>(key, 0, 1, sums(null))));
    }

    @Test
    void shouldTravelAsBytes() throws Exception {
        Probe probe = new TelecomGenerator(TelecomSize.SMALL).probe(4_711);
        assertThat(Type.of(Probe.class).codec().copy(probe)).isEqualTo(probe);
        DimensionKey key =
                DimensionKey.by(TelecomDimension.list("rat,mvno,alpn")).apply(probe);
        assertThat(Type.of(DimensionKey.class).codec().copy(key)).isEqualTo(key);
        TelecomRow row = new TelecomRow(key.values(), 0, 300_000, sums(BigDecimal.ONE));
        assertThat(Type.of(TelecomRow.class).codec().copy(row)).isEqualTo(row);
    }

    @Test
    void shouldHaveAFingerprintOfWellSpreadHashes() {
        assertThat(Fingerprint.hash("")).isNotEqualTo(Fingerprint.hash("a"));
        Fingerprint forward = new Fingerprint();
        Fingerprint backward = new Fingerprint();
        List<String> texts = List.of("a", "b", "a", "");
        texts.forEach(forward::add);
        for (int i = texts.size() - 1; i >= 0; i--) {
            backward.add(texts.get(i));
        }
        assertThat(forward.toString()).isEqualTo(backward.toString()).matches("[0-9a-f]{16}");
    }
}
