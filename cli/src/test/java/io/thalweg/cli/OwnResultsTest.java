// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that would read what they write are mistakes of use: one line, code 2, and nothing on the disk has changed. */
@Tag("integration")
final class OwnResultsTest {
    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void writeJob() throws Exception {
        cli = new Cli(folder);
        cli.job(
                "Copy",
                "topology.from(io.thalweg.files.TextLines.read(settings.text(\"in\", \"-\"))).name(\"lines\")"
                        + ".to(io.thalweg.files.TextLines.write(settings.text(\"out\", \"-\"))).name(\"copy\");");
        Files.createDirectory(folder.resolve("in"));
        Files.writeString(folder.resolve("in/a.jsonl"), "one\ntwo\n");
    }

    private void refused(String message, String... options) throws Exception {
        String[] arguments =
                Stream.concat(Stream.of("run", "Copy.java"), Stream.of(options)).toArray(String[]::new);
        assertThat(cli.run(arguments))
                .isEqualTo(new Outcome(2, "", "thalweg: topology 'Copy', operator " + message + "\n"));
        assertThat(folder.resolve("in/a.jsonl")).hasContent("one\ntwo\n");
        try (Stream<Path> there = Files.walk(folder)) {
            assertThat(there.map(path -> folder.relativize(path).toString()))
                    .containsExactlyInAnyOrder("", "Copy.java", "in", "in/a.jsonl");
        }
    }

    private String real(String path) throws Exception {
        return folder.toRealPath() + "/" + path;
    }

    @Test
    void shouldBeRefused() throws Exception {
        String own = "reads, so that the job would read its own results; write to a file or directory that no source of"
                + " the job reads, or name the inputs so that the output is not among them";
        refused(
                "'copy': it writes to " + real("in/a.jsonl") + ", which operator 'lines' " + own,
                "--set",
                "in=in/*.jsonl",
                "--set",
                "out=" + folder + "/in/./a.jsonl");
        refused(
                "'lines': the dead letters of the job would be written to " + real("Copy.dead-letters.jsonl")
                        + ", which it reads; choose another file with --dead-letters, or name its inputs otherwise",
                "--set",
                "in=**/*.jsonl",
                "--set",
                "out=out.txt");
        refused(
                "'copy': it writes to " + real("out.txt") + ", and the dead letters of the job would be written to "
                        + real("out.txt") + "; choose another file with --dead-letters",
                "--set",
                "in=in",
                "--set",
                "out=out.txt",
                "--dead-letters",
                "./out.txt");
        refused(
                "'lines': the checkpoints of the job would be written to " + real("in")
                        + ", which it reads; choose another directory with --checkpoint-dir, or name its inputs otherwise",
                "--set",
                "in=in",
                "--set",
                "out=out.txt",
                "--guarantee",
                "exactly-once",
                "--checkpoint-dir",
                "in");
    }

    @Test
    void shouldNotBeReplacedByWhatIsMeasured() throws Exception {
        refused(
                "'lines': --stats would be written to " + real("in/a.jsonl")
                        + ", which it reads; choose another file with --stats, or name its inputs otherwise",
                "--set",
                "in=in",
                "--stats",
                "in/../in/a.jsonl");
        refused(
                "'copy': it writes to " + real("out.txt") + ", and --stats would be written to " + real("out.txt")
                        + "; choose another file with --stats",
                "--set",
                "in=in",
                "--set",
                "out=out.txt",
                "--stats",
                "out.txt");
        refused(
                "'lines': --json would be written to " + real("in/a.jsonl")
                        + ", which it reads; choose another file with --json, or name its inputs otherwise",
                "--set",
                "in=in",
                "--doctor",
                "--json",
                "in/a.jsonl");
        assertThat(cli.run("run", "Copy.java", "--stats", "Copy.java").error())
                .isEqualTo("thalweg: --stats: Copy.java is used by this command already\n");
    }

    @Test
    void shouldKeepTheJobAndItsFiles() throws Exception {
        String source = Files.readString(folder.resolve("Copy.java"));
        Path tuned = cli.write("Copy.tuned.yaml", "batch: 64\n");
        refusedAsUsed("--dead-letters", "Copy.java");
        refusedAsUsed("--dead-letters", "in/../Copy.java");
        refusedAsUsed("--dead-letters", "s.json", "--stats", "s.json");
        refusedAsUsed("--stats", "Copy.dead-letters.jsonl", "--dead-letters", "Copy.dead-letters.jsonl");
        refusedAsUsed("--dead-letters", "d.json", "--doctor", "--json", "d.json");
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), Path.of("coming.json"));
        refusedAsUsed("--dead-letters", "link.json", "--doctor", "--json", "coming.json");
        Files.delete(link);
        for (String option : new String[] {"--dead-letters", "--stats", "--json"}) {
            refusedAsUsed(option, "Copy.tuned.yaml", "--tuned", "Copy.tuned.yaml", "--doctor");
            refusedAsUsed(option, "kept", "--guarantee", "exactly-once", "--checkpoint-dir", "kept", "--doctor");
        }
        assertThat(cli.run("run", "Copy.java", "--set", "in=in", "--set", "out=Copy.java")
                        .error())
                .isEqualTo("thalweg: topology 'Copy', operator 'copy': it writes to " + real("Copy.java")
                        + ", which is the job itself; write to another file\n");
        assertThat(folder.resolve("Copy.java")).hasContent(source);
        assertThat(tuned).hasContent("batch: 64\n");
        try (Stream<Path> there = Files.list(folder)) {
            assertThat(there.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("Copy.java", "Copy.tuned.yaml", "in");
        }
    }

    @Test
    void shouldBeRefusedByExplainAsByTheRun() throws Exception {
        cli.write("out.txt", "");
        for (String letters : new String[] {"in/a.jsonl", "out.txt", "none/bad.jsonl", "in", "Copy.java"}) {
            String[] run = {"run", "Copy.java", "--set", "in=in", "--set", "out=out.txt", "--dead-letters", letters};
            String[] explained =
                    Stream.concat(Stream.of(run), Stream.of("--explain")).toArray(String[]::new);
            Outcome refused = cli.run(run);
            assertThat(refused.code()).as(letters).isPositive();
            assertThat(cli.run(explained)).as(letters).isEqualTo(refused);
        }
        assertThat(folder.resolve("in/a.jsonl")).hasContent("one\ntwo\n");
    }

    private void refusedAsUsed(String... options) throws Exception {
        String[] arguments = Stream.concat(
                        Stream.of("run", "Copy.java", "--set", "in=in", "--set", "out=out.txt"), Stream.of(options))
                .toArray(String[]::new);
        Outcome run = cli.run(arguments);
        assertThat(run.code()).as(run.error()).isEqualTo(2);
        assertThat(run.errorLines())
                .as(String.join(" ", options))
                .singleElement()
                .asString()
                .matches("thalweg: --(dead-letters|stats|json): .* is used by this command already");
    }

    @Test
    void shouldRunBesideWhatTheyRead() throws Exception {
        Outcome run = cli.run(
                "run",
                "Copy.java",
                "--set",
                "in=in/*.jsonl",
                "--set",
                "out=in/a.txt",
                "--dead-letters",
                "in/bad",
                "--guarantee",
                "exactly-once",
                "--checkpoint-dir",
                "in/kept");
        assertThat(run.code()).as(run.error()).isZero();
        assertThat(folder.resolve("in/a.txt")).hasContent("one\ntwo\n");
        assertThat(cli.run("run", "Copy.java", "--set", "in=-", "--set", "out=-")
                        .code())
                .isZero();
    }
}
