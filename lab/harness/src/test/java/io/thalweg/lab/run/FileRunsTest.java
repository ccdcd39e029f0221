// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.result.SchemaCheck;
import io.thalweg.lab.study.Studies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of a shell stands for an engine: it writes what it is told, or what is wrong. */
@Tag("one-jdk")
final class FileRunsTest {
    private static final String TIMES = "echo '{\"elapsedNs\": 1000000, \"version\": \"7\"}' > {times}";
    private static final String RIGHT = "awk -F, 'NR > 1 && $5 > 500' {input} > {output}";

    @TempDir
    private Path folder;

    @Test
    void shouldTimeWhatIsRightAndSayWhatIsWrong() throws Exception {
        Map<String, String> scripts = new LinkedHashMap<>();
        scripts.put("right", RIGHT + "; " + TIMES);
        scripts.put("wrong", "head -9 {input} > {output}; " + TIMES);
        scripts.put("nothing", TIMES);
        scripts.put("untimed", RIGHT);
        scripts.put("fails", "echo out of paper >&2; exit 3");
        scripts.put("boasts", RIGHT + "; echo '{\"elapsedNs\": 99000000000}' > {times}");
        scripts.put("mumbles", RIGHT + "; echo soon > {times}");
        scripts.put("none", "");
        Map<String, CellResult> cells = cells(scripts);

        CellResult right = cells.get("right");
        assertThat(right.reason()).isNull();
        assertThat(right.valid()).isTrue();
        assertThat(right.version()).isEqualTo("7");
        RunResult run = right.runs().get(0);
        assertThat(run.sent()).isEqualTo(300);
        assertThat(run.received()).isBetween(100L, 200L);
        assertThat(run.measuredS()).isEqualTo(0.001);
        assertThat(run.warmUpS()).isPositive();
        assertThat(right.recordsPerS().median()).isEqualTo(300_000);
        assertThat(right.rssMb()).as("nobody looked").isNull();

        assertThat(cells.get("wrong").reason()).contains(" came out, of ");
        assertThat(cells.get("nothing").reason()).isEqualTo("no output");
        assertThat(cells.get("untimed").reason()).isEqualTo("it did not say how long its job took");
        assertThat(cells.get("fails").reason()).isEqualTo("it ended with 3: out of paper");
        assertThat(cells.get("boasts").reason()).startsWith("it says that its job took 99.0 s of ");
        assertThat(cells.get("mumbles").reason()).isEqualTo("it did not say how long its job took, but 'soon'");
        assertThat(cells.get("none").reason()).isEqualTo("the lab has no jobs over files for none");
        assertThat(cells.get("none").runs()).isEmpty();
        assertThat(ProcessHandle.current().descendants()).as("processes left").noneMatch(ProcessHandle::isAlive);
    }

    /** The launcher would build a Thalweg whose sources have changed, within the time that is taken, and take options of the lab's own. */
    @Test
    void shouldRunWhatIsBuilt_asItIs() {
        Map<String, String> environment = new HashMap<>(
                Map.of("PATH", "/bin", "THALWEG_OPTS", "-Xmx9g", "THALWEG_WITH", "kafka", "JAVA_HOME", "x"));
        FileRuns.isolate(environment);
        assertThat(environment)
                .containsOnly(
                        Map.entry("PATH", "/bin"),
                        Map.entry("THALWEG_BUILT", "1"),
                        Map.entry("JAVA_HOME", System.getProperty("java.home")));
    }

    @Test
    void shouldNotCountARunOfAnotherProgram() throws Exception {
        Path job = Files.writeString(
                folder.resolve("job.py"),
                RIGHT.replace("{input}", "$1").replace("{output}", "$2") + "; " + TIMES.replace("{times}", "$3")
                        + "; echo >> \"$0\"\n");
        FileProgram program =
                new FileProgram(List.of("sh", job.toString(), "{input}", "{output}", "{times}"), List.of());

        CellResult cell = cells(Map.of("own", program), 2).get("own");

        assertThat(cell.runs())
                .extracting(RunResult::reason)
                .containsExactly(null, "job.py has changed since this call of the lab began");
    }

    @Test
    void shouldSayWhichPlaceholderThereIsNot() {
        FileProgram program = new FileProgram(List.of("cat", "{file}"), List.of());
        assertThatThrownBy(() -> program.command(Map.of("input", "a")))
                .hasMessage("there is no {file} in commands; there are [input]");
        assertThatThrownBy(() -> new FileProgram(List.of("python3"), List.of("duckdb")))
                .hasMessage("the package duckdb needs a version: duckdb==1.2.3");
        assertThatThrownBy(() -> new FileProgram(List.of(), List.of())).hasMessage("files needs a command");
    }

    /** @param scripts by the name of their engine; an empty one is none */
    private Map<String, CellResult> cells(Map<String, String> scripts) throws Exception {
        Map<String, FileProgram> programs = new LinkedHashMap<>();
        scripts.forEach((name, script) ->
                programs.put(name, script.isEmpty() ? null : new FileProgram(List.of("sh", "-c", script), List.of())));
        return cells(programs, 1);
    }

    /** @param programs by the name of their engine; null is none */
    private Map<String, CellResult> cells(Map<String, FileProgram> programs, int runs) throws Exception {
        Path study = folder.resolve("mine.yaml");
        Files.writeString(study, """
                name: mine
                title: my own
                engines: {%s}
                settings: {workload: files, job: csv-filter, records: 300}
                cases: [{name: one, title: only one}]
                """.formatted(String.join(": [files], ", programs.keySet()) + ": [files]"));
        Map<String, Engine> engines = new LinkedHashMap<>();
        programs.forEach((name, program) -> engines.put(
                name,
                Engine.built(new Engine.Description(name, null, List.of(), Map.of(), List.of(), program, null), "")));
        Map<String, CellResult> cells = new LinkedHashMap<>();
        try (LabRun lab = new LabRun(engines, "1", said -> {}, () -> Long.MAX_VALUE)) {
            Results results = lab.run(
                    new LabRun.Wish(List.of(Studies.find(study.toString())), List.of(), true, 1, runs), Timing.QUICK);
            assertThat(SchemaCheck.errors(results)).isEmpty();
            results.cells().forEach(cell -> cells.put(cell.engine(), cell));
        }
        return cells;
    }
}
