// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TelecomCheckTest {
    private static final TelecomSize SIZE = SmallSizes.SIXTEEN_CYCLES;
    private static final List<TelecomDimension> DIMENSIONS = TelecomDimension.list("region,mvno");

    private final TelecomSettings settings = TelecomSettings.of(SIZE).withRecords(3L * SIZE.windowRecords() + 100);
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private List<TelecomRow> rows;

    @BeforeEach
    void computeRows() throws Exception {
        rows = new ArrayList<>(BruteForce.of(settings, DIMENSIONS).rows);
    }

    private void check(TelecomSettings expected) throws Exception {
        written(expected).finish();
    }

    private SinkWriter<TelecomRow> written(TelecomSettings expected) throws Exception {
        PrintStream console = new PrintStream(printed, true, StandardCharsets.UTF_8);
        TelecomCheck check = new TelecomCheck(expected, DIMENSIONS);
        SinkWriter<TelecomRow> writer = check.open(new SinkContext("test", "check", 0, 1, console));
        for (TelecomRow row : rows) {
            writer.write(row);
        }
        return writer;
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldFindRowsEqual_inWhateverOrder() throws Exception {
        long seed = Long.getLong("thalweg.seed", System.nanoTime());
        check(settings);
        Collections.shuffle(rows, new Random(seed));
        check(settings);
        int half = printed().length() / 2;
        assertThat(printed().substring(half))
                .as("seed %d", seed)
                .isEqualTo(printed().substring(0, half));
        assertThat(printed().substring(half).lines())
                .first()
                .isEqualTo("Sums of 20 measures, by region, mvno, against the closed form:");
        assertThat(printed().substring(half))
                .containsPattern("windows +4\\R")
                .containsPattern("rows +" + rows.size() + "\\R")
                .containsPattern("records +" + String.format(Locale.ROOT, "%,d", settings.records()) + "\\R")
                .containsPattern("differences +0\\R")
                .containsPattern("fingerprint +[0-9a-f]{16}\\R");
    }

    @Test
    void shouldHaveOneTask() {
        assertThat(new TelecomCheck(settings, DIMENSIONS).requiredParallelism()).isEqualTo(1);
    }

    @Test
    void shouldNameTheSumThatIsWrong() {
        TelecomRow row = rows.get(0);
        TelecomSums right = row.sums();
        TelecomSums wrong = new TelecomSums(
                right.records(),
                right.bytesUp() + 1,
                right.bytesDown(),
                right.pktsUp(),
                right.pktsDown(),
                right.durationMs(),
                right.retrans(),
                right.dnsMs(),
                right.tcpMs(),
                right.drops(),
                right.handovers(),
                right.setupFail(),
                right.rtt(),
                right.jitter(),
                right.mos(),
                right.rsrp(),
                right.sinr(),
                right.volumeCharged(),
                null,
                right.sparse());
        rows.set(0, new TelecomRow(row.dimensions(), row.windowStart(), row.windowEnd(), wrong));
        assertThatThrownBy(() -> check(settings))
                .isInstanceOf(WrongResultException.class)
                .hasMessageStartingWith("1 difference from the closed form; the first: ")
                .hasMessageContaining("window 2025-01-01T00:00:00Z, " + row.dimensions() + ": bytesUp is "
                        + wrong.bytesUp() + ", expected " + right.bytesUp() + " (and 1 more of its sums)");
    }

    @Test
    void shouldMissARow() {
        TelecomRow gone = rows.remove(5);
        assertThatThrownBy(() -> check(settings))
                .hasMessageContaining("1 difference")
                .hasMessageContaining("rows did not come, among them " + gone.dimensions());
    }

    @Test
    void shouldMissAWindow() {
        rows.removeIf(row ->
                row.windowStart() == TelecomSize.windowStartMs(1) || row.windowStart() == TelecomSize.windowStartMs(2));
        assertThatThrownBy(() -> check(settings))
                .hasMessageContaining("1 difference")
                .hasMessageContaining("window 2025-01-01T00:05:00Z and the 1 after it: no row came");
    }

    @Test
    void shouldRefuseARowTooMany() {
        TelecomRow row = rows.get(0);
        rows.add(row);
        rows.add(1, row);
        rows.add(1, new TelecomRow(List.of("nowhere", "none"), row.windowStart(), row.windowEnd(), row.sums()));
        assertThatThrownBy(() -> check(settings))
                .hasMessageStartingWith("3 differences from the closed form; ")
                .hasMessageNotContaining("\n");
        assertThat(printed())
                .containsPattern("differences +3\\R")
                .contains("[nowhere, none]: a row too many: the window has no such group")
                .contains(": a row too many: its group had one already")
                .contains(": a row too many: the window was complete");
    }

    @Test
    void shouldRefuseAWindowThatIsNone() {
        TelecomRow row = rows.get(0);
        rows.add(new TelecomRow(row.dimensions(), row.windowStart() + 1, row.windowEnd() + 1, row.sums()));
        rows.add(new TelecomRow(row.dimensions(), row.windowStart() - 300_000, row.windowStart(), row.sums()));
        rows.add(new TelecomRow(
                row.dimensions(), TelecomSize.windowStartMs(4), TelecomSize.windowStartMs(5), row.sums()));
        assertThatThrownBy(() -> check(settings)).hasMessageContaining("3 differences");
    }

    @Test
    void shouldShowTenDifferencesAtMost() {
        rows.replaceAll(row -> new TelecomRow(
                row.dimensions(),
                row.windowStart(),
                row.windowEnd(),
                rows.get(0).sums()));
        assertThatThrownBy(() -> check(settings)).hasMessageContaining(" differences from the closed form; ");
        assertThat(printed().lines().dropWhile(line -> !line.equals("the first 10 of them:")))
                .hasSize(11);
    }

    @Test
    void shouldNoticeThatLateRecordsWereCounted() {
        assertThatThrownBy(() -> check(settings.withLate(8))).isInstanceOf(WrongResultException.class);
    }

    @Test
    void shouldMissNothing_whereTheRunIsStopped() throws Exception {
        rows.removeIf(row -> row.windowStart() == TelecomSize.windowStartMs(3));
        rows.remove(rows.size() - 1);
        written(settings).cancelled();
        assertThat(printed()).contains("before the run was stopped").containsPattern("windows +3\\R");

        rows.set(0, rows.get(1));
        SinkWriter<TelecomRow> writer = written(settings);
        assertThatThrownBy(writer::cancelled).hasMessageContaining("1 difference");
    }

    @Test
    void shouldTakeNoRowsForNoRecords() throws Exception {
        rows.clear();
        check(settings.withRecords(0));
        assertThat(printed()).containsPattern("windows +0\\R").containsPattern("differences +0\\R");
    }
}
