// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProgressTest {
    private final Progress progress = new Progress();

    @Test
    void shouldTellRatesSinceTheStartAtFirst() {
        progress.add(Sample.at(0.5, 1_000, 10, 0, 0, Sample.task("read[0]", 0.25)));

        assertThat(progress.lines(Style.PLAIN))
                .containsExactly(
                        "  2.00 k/s in       20/s out   latency p50 85 us p99 1.25 ms   elapsed 0.50 s",
                        "  total 1,000 in 10 out   busiest read[0] 50 %");
    }

    @Test
    void shouldTellRatesOfTheLastSecond() {
        progress.add(Sample.at(1, 1_000_000, 0, 0, 0, Sample.task("read[0]", 1), Sample.task("sum[0]", 0)));
        for (int quarter = 1; quarter <= 4; quarter++) {
            progress.add(Sample.at(
                    1 + quarter / 4.0,
                    1_000_000 + quarter * 50,
                    quarter,
                    0,
                    0,
                    Sample.task("read[0]", 1 + quarter * 0.01),
                    Sample.task("sum[0]", quarter * 0.2)));
        }

        assertThat(progress.lines(Style.PLAIN))
                .containsExactly(
                        "     200/s in      4.0/s out   latency p50 85 us p99 1.25 ms   elapsed 2.00 s",
                        "  total 1,000,200 in 4 out   busiest sum[0] 80 %");
    }

    @Test
    void shouldTellRatesSinceTheJobWasStartedAgain() {
        for (int hour = 1; hour <= 3; hour++) {
            progress.add(Sample.at(hour * 3_600, hour * 3_600_000L, 0, 0, 0));
        }
        progress.add(Sample.at(0.5, 1_000, 10, 0, 0));

        assertThat(progress.line())
                .isEqualTo("after 0.50 s: 1,000 in 10 out, 2.00 k/s in, 20/s out, latency p50 85 us p99 1.25 ms");
    }

    @Test
    void shouldTellOfBadAndLateRecordsOnlyWhereThereAreAny() {
        progress.add(Sample.at(1, 100, 100, 0, 0));
        assertThat(progress.line())
                .isEqualTo("after 1.00 s: 100 in 100 out, 100/s in, 100/s out, latency p50 85 us p99 1.25 ms");

        progress.add(Sample.at(2, 200, 200, 3, 1_234));
        assertThat(progress.line()).endsWith(", 3 bad, 1,234 late");
        assertThat(progress.lines(Style.PLAIN).get(1)).endsWith("   3 bad   1,234 late");
    }

    @Test
    void shouldColourOnlyWhereWanted() {
        progress.add(Sample.at(1, 100, 100, 3, 0));

        assertThat(progress.lines(Style.PLAIN)).noneMatch(line -> line.contains("\u001b"));
        assertThat(progress.lines(new Style(true)).get(1)).endsWith("\u001b[33m3 bad\u001b[0m");
    }
}
