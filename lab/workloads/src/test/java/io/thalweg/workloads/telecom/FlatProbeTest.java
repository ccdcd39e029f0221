// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

final class FlatProbeTest {
    private static final TelecomLines LINES = new TelecomLines(TelecomSize.SMALL);

    @Test
    void shouldReadEveryFieldOfALine() {
        TelecomGenerator generator = new TelecomGenerator(TelecomSize.SMALL);
        for (int i = 0; i < TelecomSize.SMALL.slots(); i++) {
            Probe probe = generator.probe(i);
            Probe.Measures m = probe.measures();

            FlatProbe flat = FlatProbe.of(LINES.line(i));

            assertThat(flat.dimensions())
                    .as("dimensions of record " + i)
                    .containsExactly(Arrays.stream(TelecomDimension.values())
                            .map(dimension -> dimension.text(probe.dimensions()))
                            .toArray(String[]::new));
            assertThat(flat.whole())
                    .as("whole measures of record " + i)
                    .containsExactly(
                            m.records(),
                            TelecomLines.BYTES_UP + i,
                            m.bytesDown(),
                            m.pktsUp(),
                            m.pktsDown(),
                            m.durationMs(),
                            m.retrans(),
                            m.dnsMs(),
                            m.tcpMs(),
                            m.drops(),
                            m.handovers(),
                            m.setupFail(),
                            m.rsrp(),
                            m.sinr(),
                            m.volumeCharged() == null ? 0 : m.volumeCharged(),
                            m.cost() == null
                                    ? 0
                                    : m.cost()
                                            .multiply(BigDecimal.valueOf(10_000))
                                            .longValueExact());
            assertThat(flat.fractions())
                    .as("other measures of record " + i)
                    .containsExactly(m.rtt(), m.jitter(), m.mos(), m.sparse() == null ? 0 : m.sparse());
        }
    }

    /** So that each measure of whoever reads records and of whoever reads flat ones can be held against what was sent. */
    @Test
    void shouldHaveTheSameUnitsAsTheSumsOfRecordsAndAsWhatWasSent() {
        LongFunction<long[]> sent = TelecomLines.units(TelecomSize.SMALL);
        for (long n : new long[] {0, 1, 100, 4_095, 4_096, 200_000}) {
            FlatProbe flat = FlatProbe.of(LINES.line(n));

            assertThat(FlatProbe.units(flat.whole(), flat.fractions()))
                    .as("record " + n)
                    .isEqualTo(sent.apply(n));
        }
        TelecomSums sums = new TelecomSums(
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0.5, 1.125, 3, -4, -5, null, new BigDecimal("1.25"), null);
        assertThat(sums.units()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 4, 9, 24, -4, -5, 0, 12_500, 0);
        assertThat(TelecomSums.eighths(0.1)).as("no sum of eighths").isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void shouldReadFieldsInAnyOrderAndSkipOthers() {
        String line = "{\"other\":[1,{\"a\":2}],\"measures\":{\"cost\":1.25,\"new\":null,\"rtt\":0.5,\"bytesUp\":7},"
                + "\"cell\":{\"rat\":\"NR\",\"sector\":3,\"cellId\":\"c\"}}";

        FlatProbe flat = FlatProbe.of(line.getBytes(StandardCharsets.UTF_8));

        assertThat(flat.dimensions()[0]).isEqualTo("c");
        assertThat(flat.dimensions()[2]).isEqualTo("3");
        assertThat(flat.dimensions()[8]).isEqualTo("NR");
        assertThat(flat.number() + TelecomLines.BYTES_UP).isEqualTo(7);
        assertThat(flat.whole()[flat.whole().length - 1]).isEqualTo(12_500);
        assertThat(flat.fractions()[0]).isEqualTo(0.5);
    }

    @Test
    void shouldTellKeysApartByAllDimensions_whateverIsHashed() {
        String[] one = FlatProbe.of(LINES.line(7)).dimensions();
        String[] other = one.clone();
        other[Arrays.asList(TelecomDimension.values()).indexOf(TelecomDimension.SITE)] = "elsewhere";
        assertThat(FlatKey.hashOfFew(other)).as("of six others").isEqualTo(FlatKey.hashOfFew(one));
        assertThat(FlatKey.hashOfAll(other)).isNotEqualTo(FlatKey.hashOfAll(one));
        assertThat(new FlatKey(one, 1)).isEqualTo(new FlatKey(one.clone(), 1)).isNotEqualTo(new FlatKey(other, 1));
    }
}
