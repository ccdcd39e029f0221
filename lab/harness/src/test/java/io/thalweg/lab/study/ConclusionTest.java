// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.LabException;
import io.thalweg.lab.report.HtmlReport;
import io.thalweg.lab.report.MadeUp;
import io.thalweg.lab.report.TextReport;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.StudyText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConclusionTest {
    private static final Results ALL = MadeUp.allStudies();
    private static final CellResult STORM = ALL.cells().stream()
            .filter(each -> each.study().equals("storm-2012")
                    && each.caseName().equals("a")
                    && each.engine().equals("storm"))
            .findFirst()
            .orElseThrow();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{cell: a/storm, at-least: 1} | holds: a storm tuned has",
                "{cell: a/storm/tuned, at-most: 1} | contradicted: a storm tuned has",
                "{cell: a/storm, with: a/storm, at-least: 0.01, at-most: 100} | holds: a storm tuned has 1 (",
                "{cell: a/storm, with: a/storm, at-least: 1.0001} | contradicted", // or on both sides, below
                "{cell: a/storm, measure: p99, at-least: 0} | holds",
                "{cell: a/storm, with: c/storm, at-least: 1} | not shown: c/storm was not measured",
            })
    void shouldSayWhetherItHolds(String comparison, String verdict) throws IOException {
        String told = told(comparison, List.of(STORM));
        if (comparison.contains("1.0001") && min(STORM) < max(STORM)) {
            assertThat(told)
                    .contains("— not shown: ")
                    .endsWith("expected at least 1, and runs are on both sides of it");
        } else {
            assertThat(told).startsWith("They say so. — ").contains(verdict);
        }
    }

    private static double min(CellResult cell) {
        return cell.recordsPerS().min();
    }

    private static double max(CellResult cell) {
        return cell.recordsPerS().max();
    }

    @Test
    void shouldTakeNoFigureThatHadNotSettled() throws IOException {
        assertThat(told("{cell: a/storm, at-least: 1}", List.of(MadeUp.unsettled(STORM))))
                .isEqualTo("They say so. — not shown: a storm tuned has no figure that had settled");
    }

    @Test
    void shouldLetOneThatIsContradictedDecide() throws IOException {
        assertThat(told("{cell: a/storm, at-least: 1}, {cell: a/storm, at-most: 1}", List.of(STORM)))
                .contains("— contradicted: ")
                .contains("(holds); ")
                .endsWith("(contradicted)");
    }

    @Test
    void shouldSayNothingOfWhatIsNotCompared_andWhyItCannotBe() throws IOException {
        assertThat(study("- Nothing to compare.").text(List.of()).conclusions()).containsExactly("Nothing to compare.");
        assertThat(study("- {says: Two hosts., not-testable: there is one}")
                        .text(List.of())
                        .conclusions())
                .containsExactly("Two hosts. — not testable here: there is one");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{cell: a/storm} | a comparison needs a cell, and at-least or at-most",
                "{cell: z/storm, at-least: 1} | there is no cell 'z/storm'",
                "{cell: b/storm, at-least: 1} | there is no cell 'b/storm'",
                "{cell: b relays=3/storm, at-least: 1} | there is no cell 'b relays=3/storm'",
                "{cell: a/storm/fast, at-least: 1} | there is no cell 'a/storm/fast'",
                "{cell: a/flink, at-least: 1} | there is no cell 'a/flink'",
                "{cell: a, at-least: 1} | there is no cell 'a'",
                "{cell: a/storm, with: y/storm, at-least: 1} | there is no cell 'y/storm'",
                "{cell: a/storm, measure: speed, at-least: 1} | there is no measure 'speed'; there are [bytes, p50, p99, rate]",
                "null | a comparison is empty",
                "{cell: a/storm, atleast: 1} | there is no 'atleast' here",
            })
    void shouldRefuseWhatIsNotInTheStudy(String comparison, String why) {
        assertThatThrownBy(() -> told(comparison, List.of()))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith(folder.resolve("mine.yaml") + ": ")
                .hasMessageContaining(why);
    }

    @Test
    void shouldRefuseAnEmptyConclusion() {
        assertThatThrownBy(() -> study("-"))
                .isInstanceOf(LabException.class)
                .hasMessage(folder.resolve("mine.yaml") + ": a conclusion is empty");
    }

    @Test
    void shouldHaveAVerdictOfEachConclusionOfOurStudies_inBothReports() {
        assertThat(Studies.all())
                .allSatisfy(study -> assertThat(study.problem()).isNull());

        Results explained = Studies.explained(ALL);
        assertThat(Studies.explained(explained).studies()).isEqualTo(explained.studies());
        List<String> all = explained.studies().stream()
                .map(StudyText::conclusions)
                .flatMap(List::stream)
                .toList();
        assertThat(all).isNotEmpty().allMatch(each -> each.contains(" — "));
        String host = "A second host gave 1.6 times the throughput. — not testable here: there is one host";
        assertThat(TextReport.of(explained, 180)).contains(host);
        assertThat(HtmlReport.of(explained)).contains(host);
    }

    private String told(String comparisons, List<CellResult> cells) throws IOException {
        return study("- {says: They say so., compare: [" + comparisons + "]}")
                .text(cells)
                .conclusions()
                .get(0);
    }

    private Study study(String conclusion) throws IOException {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(
                file,
                "name: mine\ntitle: mine\nengines: {storm: [tuned]}\nconclusions:\n  " + conclusion
                        + "\ncases:\n  - {name: a, title: one}\n  - {name: b, title: two, sweep: {relays: [1, 2]}}\n  - {name: c, title: three}\n");
        Study mine = Studies.find(file.toString()).study();
        return new Study(
                STORM.study(),
                mine.title(),
                mine.setup(),
                mine.conclusions(),
                mine.notes(),
                mine.settings(),
                mine.engines(),
                mine.cases());
    }
}
