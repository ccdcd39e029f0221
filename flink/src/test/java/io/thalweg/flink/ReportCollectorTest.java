// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.flink.report.Printed;
import io.thalweg.flink.report.Reports;
import io.thalweg.run.RunSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportCollectorTest {
    private final ByteArrayOutputStream console = new ByteArrayOutputStream();
    private final ReportCollector collector = new ReportCollector(
            "topology",
            RunSettings.defaults().withConsole(new PrintStream(console, true, StandardCharsets.UTF_8)),
            List.of("source"),
            List.of("sink"));

    private void hear(Printed printed) {
        collector.take(Map.of(Reports.PRINTED + "sink", printed.getLocalValue()));
        collector.tellPrinted();
    }

    /** An attempt prints from its beginning, however much the one before has printed. */
    @Test
    void shouldPrintAllOfEachAttempt_andEachLineOnce() {
        Printed first = new Printed(0, 0);
        first.stream().print("1\n2\n");
        hear(first);
        first.stream().print("3\n");
        hear(first);
        Printed second = new Printed(0, 1);
        hear(second);
        second.stream().print("2\n");
        hear(second);
        second.stream().print("3\n4\n");
        hear(second);

        assertThat(console.toString(StandardCharsets.UTF_8)).isEqualTo("1\n2\n3\n2\n3\n4\n");
    }
}
