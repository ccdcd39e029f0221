// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomDimension;
import io.thalweg.workloads.telecom.TelecomGenerator;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.flink.api.java.tuple.Tuple3;
import org.junit.jupiter.api.Test;

final class FlattenerTest {
    private static final TelecomLines LINES = new TelecomLines(TelecomSize.SMALL);

    @Test
    void shouldReadEveryFieldOfALine() {
        TelecomGenerator generator = new TelecomGenerator(TelecomSize.SMALL);
        Flattener flattener = new Flattener();
        for (int i = 0; i < TelecomSize.SMALL.slots(); i++) {
            Probe probe = generator.probe(i);
            Probe.Measures m = probe.measures();

            Tuple3<String[], long[], double[]> flat = flattener.map(LINES.line(i));

            assertThat(flat.f0)
                    .as("dimensions of record " + i)
                    .containsExactly(Arrays.stream(TelecomDimension.values())
                            .map(dimension -> dimension.text(probe.dimensions()))
                            .toArray(String[]::new));
            assertThat(flat.f1)
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
            assertThat(flat.f2)
                    .as("other measures of record " + i)
                    .containsExactly(m.rtt(), m.jitter(), m.mos(), m.sparse() == null ? 0 : m.sparse());
        }
    }

    @Test
    void shouldReadFieldsInAnyOrderAndSkipOthers() {
        String line = "{\"other\":[1,{\"a\":2}],\"measures\":{\"cost\":1.25,\"new\":null,\"rtt\":0.5,\"bytesUp\":7},"
                + "\"cell\":{\"rat\":\"NR\",\"sector\":3,\"cellId\":\"c\"}}";

        Tuple3<String[], long[], double[]> flat = new Flattener().map(line.getBytes(StandardCharsets.UTF_8));

        assertThat(flat.f0[0]).isEqualTo("c");
        assertThat(flat.f0[2]).isEqualTo("3");
        assertThat(flat.f0[8]).isEqualTo("NR");
        assertThat(flat.f1[Flattener.BYTES_UP]).isEqualTo(7);
        assertThat(flat.f1[flat.f1.length - 1]).isEqualTo(12_500);
        assertThat(flat.f2[0]).isEqualTo(0.5);
    }
}
