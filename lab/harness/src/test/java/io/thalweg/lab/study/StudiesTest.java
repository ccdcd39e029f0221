// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.Results;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StudiesTest {
    private static final Study.Variants ONE = (engine, settings) -> "first";

    @TempDir
    private Path folder;

    @Test
    void shouldLeaveLongCasesOutOfAQuickRun_butWhereTheyAreNamed() {
        assertThat(cases("telecom-2015", true)).contains("lesson-3").doesNotContain("five-minutes");
        assertThat(cases("telecom-2015", false)).contains("lesson-3", "five-minutes");
        assertThat(cases("telecom-2015.five-minutes", true)).containsExactly("five-minutes");
        assertThat(cases("flink-storm-360", true)).hasSize(4).allMatch(each -> each.startsWith("in-process-"));
    }

    private static Set<String> cases(String selection, boolean quick) {
        return Studies.find(selection).plan(List.of(), ONE, quick).stream()
                .flatMap(List::stream)
                .map(each -> each.ofCase().name())
                .collect(Collectors.toSet());
    }

    @Test
    void shouldPutAsManyTasksIntoEachStage_whateverTheirOwnSettingsSay() {
        var groups = Studies.find("jstorm-2014.tasks").plan(List.of("storm"), ONE, true);
        assertThat(groups).hasSize(4);
        assertThat(groups.get(2).get(0).settings())
                .containsAllEntriesOf(Map.of("sources", "4", "relays", "4", "sinks", "4", "ackers", "4"));
    }

    @Test
    void shouldPlanEveryCellOfOurStudiesInWordsThatCellsUnderstand() {
        for (Study study : Studies.all()) {
            for (List<Study.Planned> group : Studies.find(study.name()).plan(List.of(), ONE, true)) {
                assertThat(group).as(study.name()).isNotEmpty();
                for (Study.Planned each : group) {
                    Cell cell = Cell.of(each.settings(), folder);
                    cell.check();
                    assertThat(cell.sources() * cell.relays() * cell.sinks() * cell.processes())
                            .isPositive();
                }
            }
        }
    }

    @Test
    void shouldHaveAFigureForEachValueOfASweepThatHasClaims() {
        for (Study study : Studies.all()) {
            for (Study.Case each : study.cases()) {
                each.sweep()
                        .values()
                        .forEach(values -> each.claims()
                                .values()
                                .forEach(claims -> assertThat(claims)
                                        .as(study.name() + "." + each.name())
                                        .hasSameSizeAs(values)));
            }
        }
    }

    @Test
    void shouldPlanTheCellsOfOneCaseSideBySide() {
        List<List<Study.Planned>> groups =
                Studies.find("flink-storm-360.in-process-none-generated").plan(List.of("thalweg", "storm"), ONE, false);
        assertThat(groups).hasSize(1);
        assertThat(groups.get(0))
                .extracting(cell -> cell.engine() + "/" + cell.variant())
                .containsExactly("thalweg/fused", "thalweg/apart", "storm/tuned", "thalweg/fused");
        assertThat(groups.get(0).get(2).claim()).isNotNull();
        assertThat(groups.get(0).get(0).claim()).isNull();
    }

    @Test
    void shouldRunACellAgainBesideTheFirst_butNotWithoutItsEngine() {
        List<Study.Planned> cells =
                Studies.find("storm-2012.a").plan(List.of(), ONE, true).get(0);
        List<Study.Planned> twice = cells.stream()
                .filter(each -> each.engine().equals("storm") && each.variant().equals("tuned"))
                .toList();

        assertThat(twice).extracting(Study.Planned::caseName).containsExactly("a", "a again");
        assertThat(twice.get(1).settings()).isEqualTo(twice.get(0).settings());
        assertThat(twice.get(0).claim()).isNotNull();
        assertThat(twice.get(1).claim()).isNull();
        assertThat(cells)
                .filteredOn(each -> each.caseName().endsWith(CellResult.AGAIN))
                .hasSize(1);
        assertThat(Studies.find("storm-2012.a")
                        .plan(List.of("flink"), ONE, true)
                        .get(0))
                .extracting(Study.Planned::caseName)
                .containsOnly("a");
    }

    @Test
    void shouldAddTheVariantsOfACaseToThoseOfItsStudy() throws Exception {
        assertThat(variants("storm-2012.c"))
                .containsExactly("object-reuse", "unchained", "translated", "tuned", "storm-door", "translated");
        assertThat(variants("storm-2012.e")).containsExactly("object-reuse", "unchained", "tuned", "storm-door");
        assertThatThrownBy(() -> Studies.find(again("engines: {flink: [translated]}")))
                .isInstanceOf(LabException.class)
                .hasMessageContaining(
                        "mine.yaml: case one has variants of flink, which is none of the study's engines [thalweg]");
    }

    private static List<String> variants(String selection) {
        return Studies.find(selection).plan(List.of("flink", "storm"), ONE, true).get(0).stream()
                .map(Study.Planned::variant)
                .toList();
    }

    @Test
    void shouldSayWhatCannotBeRunAgain() throws Exception {
        assertThatThrownBy(() -> Studies.find(again("again: thalweg/fusd")))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("mine.yaml: case one: there is no 'thalweg/fusd' to run again");
        assertThatThrownBy(() -> Studies.find(again("again: thalweg/fused, sweep: {payload: [1, 2]}")))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("mine.yaml: case one has again and a sweep");
        assertThat(Studies.find(again("again: thalweg/fused, sweep: {thalweg.idle: [spin]}"))
                        .plan(List.of(), ONE, false)
                        .get(0))
                .extracting(Study.Planned::caseName)
                .containsExactly("one", "one again", "one thalweg.idle=spin");
        assertThat(Studies.find(again("again: thalweg/apart, engines: {thalweg: [apart]}"))
                        .plan(List.of(), ONE, false)
                        .get(0))
                .as("a variant that the case adds")
                .extracting(each -> each.caseName() + " " + each.variant())
                .containsExactly("one fused", "one apart", "one again apart");
    }

    /** Otherwise it ends in an exception when it is planned, or, after hours, when it is reported; or is passed over. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sweep: {payload: []} | case one: the sweep of payload needs values, each once",
                "sweep: {payload: } | case one: the sweep of payload needs values, each once",
                "sweep: {payload: [8, ~]} | case one: the sweep of payload needs values, each once",
                "sweep: {payload: [8, 8]} | case one: the sweep of payload needs values, each once",
                "not-testable: no, not-testable-from: 2 | case one: not-testable-from needs a sweep of whole numbers",
                "sweep: {reading: [best]}, not-testable: no, not-testable-from: 2 | case one: not-testable-from needs",
                "sweep: {payload: [8]}, not-testable-from: 2 | case one: not-testable-from needs a sweep",
                "claims: {thalweg: [{rate: 5}]} | case one: claims of thalweg need says",
                "claims: {thalweg: } | case one: claims of thalweg need says",
                "claims: {thalwg: [{says: fast}]} | case one: claims of thalwg, and no cell is of that",
                "claims: {thalweg/apart: [{says: fast}]} | case one: claims of thalweg/apart, and no cell is of that",
                "claims: {thalweg: [{says: a}, {says: b}]} | case one: claims of thalweg are 2, for one cell",
                "why: {flink: x} | case one: why of flink needs a text, for one of the study's engines [thalweg]",
                "why: {thalweg: } | case one: why of thalweg needs a text",
                "engines: {thalweg: [fused]} | case one needs each variant of thalweg once, not [fused, fused]",
                "settings: relay | :6: settings need a name and a value each",
                "settings: [relay] | :6: settings need a name and a value each",
            })
    void shouldSayWhatACaseLacks(String ofCase, String problem) {
        assertThatThrownBy(() -> Studies.find(again(ofCase)))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("mine.yaml")
                .hasMessageContaining(problem);
    }

    @Test
    void shouldSayThatAStudyLacksCases_orHasOneTwice() throws Exception {
        Path file = folder.resolve("mine.yaml");
        String head = "name: mine\ntitle: my own\nengines: {thalweg: [fused]}\n";
        for (List<String> each : List.of(
                List.of("~", "there is no study in it"),
                List.of(head + "cases: [~]\n", "a case needs name and title"),
                List.of(head + "notes: [~]\ncases: [{name: a, title: b}]\n", "a note is empty"),
                List.of(head + "cases: [{name: a, title: b}, {name: a, title: c}]\n", "there are two cases a"))) {
            Files.writeString(file, each.get(0));
            assertThatThrownBy(() -> Studies.find(file.toString()))
                    .isInstanceOf(LabException.class)
                    .hasMessage(file + ": " + each.get(1));
        }
    }

    private String again(String ofCase) throws Exception {
        return Files.writeString(folder.resolve("mine.yaml"), """
                name: mine
                title: my own
                engines: {thalweg: [fused]}
                settings: {workload: relay}
                cases:
                  - {name: one, title: only one, %s}
                """.formatted(ofCase))
                .toString();
    }

    @Test
    void shouldTakeAnEnginesFirstVariantWhereAStudyNamesNone() {
        assertThat(Studies.find("storm-2012.a")
                        .plan(List.of("jstorm"), ONE, false)
                        .get(0))
                .extracting(Study.Planned::variant)
                .containsExactly("first");
    }

    @Test
    void shouldSayWhichValuesCannotBeTested() {
        assertThat(Studies.find("telecom-2015.lesson-3").plan(List.of("storm"), ONE, false))
                .extracting(group -> group.get(0).notTestable() == null)
                .containsExactly(true, false);
    }

    @Test
    void shouldSayWhatThereIsInsteadOfWhatIsNot() {
        assertThatThrownBy(() -> Studies.find("storm-2013"))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no study 'storm-2013'")
                .hasMessageContaining("storm-2012");
        assertThatThrownBy(() -> Studies.find("storm-2012.z"))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no case 'z'")
                .hasMessageContaining("a, b, c");
    }

    @Test
    void shouldFindAUsersTopologyBesideItsStudy() throws Exception {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, """
                name: mine
                title: my own
                engines: {thalweg: []}
                settings: {workload: topology, jar: jobs/mine.jar, set: {count: 20_000}}
                cases:
                  - {name: one, title: only one, settings: {set: {input: a b}}, sweep: {set.size: [1, 2]}}
                """);
        assertThat(Studies.find(file.toString())
                        .plan(List.of(), ONE, false)
                        .get(1)
                        .get(0)
                        .settings())
                .containsEntry("jar", folder.resolve("jobs/mine.jar").toString())
                .containsEntry("set.count", "20_000")
                .containsEntry("set.input", "a b")
                .containsEntry("set.size", "2");

        Files.writeString(file, "name: mine\ntitle: x\nsettings:\n  sit: {a: b}\n");
        assertThatThrownBy(() -> Studies.find(file.toString()))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("mine.yaml:4: the setting sit needs a single value");
    }

    @Test
    void shouldReadAUsersStudy() throws Exception {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, """
                name: mine
                title: my own
                engines: {thalweg: []}
                settings: {workload: relay}
                cases:
                  - {name: one, title: only one, sweep: {payload: [1, 2]}}
                """);
        assertThat(Studies.find(file.toString()).plan(List.of(), ONE, false))
                .extracting(group -> group.get(0).caseName())
                .containsExactly("one payload=1", "one payload=2");

        Files.writeString(file, "name: mine\ntitle: x\nengines: {thalweg: []}\ncasses: []\n");
        assertThatThrownBy(() -> Studies.find(file.toString()))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("mine.yaml: there is no 'casses' here")
                .hasMessageContaining("cases");
        Files.writeString(file, "name: mine\ntitle: [\n");
        assertThatThrownBy(() -> Studies.find(file.toString()))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("mine.yaml:2");
        assertThatThrownBy(() -> Studies.find(folder.resolve("none.yaml").toString()))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no such file");
    }

    /** Its results would be explained by what the other says. */
    @Test
    void shouldRefuseAStudyWithTheNameOfOneOfTheLabs_butNotThatOneItself() throws Exception {
        Path file = folder.resolve("mine.yaml");
        try (InputStream in = Objects.requireNonNull(Studies.class.getResourceAsStream("storm-2012.yaml"))) {
            Files.copy(in, file);
        }
        assertThat(Studies.find(file.toString()).study().name()).isEqualTo("storm-2012");

        Files.writeString(file, Files.readString(file).replace("payload: 1000", "payload: 100"));
        assertThatThrownBy(() -> Studies.find(file.toString()))
                .isInstanceOf(LabException.class)
                .hasMessage(file + ": its name is that of the lab's own study storm-2012, whose reasons and conclusions"
                        + " a report would take for its; give it another name");
    }

    @Test
    void shouldRunTheUsualVariantOnce_whereACaseAddsItByName() throws Exception {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, """
                name: mine
                title: my own
                engines: {thalweg: []}
                cases: [{name: one, title: only one, engines: {thalweg: [first, second]}}]
                """);

        assertThat(Studies.find(file.toString()).plan(List.of(), ONE, false).get(0))
                .extracting(Study.Planned::variant)
                .containsExactly("first", "second");
    }

    /** Names stand in results, reports and what is said meanwhile. */
    @Test
    void shouldNotNameCellsByValuesThatAreSecrets() throws Exception {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, """
                name: mine
                title: my own
                engines: {thalweg: [fused]}
                settings: {workload: topology, jar: job.jar}
                cases:
                  - {name: one, title: by name, sweep: {set.db.password: [KEY-1, KEY-2]}}
                  - {name: two, title: by value, sweep: {set.url: ["http://host/", "http://me:KEY-3@host/"]}}
                conclusions:
                  - {says: so, compare: [{cell: one set.db.password=(not kept 2)/thalweg, at-least: 1}]}
                """);

        Studies.Selection mine = Studies.find(file.toString());

        assertThat(mine.plan(List.of(), ONE, false))
                .extracting(group -> group.get(0).caseName())
                .containsExactly(
                        "one set.db.password=(not kept 1)",
                        "one set.db.password=(not kept 2)",
                        "two set.url=http://host/",
                        "two set.url=(not kept 2)");
        assertThat(mine.plan(List.of(), ONE, false).get(1).get(0).settings()).containsEntry("set.db.password", "KEY-2");
        assertThat(mine.study().text(List.of()).conclusions())
                .containsExactly("so — not shown: one set.db.password=(not kept 2)/thalweg was not measured");
    }

    /** All values beside the case without any, so that they take turns; each engine has only its own. */
    @Test
    void shouldChangeOneOptionAtATimeAroundTheCase() throws Exception {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, """
                name: mine
                title: my own
                engines: {thalweg: [], flink: []}
                settings: {workload: relay, thalweg.queue: 8}
                cases:
                  - name: one
                    title: options
                    sweep: {thalweg.idle: [spin, park], flink.pipeline.object-reuse: [false]}
                """);

        List<List<Study.Planned>> groups = Studies.find(file.toString()).plan(List.of(), ONE, false);

        assertThat(groups).hasSize(1);
        assertThat(groups.get(0))
                .extracting(each -> each.engine() + ", " + each.caseName())
                .containsExactly(
                        "thalweg, one",
                        "flink, one",
                        "thalweg, one thalweg.idle=spin",
                        "thalweg, one thalweg.idle=park",
                        "flink, one flink.pipeline.object-reuse=false");
        assertThat(groups.get(0).get(3).settings())
                .containsEntry("thalweg.idle", "park")
                .containsEntry("thalweg.queue", "8");
        assertThat(groups.get(0).get(4).settings())
                .containsEntry("flink.pipeline.object-reuse", "false")
                .doesNotContainKey("thalweg.queue");
    }

    @Test
    void shouldExplainResultsByWhatTheStudySaysNow() {
        Machine machine = new Machine("cpu", 2, 1, "os", "java", "1", null, "now", 1, 1, 1);
        List<CellResult> cells = List.of(
                cell("storm-2012", "b relays=4", "storm"), cell("storm-2012", "a", "jet"), cell("mine", "b", "storm"));
        assertThat(Studies.explained(new Results(Results.SCHEMA, machine, List.of(), cells))
                        .cells())
                .extracting(CellResult::why)
                .containsExactly(
                        Studies.find("storm-2012.b").cases().get(0).why().get("storm"), "as it was", "as it was");
    }

    private static CellResult cell(String study, String caseName, String engine) {
        return new CellResult(
                study,
                caseName,
                engine,
                "1",
                "tuned",
                null,
                "none",
                Map.of(),
                Map.of(),
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                true,
                null,
                true,
                null,
                null,
                null,
                "as it was",
                List.of());
    }
}
