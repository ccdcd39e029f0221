// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.flink.report.BadRecords;
import io.thalweg.flink.report.Printed;
import io.thalweg.flink.report.Reports;
import io.thalweg.flink.report.Warned;
import io.thalweg.run.RunSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportCollectorTest {
    private final ByteArrayOutputStream console = new ByteArrayOutputStream();
    private final List<Long> bad = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final ReportCollector collector = new ReportCollector(
            "topology",
            RunSettings.defaults()
                    .withConsole(new PrintStream(console, true, StandardCharsets.UTF_8))
                    .withBadRecords((topology, operator, record) -> bad.add(record.offset()))
                    .withWarnings(warnings::add),
            List.of("source"),
            List.of("sink"));

    private void hear(Printed printed) {
        collector.take(Map.of(Reports.PRINTED + "sink", printed.getLocalValue()));
        collector.tellPrinted();
    }

    /** An attempt prints from its beginning, however much the one before has printed. */
    @Test
    void shouldPrintAllOfEachAttempt_andEachLineOnce() {
        Printed first = new Printed(0, 0, 1);
        first.stream().print("1\n2\n");
        hear(first);
        first.stream().print("3\n");
        hear(first);
        Printed second = new Printed(0, 1, 1);
        hear(second);
        second.stream().print("2\n");
        hear(second);
        second.stream().print("3\n4\n");
        hear(second);

        assertThat(console.toString(StandardCharsets.UTF_8)).isEqualTo("1\n2\n3\n2\n3\n4\n");
    }

    /** Flink may take what is printed between two bytes of a character. */
    @Test
    void shouldPrintWholeCharacters() {
        Printed printed = new Printed(0, 0, 1);
        PrintStream stream = printed.stream();
        for (byte each : "a€b𝄞ä".getBytes(StandardCharsets.UTF_8)) {
            stream.write(each);
            stream.flush();
            hear(printed);
        }

        assertThat(console.toString(StandardCharsets.UTF_8)).isEqualTo("a€b𝄞ä");
    }

    /** An attempt of a task that continues from a checkpoint with some bad records, and finds others. */
    private void hear(int attempt, long before, long... offsets) {
        BadRecords records = new BadRecords(attempt, 1);
        records.addCount(before);
        for (long offset : offsets) {
            records.add("map", new BadRecord("split", 0, offset, "it is no number", new byte[0]));
        }
        collector.take(Map.of(Reports.BAD + Reports.nameOf("map", 0), records.getLocalValue()));
    }

    @Test
    void shouldKeepBadRecordsOfEachAttempt() {
        hear(0, 2, 3, 4); // the first two were those of another job
        hear(0, 2, 3, 4, 5);
        hear(1, 4);
        hear(1, 4, 5, 6);
        collector.tellAll();

        assertThat(bad).as("5 is read again").containsExactly(3L, 4L, 5L, 5L, 6L);
        assertThat(warnings).isEmpty();
        assertThat(collector.recordsBad()).isEqualTo(6);
    }

    @Test
    void shouldTellOfBadRecordsThatAFailedTaskHadNotSent() {
        hear(0, 0, 1);
        hear(1, 3, 4);
        collector.tellAll();

        assertThat(bad).containsExactly(1L, 4L);
        assertThat(warnings)
                .containsExactly(
                        "2 bad records were counted, but are not in the dead letters: Flink sends back only the"
                                + " first of each task, and of one that failed only what it had sent before");
    }

    private void hear(Warned warned) {
        collector.take(Map.of(Reports.WARNED + Reports.nameOf("source", 0), warned.getLocalValue()));
        collector.tellWarnings();
    }

    @Test
    void shouldTellEachLineOfEachAttemptOnce() {
        Warned first = new Warned(0, 1);
        first.add("it waits");
        hear(first);
        first.add("it waits on");
        hear(first);
        hear(first);
        Warned second = new Warned(1, 1);
        hear(second);
        second.add("it waits");
        hear(second);
        collector.tellAll();

        assertThat(warnings).containsExactly("it waits", "it waits on", "it waits");
    }

    /** All of them come with each heartbeat. */
    @Test
    void shouldSayHowManyLinesAreOnlyInTheLog() {
        Warned warned = new Warned(0, 4);
        for (int line = 0; line < 103; line++) {
            warned.add("line " + line);
        }
        Warned others = new Warned(0, 512);
        others.add("x".repeat(1_000_000));
        others.add("y".repeat(1_000_000));
        hear(warned);
        collector.take(Map.of(Reports.WARNED + Reports.nameOf("sink", 0), others.getLocalValue()));
        collector.tellAll();

        assertThat(warnings)
                .hasSize(103)
                .startsWith("line 0", "line 1")
                .contains("line 99", "x".repeat(2_000) + "…")
                .endsWith(
                        "operator 'sink': 1 more lines for you are only in Flink's log, on the machine of its task",
                        "operator 'source': 3 more lines for you are only in Flink's log, on the machine of its task");
    }
}
