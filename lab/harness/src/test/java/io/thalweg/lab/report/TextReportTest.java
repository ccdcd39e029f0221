// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.result.StudyText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TextReportTest {
    private static final Results ALL = MadeUp.allStudies();

    @ParameterizedTest
    @ValueSource(ints = {100, 120, 140, 180})
    void shouldKeepToTheWidth(int columns) {
        String report = TextReport.of(ALL, columns);

        assertThat(report.lines().filter(line -> !line.contains("records sent")))
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(columns));
        assertThat(report).doesNotContain("\u001b").doesNotContain("null").doesNotContain("NaN");
    }

    @Test
    void shouldSayAFigureOrAReasonInEveryColumn() {
        for (CellResult cell : ALL.cells()) {
            CellText text = CellText.of(cell, MadeUp.MACHINE);
            assertThat(List.of(text.claim(), text.here(), text.ratio(), text.spread(), text.latency()))
                    .as(cell.caseName() + " " + cell.engine())
                    .noneMatch(String::isBlank);
            if (cell.figure() == null || !cell.testable()) {
                assertThat(text.why()).isNotBlank();
            }
        }
    }

    @Test
    void shouldHoldARowOfEveryCell() {
        String report = TextReport.of(ALL, 180);

        for (CellResult cell : ALL.cells()) {
            assertThat(report.lines()).anyMatch(line -> line.contains(cell.engine()) && line.contains(cell.variant()));
        }
        assertThat(report).contains("not testable here:").contains("network card to fill");
        assertThat(TextReport.of(ALL, 140))
                .contains("not applicable: Thalweg has no second process")
                .contains("1 of 5 runs not valid (3 of ")
                .contains("more than half of what the harness can count");
    }

    /** t at 95 % and 4 degrees of freedom is 2.7764. */
    @Test
    void shouldGiveTheIntervalOfFiveRuns_orSayWhyThereIsNone() {
        CellResult cell = ALL.cells().stream()
                .filter(each -> each.runs().size() == 5
                        && each.runs().stream().allMatch(run -> run.reason() == null && run.settled()))
                .findFirst()
                .orElseThrow();
        double[] logs = cell.runs().stream()
                .mapToDouble(run -> Math.log(run.recordsPerS()))
                .toArray();
        double mean = Arrays.stream(logs).average().orElseThrow();
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        double half = 2.7764 * Math.sqrt(squares / 4 / 5);

        assertThat(CellText.of(cell, MadeUp.MACHINE).spread())
                .endsWith(" (5)\n" + Figures.range(Math.exp(mean - half), Math.exp(mean + half)));
        assertThat(CellText.of(MadeUp.unsettled(cell), MadeUp.MACHINE).spread()).endsWith(" (5)\nnot settled");
        assertThat(CellText.of(MadeUp.firstRuns(2, cell), MadeUp.MACHINE).spread())
                .endsWith("\ntoo few runs");
        assertThat(TextReport.of(ALL, 120).lines())
                .anyMatch(line -> line.contains("min–max (runs)"))
                .anyMatch(line -> line.contains("  95 % interval"));
    }

    /** What engines differ in where they are given a rate. */
    @Test
    void shouldGiveTheIntervalOfTheLatencyOfCellsThatKeepARate() {
        assertThat(ALL.cells())
                .filteredOn(CellResult::keepsRate)
                .hasSize(2)
                .extracting(cell -> CellText.of(cell, MadeUp.MACHINE).latency())
                .containsExactly(
                        "40 µs / 200 µs, 2 cores\np99 200 µs–200 µs", "30 µs / 150 µs, 2 cores\np99 150 µs–150 µs");
    }

    @Test
    void shouldSayHowFastMemoryWas_andWhereNotEquallyFast() {
        assertThat(TextReport.of(ofMemory(5.04, 4.0, 4.5), 200).lines())
                .anyMatch(line -> line.endsWith("one thread copied memory at 4.0 to 5.0 GB/s."));
        assertThat(ofMemory(5.0, 3.74).memoryText())
                .isEqualTo(
                        "Before the first case and after each, one thread copied memory at 3.7 to 5.0 GB/s: not equally fast"
                                + " all the time, so what moves much memory does not compare from one case to another.");
        assertThat(TextReport.of(ALL, 200)).as("not known").doesNotContain("copied memory");
    }

    private static Results ofMemory(Double... gbPerS) {
        return new Results(Results.SCHEMA, MadeUp.MACHINE, null, List.of(gbPerS), ALL.studies(), ALL.cells());
    }

    @Test
    void shouldSayWhatBecameOfRunsThatWereKilled() {
        CellResult cell = MadeUp.killed(ALL.cells().get(0));

        assertThat(CellText.of(cell, MadeUp.MACHINE).why())
                .contains(
                        "killed at this rate, 5 runs: back after 2.0–6.0 s, nothing came out for 0.5 s, 0 lost, 100–500 repeated");
    }

    @Test
    void shouldHoldEachTableOnce_thoughTheNotesOfAStudyHaveChanged() {
        StudyText before = ALL.studies().get(0);
        StudyText now = new StudyText(
                before.name(), before.title(), before.setup(), before.conclusions(), List.of("a later note"));
        Results later = new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(now), List.of());

        String report = TextReport.of(Results.merged(List.of(ALL, later)), 120);

        assertThat(report.lines().filter(line -> line.contains(": " + before.title())))
                .hasSize(1);
        assertThat(report)
                .contains("- a later note")
                .contains(before.notes().get(0).substring(0, 30));
    }

    /** Otherwise the figures of one machine stand beside those of another, under the name of the first. */
    @Test
    void shouldSayWhereResultsOfSeveralMachinesAreFrom() {
        Machine here = MadeUp.MACHINE;
        Machine there = new Machine(
                "Another CPU", 8, here.memoryMb(), here.os(), here.java(), here.thalweg(), null, "later", 1e9, 1, 1);
        Results elsewhere = new Results(Results.SCHEMA, there, ALL.studies(), ALL.cells());

        String merged = TextReport.of(Results.merged(List.of(ALL, elsewhere)), 120);
        String once = TextReport.of(Results.merged(List.of(ALL, ALL)), 120);

        assertThat(merged).contains("- Of several calls, whose differences may be those of their machines or commits;");
        assertThat(merged.replaceAll("\\s+", " ")).contains("; " + "Another CPU, 8 cores, ");
        assertThat(once).doesNotContain("Of several calls");
    }

    @Test
    void shouldPrintProducersAsKafkasToolDoes() {
        assertThat(TextReport.of(ALL, 120).lines().map(String::strip))
                .anyMatch(
                        line -> line.matches(
                                "\\d+ records sent, \\d+\\.\\d records/sec \\(\\d+\\.\\d\\d MB/sec\\), "
                                        + "2\\.04 ms avg latency, 37\\.40 ms max latency, 2 ms 50th, 5 ms 95th, 9 ms 99th, 15 ms 99\\.9th\\."));
    }

    /** The figure is the median of those that had settled. */
    @Test
    void shouldNotPrintARunThatHadNotSettledAsKafkasToolDoes() {
        CellResult cell = ALL.cells().stream()
                .filter(each -> KafkaTools.produces(each) && each.figure() != null && each.hasSettled())
                .findFirst()
                .orElseThrow();
        List<RunResult> runs = new ArrayList<>(MadeUp.unsettled(cell).runs());
        RunResult nearest = runs.stream()
                .min(Comparator.comparingDouble(
                        run -> Math.abs(run.recordsPerS() - cell.figure().median())))
                .orElseThrow();
        RunResult settled = cell.runs().stream()
                .filter(run -> run.turn() != nearest.turn())
                .findFirst()
                .orElseThrow();
        runs.set(cell.runs().indexOf(settled), settled);

        String line =
                KafkaTools.line(MadeUp.inCase(cell.caseName(), cell, runs)).orElseThrow();

        assertThat(line).contains(String.format(Locale.ROOT, " %.1f records/sec ", settled.recordsPerS()));
        assertThat(KafkaTools.line(MadeUp.unsettled(cell)))
                .as("where none had settled, the median of all")
                .hasValueSatisfying(all -> assertThat(all)
                        .contains(String.format(Locale.ROOT, " %.1f records/sec ", nearest.recordsPerS())));
    }

    @Test
    void shouldSayWhoIsAheadAndWhatBoundsThalwegWhereItIsNot() {
        Peers peers = Peers.of(ALL);

        assertThat(peers.shared())
                .filteredOn(pair -> pair.ours().caseName().equals("whole"))
                .as("Storm's stages are apart, and Thalweg's fused here")
                .extracting(pair -> pair.theirs().engine(), Peers.Pair::weAreAhead)
                .containsExactly(tuple("flink", false));
        assertThat(peers.shared())
                .filteredOn(pair -> pair.theirs().engine().equals("flink")
                        && pair.ours().study().startsWith("flink"))
                .as("the best variant of a kind against the best of the same kind")
                .singleElement()
                .satisfies(pair -> {
                    assertThat(pair.ours().variant()).isEqualTo("fused");
                    assertThat(pair.theirs().variant()).isEqualTo("object-reuse");
                    assertThat(pair.stages()).isEqualTo("fused");
                    assertThat(pair.perCpu()).isPositive();
                });
        assertThat(peers.shared()).allSatisfy(pair -> {
            assertThat(pair.ours().stagesAre(pair.stages())).isTrue();
            assertThat(pair.theirs().stagesAre(pair.stages())).isTrue();
        });
        assertThat(peers.shared())
                .filteredOn(pair -> pair.ours().study().equals("telecom-2015")
                        && pair.theirs().engine().equals("storm"))
                .extracting(pair -> pair.ours().variant())
                .containsExactly("apart", "apart", "apart");
        assertThat(TextReport.of(ALL, 140)).doesNotContain("ahead in ");
        assertThat(peers.alone()).hasSize(7);
    }

    @Test
    void shouldCompareNoCellsOfDifferentGuarantee() {
        assertThat(Peers.of(ALL).shared())
                .filteredOn(pair -> pair.ours().caseName().equals("e"))
                .isEmpty();
    }

    @Test
    void shouldLetNothingUnsettledIntoARatio() {
        CellResult storm = ALL.cells().stream()
                .filter(cell -> cell.caseName().equals("e") && cell.engine().equals("storm"))
                .findFirst()
                .orElseThrow();
        CellText text = CellText.of(MadeUp.unsettled(storm), MadeUp.MACHINE);

        assertThat(text.here()).endsWith(" unsettled");
        assertThat(text.latency()).as("shown all the same").isNotEqualTo("no figure");
        assertThat(text.ratio()).isEqualTo("not settled");
        assertThat(text.why())
                .contains(
                        "5 of 5 runs had not settled (+31 %, 95 % interval +12 to +48), so the figure is in no ratio");
        List<CellResult> none = ALL.cells().stream().map(MadeUp::unsettled).toList();
        assertThat(Peers.of(new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), none))
                        .shared())
                .isEmpty();
    }

    @Test
    void shouldGiveAWrongCellNoFigure() {
        CellResult right = ALL.cells().get(0);
        CellResult wrong = new CellResult(
                right.study(),
                right.caseName(),
                right.engine(),
                right.version(),
                right.variant(),
                right.stages(),
                right.guarantee(),
                right.settings(),
                right.tuning(),
                right.jvms(),
                right.recordsPerS(),
                right.settled(),
                right.mbPerS(),
                right.latencyUs(),
                right.cpuSPerMillion(),
                null,
                right.rssMb(),
                right.gcMs(),
                false,
                right.checked(),
                true,
                "7 records too few",
                right.claim(),
                right.ratio(),
                right.why(),
                right.runs());

        CellText text = CellText.of(wrong, MadeUp.MACHINE);

        assertThat(text.here()).isEqualTo("no figure");
        assertThat(text.why()).startsWith("7 records too few");
    }

    @Test
    void shouldReportNothingMeasured() {
        assertThat(TextReport.of(new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), List.of()), 100))
                .contains("No case holds figures to compare, both of Thalweg and of a peer.");
    }

    @Test
    void shouldWriteNumbersAsPeopleReadThem() {
        assertThat(Figures.count(20_634_000)).isEqualTo("20.6 M");
        assertThat(Figures.count(999_499)).isEqualTo("999 k");
        assertThat(Figures.count(999_600)).isEqualTo("1 M");
        assertThat(Figures.count(9_250)).isEqualTo("9,250");
        assertThat(Figures.count(87.6)).isEqualTo("87.6");
        assertThat(Figures.count(1.1e9)).isEqualTo("1.1 G");
        assertThat(Figures.range(19.8e6, 21.1e6)).isEqualTo("19.8–21.1 M");
        assertThat(Figures.range(900_000, 1_100_000)).isEqualTo("900 k–1.1 M");
        assertThat(Figures.times(0.0312)).isEqualTo("0.0312×");
        assertThat(Figures.times(1620)).isEqualTo("1,620×");
        assertThat(Figures.time(350)).isEqualTo("350 µs");
        assertThat(Figures.time(2_100)).isEqualTo("2.1 ms");
        assertThat(Figures.time(1_860_000)).isEqualTo("1.86 s");
    }
}
