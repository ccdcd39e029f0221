// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.BadReason;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.SplitLag;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportTest {
    private static final String SUMMARY =
            "Rivers finished in 2.00 s: 200 records in, 20 out, 100/s, latency p50 85 us p99 1.25 ms";

    private final Screen screen = new Screen();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream error = new ByteArrayOutputStream();

    @Test
    void shouldRewriteProgressInPlace() {
        Report report = new Report(out, terminal(), false, false, true, new Style(true));

        report.tick(1, Sample.at(0.25, 100, 1, 0, 0, Sample.task("read[0]", 0.1)));
        int writes = screen.writes();
        report.tick(2, Sample.at(0.5, 200, 2, 0, 0));

        assertThat(screen.writes()).as("one write, so nothing flickers").isEqualTo(writes + 1);
        assertThat(screen.seen())
                .containsExactly(
                        "     400/s in      4.0/s out   latency p50 85 us p99 1.25 ms   elapsed 0.50 s",
                        "  total 200 in 2 out");
    }

    @Test
    void shouldLeaveTheSummaryInPlaceOfProgress() {
        Report report = new Report(out, terminal(), false, false, true, Style.PLAIN);

        report.tick(4, Sample.at(1, 100, 10, 0, 0));
        report.end(Sample.of(JobState.FINISHED, 2, 200, 20, 0, 0, 0), new Kept("letters", 0));
        report.tick(12, Sample.at(3, 300, 30, 0, 0));

        assertThat(screen.seen()).containsExactly(SUMMARY);
    }

    @Test
    void shouldPrintResultsAboveProgressOnTheSameTerminal() {
        Report report = new Report(screen, terminal(), false, true, true, Style.PLAIN);

        report.tick(1, Sample.at(0.25, 100, 1, 0, 0));
        report.results().println("first");
        report.results().println("second");
        report.tick(2, Sample.at(0.5, 200, 2, 0, 0));

        assertThat(screen.seen())
                .hasSize(4)
                .startsWith("first", "second")
                .last()
                .isEqualTo("  total 200 in 2 out");

        report.say("stopping");
        report.tick(3, Sample.at(0.75, 300, 3, 0, 0));
        report.results().println("third");
        report.end(Sample.of(JobState.FINISHED, 2, 200, 20, 0, 0, 0), new Kept("letters", 0));

        assertThat(screen.seen()).containsExactly("first", "second", "thalweg: stopping", "third", SUMMARY);
    }

    @Test
    void shouldNotMixProgressIntoALineOfResults() {
        Report report = new Report(screen, terminal(), false, true, true, Style.PLAIN);

        report.results().print("half a ");
        report.tick(1, Sample.at(0.25, 100, 1, 0, 0));
        report.tick(2, Sample.at(0.5, 100, 1, 0, 0));
        report.results().println("line");
        report.tick(3, Sample.at(0.75, 100, 1, 0, 0));

        assertThat(screen.seen()).hasSize(3).first().isEqualTo("half a line");
    }

    @Test
    void shouldWriteALineEveryFiveSecondsIntoAFile() {
        Report report = piped(out, false);

        int ticks = 0;
        for (int quarter = 1; quarter < 60; quarter++) {
            if (report.wantsTick(quarter)) {
                ticks++;
                report.tick(quarter, Sample.at(quarter / 4.0, quarter * 100L, quarter, 0, 0));
            }
        }
        assertThat(ticks).as("measuring costs an idle job more than all else").isEqualTo(5);

        assertThat(text(error).lines())
                .containsExactly(
                        "thalweg: after 5.00 s: 2,000 in 20 out, 400/s in, 4.0/s out, latency p50 85 us p99 1.25 ms",
                        "thalweg: after 10.0 s: 4,000 in 40 out, 400/s in, 4.0/s out, latency p50 85 us p99 1.25 ms");
    }

    /** As on Flink, which is asked once a second. */
    @Test
    void shouldTellALineAsSoonAsFiguresAreThere_ifTheyComeLate() {
        Report report = piped(out, false);

        for (int quarter = 1; quarter <= 44; quarter++) {
            if (report.wantsTick(quarter)) {
                report.tick(quarter, Sample.at(Math.max(0, quarter / 4.0 - 1), quarter * 100L, quarter, 0, 0));
            }
        }

        assertThat(text(error).lines().map(line -> line.substring(0, line.indexOf(':', 9))))
                .containsExactly("thalweg: after 5.00 s", "thalweg: after 10.0 s");
    }

    @Test
    void shouldTellALineEveryFiveSeconds_ifItIsAskedLateEachTime() {
        Report report = piped(out, false);

        int quarters = 2_400;
        double late = 0.26;
        for (int quarter = 1; quarter <= quarters; quarter++) {
            if (report.wantsTick(quarter)) {
                report.tick(quarter, Sample.at(quarter * late, quarter * 100L, quarter, 0, 0));
            }
        }

        assertThat(text(error).lines()).hasSizeGreaterThanOrEqualTo((int) (quarters * late / 5) - 1);
    }

    @Test
    void shouldGoOnTellingLines_ifTheJobIsStartedAgain() {
        Report report = piped(out, false);

        int ticks = 0;
        for (int quarter = 1; quarter <= 150; quarter++) {
            int sinceStart = quarter < 106 ? quarter : quarter - 105;
            if (report.wantsTick(quarter)) {
                ticks++;
                report.tick(quarter, Sample.at(sinceStart / 4.0, sinceStart * 100L, sinceStart, 0, 0));
            }
        }

        assertThat(text(error).lines().skip(4))
                .containsExactly(
                        "thalweg: after 25.0 s: 10,000 in 100 out, 400/s in, 4.0/s out, latency p50 85 us p99 1.25 ms",
                        "thalweg: after 5.00 s: 2,000 in 20 out, 400/s in, 4.0/s out, latency p50 85 us p99 1.25 ms",
                        "thalweg: after 10.0 s: 4,000 in 40 out, 400/s in, 4.0/s out, latency p50 85 us p99 1.25 ms");
        assertThat(ticks).as("no more than before").isLessThanOrEqualTo(16);
    }

    @Test
    void shouldTellWhatTheJobWaitsFor() {
        Report report = piped(out, false);
        ConnectionStats lost = new ConnectionStats(
                "read", "Kafka at h:9092", "no answer for 5 s", 2, 14_000_000_000L, 12_000_000_000L);

        report.tick(20, Sample.at(5, 100, 10, 0, 0, Sample.waiting("read[0]", lost)));
        report.end(Sample.at(6, 100, 10, 0, 0, Sample.waiting("read[0]", lost)), new Kept("letters", 0));

        assertThat(error.toString(StandardCharsets.UTF_8))
                .contains("waits for Kafka at h:9092, lost for 12.0 s\n")
                .contains("  Kafka at h:9092 was lost 2 times, for 14.0 s\n");
    }

    @Test
    void shouldTellHowFarSourcesAreBehind() {
        piped(out, false)
                .tick(
                        20,
                        Sample.at(
                                5,
                                100,
                                10,
                                0,
                                0,
                                Sample.behind("read[0]", new SplitLag("a-0", 1_000), new SplitLag("a-2", 0)),
                                Sample.behind("read[1]", new SplitLag("a-1", 234))));

        assertThat(error.toString(StandardCharsets.UTF_8)).contains("p99 1.25 ms, lag 1,234\n");
    }

    @Test
    void shouldTellInTheSummaryWhatIsNotAsItShouldBe() {
        Report report = piped(out, false);

        report.end(Sample.of(JobState.CANCELLED, 2, 200, 20, 1, 3, 12_000), new Kept("Rivers.dead-letters.jsonl", 1));

        assertThat(text(error).lines())
                .containsExactly(
                        "Rivers cancelled after 2.00 s: 200 records in, 20 out, 100/s, latency p50 85 us p99 1.25 ms",
                        "  1 bad record, kept in Rivers.dead-letters.jsonl",
                        "    1 in 'parse': no level: #; levels.txt, line 3, offset 8: no level: 12x",
                        "  3 late records, left out of windows that had closed",
                        "  12,000 open windows, not emitted");
    }

    @Test
    void shouldTellWhyRecordsWereBadAndHowManyAreKept() {
        List<BadReason> reasons = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            reasons.add(new BadReason("parse", "reason " + (char) ('a' + i), 100 - i, "", 0, 0, ""));
        }
        JobStats stats = Sample.of(JobState.FAILED, 2, 200, 20, 1_000, 0, 0, reasons);

        piped(out, false).failed(stats, new Kept("letters\u001b[2J", 10));

        assertThat(text(error).lines())
                .containsExactly(
                        "  1,000 bad records, 10 kept in letters\\u001b[2J, 990 not kept",
                        "    100 in 'parse': reason a",
                        "    99 in 'parse': reason b",
                        "    98 in 'parse': reason c",
                        "    97 in 'parse': reason d",
                        "    96 in 'parse': reason e",
                        "    510 for other reasons");
    }

    @Test
    void shouldPrintNothingButResultsWhenQuiet() {
        Report report = piped(out, true);

        report.results().println("größer");
        report.tick(24, Sample.at(6, 100, 1, 0, 0));
        assertThat(text(out)).isEqualTo("größer\n");
        report.end(Sample.of(JobState.FINISHED, 7, 200, 20, 5, 5, 0), new Kept("letters", 0));

        assertThat(text(error)).isEmpty();
    }

    @Test
    void shouldNoticeThatResultsCannotBeWritten() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        Report report = piped(closed, false);

        assertThat(report.isOutputLost()).isFalse();
        report.results().println("into the void");
        assertThat(report.isOutputLost()).isTrue();
    }

    private PrintStream terminal() {
        return new PrintStream(screen, true, StandardCharsets.UTF_8);
    }

    private Report piped(OutputStream results, boolean quiet) {
        return new Report(
                results, new PrintStream(error, true, StandardCharsets.UTF_8), quiet, false, false, Style.PLAIN);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
