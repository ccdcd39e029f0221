// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import io.thalweg.lab.result.ResultFiles;
import io.thalweg.lab.result.Results;
import io.thalweg.run.LockedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
final class LabCommandTest {
    private static final String RESULTS = """
            {"schema": 1,
             "machine": {"cpu": "c", "cores": 2, "memory_mb": 1, "os": "o", "java": "j", "thalweg": "t", "started": "s",
                         "ceiling_records_per_s": 1, "meter_ns_per_record": 1, "clock_ns": 1},
             "studies": [], "cells": []}
            """;

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    @Test
    void shouldListStudiesWithTheirCases() throws Exception {
        Outcome list = cli.run("lab", "list");

        assertThat(list.code()).isZero();
        assertThat(list.outLines())
                .contains(
                        "storm-2012: Twitter Storm 0.6.1: throughput and latency of a pipeline",
                        "  a: one process, one of each, no acking");
    }

    @Test
    void shouldRefuseWhatIsNotThere() throws Exception {
        assertThat(fails(2, "lab", "run", "storm-2013")).startsWith("thalweg: no study 'storm-2013'; there are ");
        assertThat(fails(2, "lab", "run", "storm-2012.z")).startsWith("thalweg: study storm-2012 has no case 'z'");
        assertThat(fails(2, "lab", "run", "none.yaml")).startsWith("thalweg: none.yaml: no such file");
        assertThat(fails(2, "lab", "run", "storm-2012", "--runs", "-1")).contains("--seconds and --runs");
        assertThat(fails(2, "lab", "run", "storm-2012", "--resume")).contains("--resume needs --json FILE");
        assertThat(fails(1, "lab", "run", "storm-2012", "--resume", "--json", "none.json"))
                .startsWith("thalweg: cannot read none.json: no such file");
        assertThat(fails(2, "lab", "run", "storm-2012", "--html", "."))
                .startsWith("thalweg: --html . is a directory; name a file in it");
        assertThat(fails(2, "lab", "run", "storm-2012", "--html", "pages/"))
                .contains("there is no directory pages/; make it, or leave out the / to write a file");
        try (LockedFile other = LockedFile.tryLock(folder.resolve(".a.json.lock"))) {
            assertThat(other).isNotNull();
            assertThat(fails(1, "lab", "run", "storm-2012", "--json", "a.json"))
                    .isEqualTo("thalweg: --json a.json is written by another call of the lab that has not ended; name"
                            + " another file, or wait for it\n");
        }
        assertThat(fails(2, "lab", "run", "storm-2012", "--json", "none/a.json"))
                .startsWith("thalweg: --json none/a.json: there is no directory none");
        assertThat(fails(2, "lab", "run", "storm-2012", "--json", "a", "--html", "./a"))
                .startsWith("thalweg: --json and --html name the same file, ./a; name two");
        assertThat(fails(1, "lab", "run", "storm-2012")).contains("run it by ./thalweg lab");
        cli.withJava("-Dthalweg.home=" + folder);
        assertThat(fails(1, "lab", "run", "storm-2012")).contains("no drivers under " + folder);
        Files.createDirectories(folder.resolve("lab/drivers"));
        assertThat(fails(2, "lab", "run", "storm-2012", "--engines", "spark")).contains("no engine 'spark'");
    }

    /** Nobody has thought of it: there is a line all the same, and the trace for who asks. */
    @Test
    void shouldSayInOneLineWhatNobodyExpects() throws Exception {
        Path driver =
                Files.createDirectories(folder.resolve("lab/drivers/mine")).resolve("driver.yaml");
        Files.writeString(driver, "engine: mine\nmain: no.such.Driver\nvariants: {}\n");
        cli.write("mine.yaml", """
                name: mine
                title: my own
                engines: {mine: []}
                settings: {workload: relay}
                cases: [{name: a, title: the only one}]
                """);
        cli.withJava("-Dthalweg.home=" + folder);

        assertThat(fails(1, "lab", "run", "mine.yaml"))
                .matches("(?s)thalweg: java\\.lang\\.\\w*IndexOutOfBoundsException: .*")
                .endsWith(" (--debug shows where)\n");
        assertThat(cli.run("lab", "run", "mine.yaml", "--debug").error()).contains("at io.thalweg.lab.run.Engine.");
    }

    @Test
    void shouldKeepNoSecretsInItsResults() throws Exception {
        Files.createDirectories(folder.resolve("lab/drivers/mine"));
        cli.write("lab/drivers/mine/driver.yaml", """
                engine: mine
                main: no.such.Driver
                variants: {one: {says: it runs nothing}}
                refuses: [{when: {workload: relay}, why: it runs nothing}]
                """);
        cli.write("mine.yaml", """
                name: mine
                title: my own
                engines: {mine: [one]}
                settings: {workload: relay, set: {db.password: "KEY-123", in: a.csv}}
                cases: [{name: a, title: the only one}]
                """);
        cli.withJava("-Dthalweg.home=" + folder);

        Outcome run = cli.run("lab", "run", "mine.yaml", "--json", "a.json", "--html", "a.html");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(folder.resolve("a.json"))
                .content()
                .doesNotContain("KEY-123")
                .contains("\"set.db.password\":\"(not kept)\"", "a.csv");
        assertThat(folder.resolve("a.html")).content().doesNotContain("KEY-123").contains("a.csv");
        Outcome resumed = cli.run("lab", "run", "mine.yaml", "--json", "a.json", "--resume");
        assertThat(resumed.code()).as(resumed.error()).isZero();
    }

    @Test
    void shouldReportAndCompareFiles() throws Exception {
        cli.write("a.json", RESULTS);
        cli.write("b.json", "{}");

        Outcome report = cli.run("lab", "report", "a.json", "a.json", "--html", "a.html");
        assertThat(report.code()).as(report.error()).isZero();
        assertThat(folder.resolve("a.html")).content().startsWith("<!DOCTYPE html>");
        Files.createDirectories(folder.resolve("pages"));
        Outcome pages = cli.run("lab", "report", "a.json", "a.json", "--html", "pages");
        assertThat(pages.code()).as(pages.error()).isZero();
        assertThat(folder.resolve("pages/a.html")).content().startsWith("<!DOCTYPE html>");
        cli.write("pages/a.json", RESULTS);
        assertThat(fails(2, "lab", "report", "a.json", "pages/a.json", "--html", "pages"))
                .contains("a.json and pages/a.json would be the same page");
        assertThat(fails(2, "lab", "report", "a.json", "--html", "a.json"))
                .startsWith("thalweg: --html a.json would replace the results; name another file");
        assertThat(folder.resolve("a.json")).content().isEqualTo(RESULTS);
        assertThat(fails(2, "lab", "report", "a.json", "--html", "more/"))
                .contains("there is no directory more/; make it, or leave out the / to write a file");
        assertThat(folder.resolve("more")).doesNotExist();
        Outcome unwritten = cli.run("lab", "report", "a.json", "--html", "none/a.html");
        assertThat(unwritten.code()).isEqualTo(1);
        assertThat(unwritten.errorLines())
                .containsExactly("thalweg: cannot write none/a.html: no such file or directory");
        cli.write("escape.json", RESULTS.replace("\"cpu\": \"c\"", "\"cpu\": \"\\u001b[2J\""));
        assertThat(cli.run("lab", "report", "escape.json").out())
                .contains("\\u001b[2J")
                .doesNotContain("\u001b");
        Outcome nothing = cli.run("lab", "compare", "a.json", "a.json");
        assertThat(nothing.code()).as(nothing.out()).isEqualTo(1);
        assertThat(nothing.out()).contains("Nothing could be compared");
        assertThat(fails(1, "lab", "compare", "a.json", "b.json")).startsWith("thalweg: b.json ");
        assertThat(fails(1, "lab", "report", "c.json")).startsWith("thalweg: cannot read c.json: no such file");
    }

    @Test
    void shouldShowNoSecretsOfResultsThatHaveThem() throws Exception {
        Path published;
        try (Stream<Path> files = Files.list(Path.of("../docs/studies"))) {
            published = files.filter(each -> each.toString().endsWith(".json.gz"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        Results results = ResultFiles.read(published)
                .withSettings(told -> Map.of("set.kafka.ssl.keystore.key", "KEY-123", "set.in", "a.csv"));

        LabCommand.keep(results, folder.resolve("kept.json"));
        ResultFiles.write(results, folder.resolve("of-before.json"));
        Outcome report = cli.run("lab", "report", "of-before.json", "--html", "page.html");

        assertThat(report.code()).as(report.error()).isZero();
        assertThat(report.out()).doesNotContain("KEY-123");
        for (String file : List.of("kept.json", "page.html")) {
            assertThat(Files.readString(folder.resolve(file)))
                    .as(file)
                    .contains("a.csv", "(not kept)")
                    .doesNotContain("KEY-123");
        }
    }

    /** The one line that it says. */
    private String fails(int code, String... arguments) throws Exception {
        Outcome outcome = cli.run(arguments);
        assertThat(outcome.code()).as(outcome.error()).isEqualTo(code);
        assertThat(outcome.errorLines()).hasSize(1);
        return outcome.error();
    }
}
