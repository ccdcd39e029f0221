// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.thalweg.cli.Cli.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
final class RunCommandTest {
    private static final String DOUBLES =
            "topology.from(Sources.generate(settings.number(\"count\", 3), i -> i)).map(i -> 2 * i).to(Sinks.print());";

    private static final String PICKY = """
            topology.from(Sources.of("1", "two", "3"))
                    .map(text -> {
                        try {
                            return Integer.valueOf(text);
                        } catch (NumberFormatException e) {
                            throw new BadRecordException("no number", text);
                        }
                    })
                    .name("parse")
                    .to(Sinks.print());
            """;

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    @Test
    void shouldPrintResultsAndTellOfTheRunApart() throws Exception {
        cli.job("Doubles", DOUBLES);

        Outcome run = cli.run("run", "Doubles.java", "--parallelism", "1");

        assertThat(run.outLines()).containsExactly("0", "2", "4");
        assertThat(run.error()).matches("Doubles finished in [\\d.]+ s: 3 records in, 3 out, .*\n");
        assertThat(run.error()).as("no control characters into a file").doesNotContain("\u001b", "\r");
        assertThat(run.code()).isZero();
    }

    @Test
    void shouldHandSettingsToTheJob() throws Exception {
        cli.job("Doubles", DOUBLES);

        Outcome run = cli.run(
                "run",
                "--set",
                "count=2",
                "Doubles.java",
                "--threads",
                "1",
                "--parallelism=1",
                "--idle",
                "park",
                "--quiet");

        assertThat(run).isEqualTo(new Outcome(0, "0\n2\n", ""));
    }

    @Test
    void shouldHaveAsManyTasksAsThreads_unlessTold() throws Exception {
        cli.job("Doubles", DOUBLES);

        assertThat(cli.run("run", "Doubles.java", "--explain", "--threads", "3").out())
                .contains("3 tasks", "3 worker threads");
        assertThat(cli.run("run", "Doubles.java", "--explain", "--threads", "300")
                        .out())
                .contains("256 tasks");
        assertThat(cli.run("run", "Doubles.java", "--explain", "--threads", "3", "--parallelism", "2")
                        .out())
                .contains("2 tasks");
    }

    @Test
    void shouldKeepWhatTheJobItselfPrintsInOrder() throws Exception {
        cli.job("Speaks", "System.out.println(\"defining\"); " + DOUBLES);

        assertThat(cli.run("run", "Speaks.java", "--parallelism", "1").out()).isEqualTo("defining\n0\n2\n4\n");
    }

    @Test
    void shouldStartLaterWithoutTheCompiler() throws Exception {
        cli.job("Doubles", DOUBLES);
        cli.withOwnCache().withJava("-Xlog:class+load:file=" + folder.resolve("loaded-%p.txt") + "::filesize=0");

        Outcome first = cli.run("run", "Doubles.java", "--quiet");
        assertThat(loadedClasses()).contains("com.sun.tools.javac.");
        Outcome second = cli.run("run", "Doubles.java", "--quiet");

        assertThat(loadedClasses()).doesNotContain("com.sun.tools.javac.");
        assertThat(second.out().lines().sorted())
                .isEqualTo(first.out().lines().sorted().toList());
    }

    @Test
    void shouldSayHowJavaIsSetUp_whereTheLauncherWasAsked() throws Exception {
        cli.job("Doubles", DOUBLES);

        assertThat(cli.run("run", "Doubles.java", "--jvm", "latency").error())
                .contains("--jvm latency is for the launcher thalweg");
        assertThat(cli.run("run", "Doubles.java", "--jvm", "fast").error())
                .contains("--jvm is throughput or latency, not fast");

        cli.withJava("-Dthalweg.jvm=throughput").withJava("-Xmx200m").withJava("-Xmn64m");
        Outcome run = cli.run("run", "Doubles.java", "--jvm", "throughput", "--explain");
        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out())
                .containsPattern(
                        "(?m)^Java .*: Serial collector, heap up to 1\\d\\d MiB, young generation up to 64 MiB$");
    }

    @Test
    void shouldExplainInsteadOfRunning() throws Exception {
        cli.job("Doubles", DOUBLES);

        Outcome run = cli.run("run", "Doubles.java", "--explain");

        assertThat(run.out())
                .contains("topology Doubles")
                .contains("source -> map   forward")
                .contains("sink print");
        assertThat(run.error()).isEmpty();
        assertThat(run.code()).isZero();
    }

    @Test
    void shouldWriteTheFinalMeasurements() throws Exception {
        cli.job("Doubles", DOUBLES);

        assertThat(cli.run("run", "Doubles.java", "--stats", "stats.json", "--quiet")
                        .code())
                .isZero();
        String inFile = Files.readString(folder.resolve("stats.json"));
        assertThat(topLevel(inFile, "topology")).isEqualTo("Doubles");
        assertThat(topLevel(inFile, "state")).isEqualTo("FINISHED");
        assertThat(topLevel(inFile, "recordsIn")).isEqualTo("3");

        Outcome run = cli.run("run", "Doubles.java", "--stats", "-", "--set", "count=0", "--quiet");
        assertThat(topLevel(run.out(), "recordsOut")).isEqualTo("0");
    }

    @Test
    void shouldKeepBadRecordsAndGoOn() throws Exception {
        cli.job("Picky", PICKY);

        Outcome run = cli.run("run", "Picky.java");

        assertThat(run.out()).isEqualTo("1\n3\n");
        assertThat(run.errorLines())
                .hasSize(3)
                .endsWith(
                        "  1 bad record, kept in Picky.dead-letters.jsonl",
                        "    1 in 'parse': no number; list, offset 1");
        assertThat(run.code()).isZero();
        assertThat(Files.readString(folder.resolve("Picky.dead-letters.jsonl")))
                .contains("\"operator\":\"parse\"", "\"reason\":\"no number\"", "\"text\":\"two\"");

        assertThat(cli.run("run", "Picky.java", "--dead-letters", "letters.jsonl")
                        .error())
                .contains("kept in letters.jsonl");
        assertThat(folder.resolve("letters.jsonl")).exists();
    }

    @Test
    void shouldFailIfNoRecordIsGoodAndSayWhy() throws Exception {
        cli.job(
                "AllBad",
                PICKY.replace("\"1\", \"two\", \"3\"", "\"a\", \"b\", \"c\"")
                        .replace("Sinks.print()", "io.thalweg.files.TextLines.write(\"out.txt\")")
                        .replace(".name(\"parse\")", ".name(\"parse\").map(n -> \"\" + n)"));

        Outcome run = cli.run("run", "AllBad.java", "--stats", "stats.json", "--dead-letters-limit", "300");

        assertThat(run.errorLines())
                .hasSize(4)
                .anySatisfy(line -> assertThat(line).endsWith("further bad records are counted but not kept"))
                .containsSequence(
                        "  3 bad records, 2 kept in AllBad.dead-letters.jsonl, 1 not kept",
                        "    3 in 'parse': no number; first list, offset 0")
                .last()
                .asString()
                .startsWith("thalweg: topology 'AllBad': not one of 3 records was good; most often, 3 times, operator"
                        + " 'parse', first in list, offset 0: no number;");
        assertThat(run.code()).isEqualTo(1);
        assertThat(folder.resolve("out.txt")).doesNotExist();
        assertThat(Files.readString(folder.resolve("stats.json")))
                .contains("\"state\" : \"FAILED\"", "\"reason\" : \"no number\"", "\"count\" : 3");

        Outcome allowed = cli.run("run", "AllBad.java", "--max-bad", "none", "--quiet");
        assertThat(allowed).isEqualTo(new Outcome(0, "", ""));
        assertThat(folder.resolve("out.txt")).exists();
    }

    @Test
    void shouldPrintNoEscapesFromExceptions() throws Exception {
        cli.job(
                "Escapes",
                "topology.from(Sources.of(1)).map(i -> { if (i > 0) { throw new IllegalStateException(\"\\u001b[31m\"); }"
                        + " return i; }).to(Sinks.discard());");

        assertThat(cli.run("run", "Escapes.java").error())
                .contains("IllegalStateException: \\u001b[31m")
                .doesNotContain("\u001b");
        assertThat(cli.run("run", "Escapes.java", "--debug").error()).doesNotContain("\u001b");
    }

    @Test
    void shouldMakeNoFileWhereNoRecordIsBad() throws Exception {
        cli.job("Doubles", DOUBLES);

        cli.run("run", "Doubles.java");

        assertThat(folder.resolve("Doubles.dead-letters.jsonl")).doesNotExist();
    }

    @Test
    void shouldFailAtTheFirstBadRecordIfAsked() throws Exception {
        cli.job("Picky", PICKY);

        Outcome run = cli.run("run", "Picky.java", "--on-bad", "fail");

        assertThat(run.errorLines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("thalweg: topology 'Picky', operator 'parse'")
                .endsWith(": no number");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void shouldFailWhereBadRecordsCannotBeKept() throws Exception {
        cli.job("Picky", PICKY);

        Outcome run = cli.run("run", "Picky.java", "--dead-letters", "gone/letters.jsonl");

        assertThat(run.errorLines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("thalweg: ")
                .contains("gone/letters.jsonl");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void shouldFailInOneLineWhereAnOperatorFails() throws Exception {
        cli.job("Fails", "topology.from(Sources.of(1, 0)).map(i -> 10 / i).name(\"divide\").to(Sinks.discard());");

        Outcome run = cli.run("run", "Fails.java", "--stats", "stats.json");

        assertThat(run.errorLines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("thalweg: topology 'Fails', operator 'divide'")
                .contains("/ by zero");
        assertThat(run.code()).isEqualTo(1);
        assertThat(topLevel(Files.readString(folder.resolve("stats.json")), "state"))
                .isEqualTo("FAILED");
        assertThat(cli.run("run", "Fails.java", "--debug").error()).contains("at Fails.lambda$define$");
    }

    @Test
    void shouldFailInOneLineWhereTheJobCannotDescribeItself() throws Exception {
        cli.job("Fails", "List.of().get(0);");

        Outcome run = cli.run("run", "Fails.java");

        assertThat(run.error())
                .isEqualTo("thalweg: Fails failed to define its topology at Fails.java:11:"
                        + " java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0\n");
        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void shouldFailInOneLineWhereMemoryIsShort() throws Exception {
        cli.job("Hoards", "List<byte[]> all = new ArrayList<>(); while (true) { all.add(new byte[1 << 20]); }");

        Outcome run = cli.withJava("-Xmx32m").run("run", "Hoards.java");

        assertThat(run.error())
                // the serial collector does not count the half of the young generation that it copies into
                .matches("thalweg: out of memory: the heap of 3[0-2] MiB is full; THALWEG_OPTS=-Xmx8g sets it to 8"
                        + " GiB\n");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void shouldFailInOneLineWhereStateOutgrowsMemory() throws Exception {
        cli.job(
                "Grows",
                "topology.from(Sources.generate(Long.MAX_VALUE, i -> i)).keyBy(i -> \"key\" + i)"
                        + ".aggregate(Aggregates.count()).to(Sinks.discard());");

        Outcome run = cli.withJava("-Xmx32m")
                .withJava("-XX:+UseSerialGC")
                .run("run", "Grows.java", "--stats", "stats.json", "--quiet", "--state-limit", "none");

        assertThat(run.error())
                .matches("thalweg: topology 'Grows'.*: out of memory with a heap of \\d+ MB.*; operator 'running' keeps"
                        + " [\\d,]+ keys in about \\d+ MB;.*keep less.*\\n");
        assertThat(run.code()).isEqualTo(1);
        assertThat(topLevel(Files.readString(folder.resolve("stats.json")), "state"))
                .isEqualTo("FAILED");
    }

    @Test
    void shouldFailInOneLineWhereStateExceedsItsLimit() throws Exception {
        cli.job(
                "Grows",
                "topology.from(Sources.generate(Long.MAX_VALUE, i -> i)).keyBy(i -> \"key\" + i)"
                        + ".aggregate(Aggregates.count()).to(Sinks.discard());");

        Outcome run = cli.run("run", "Grows.java", "--state-limit", "5MB", "--quiet");

        assertThat(run.error())
                .matches("thalweg: topology 'Grows': the state of its operators takes about \\d+ MB, and the limit is 5"
                        + " MB: operator 'running' keeps [\\d,]+ keys in about \\d+ MB; keep less.*--state-limit\\n");
        assertThat(run.code()).isEqualTo(1);
        refused(
                "--state-limit is a size such as 500kB, 10MB or 2GB, or none; not 0",
                "run",
                "Grows.java",
                "--state-limit",
                "0");
    }

    @Test
    void shouldRefuseSettingsThatTheJobDoesNotKnowOrCannotUse() throws Exception {
        cli.job("Doubles", DOUBLES);

        refused(
                "unknown setting 'cuont'; this job knows: count; did you mean count?",
                "run",
                "Doubles.java",
                "--set",
                "cuont=7");
        refused("unknown setting 'out'; this job knows: count", "run", "Doubles.java", "--set", "out=7");
        refused("setting count=many: a whole number is expected", "run", "Doubles.java", "--set", "count=many");
        for (String quotes : List.of("a \"b\"c\";", "\"a=b\"", "\"a=b", "a\"=\"b\"")) {
            refused(
                    "setting count=" + quotes + ": a whole number is expected",
                    "run",
                    "Doubles.java",
                    "--set",
                    "count=" + quotes);
        }
    }

    @Test
    void shouldRefuseATopologyThatCannotRun() throws Exception {
        cli.job("Loose", "topology.from(Sources.of(1)).map(i -> i);");

        Outcome run = cli.run("run", "Loose.java");

        assertThat(run.errorLines()).hasSize(1).first().asString().startsWith("thalweg: topology 'Loose'");
        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void shouldShowWhatDoesNotCompile() throws Exception {
        cli.job("Wrong", "topology.form();");

        Outcome run = cli.run("run", "Wrong.java");

        assertThat(run.errorLines())
                .contains("        topology.form();")
                .startsWith("Wrong.java:11: error: cannot find symbol")
                .endsWith("1 error", "thalweg: Wrong.java does not compile");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldRefuseAWrongCommandLine() throws Exception {
        cli.job("Doubles", DOUBLES);

        refused("Missing required parameter: 'JOB' (see thalweg run --help)", "run");
        refused("there is no file Gone.java", "run", "Gone.java");
        refused(
                "unknown option --thraeds; did you mean --threads? (see thalweg run --help)",
                "run",
                "--thraeds=2",
                "Doubles.java");
        refused("unknown command 'rum'; did you mean run? (see thalweg --help)", "rum");
        refused("one JOB at a time, and 'B.java' is one too many (see thalweg run --help)", "run", "A.java", "B.java");
        refused(
                "one JOB at a time, and 'runs.db' is one too many; write --history=runs.db (see thalweg run --help)",
                "run",
                "A.java",
                "--history",
                "runs.db");
        refused(
                "one JOB at a time, and 'A.java' is one too many; write --web=8090 (see thalweg run --help)",
                "run",
                "--web",
                "8090",
                "A.java");
        refused(
                "one JOB at a time, and 'c=d' is one too many; each setting needs its own --set: --set c=d (see thalweg run --help)",
                "run",
                "A.java",
                "--set",
                "a=b",
                "c=d");
        refused("--idle is spin, balanced or park, not sleep", "run", "Doubles.java", "--idle", "sleep");
        refused("--on-bad is dead-letter or fail, not ignore", "run", "Doubles.java", "--on-bad", "ignore");
        refused(
                "--max-bad is a share such as 5%, a number of records, both as in 5%,1000, or none; not 101%",
                "run", "Doubles.java", "--max-bad", "101%");
        refused(
                "--dead-letters-limit is a size such as 500kB, 10MB or 2GB, or none; not 10MX",
                "run",
                "Doubles.java",
                "--dead-letters-limit",
                "10MX");
        refused(
                "--dead-letters takes a file, not -: standard output is for results; use a file or /dev/stderr",
                "run",
                "Doubles.java",
                "--dead-letters",
                "-");
        refused("JOB is empty: name a .java file or a .jar", "run", "");
        refused("--set takes KEY=VALUE, not =7", "run", "Doubles.java", "--set", "=7");
        refused("--parallelism must be from 1 to 256, not 0", "run", "Doubles.java", "--parallelism", "0");
        refused("--threads must be from 1 to 1024, not 0", "run", "Doubles.java", "--threads", "0");
        refused("--threads must be from 1 to 1024, not 1025", "run", "Doubles.java", "--threads", "1025");
        refused(
                "--checkpoint-dir is empty: name a directory; is a variable not set?",
                "run",
                "Doubles.java",
                "--guarantee",
                "exactly-once",
                "--checkpoint-dir",
                "");
        refused(
                "--set count is given twice; leave one of them out",
                "run",
                "Doubles.java",
                "--set",
                "count=1",
                "--set",
                "count=2");
    }

    @Test
    void shouldFailBeforeTheRunWhereMeasurementsCannotBeWritten() throws Exception {
        cli.job("Doubles", DOUBLES);

        Outcome run = cli.run("run", "Doubles.java", "--stats", "gone/stats.json");

        assertThat(run.errorLines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("thalweg: --stats: there is no directory ");
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void shouldTellItsVersionAndItsUse() throws Exception {
        assertThat(cli.run("--version").out()).startsWith("thalweg ");
        assertThat(cli.run("--help").out()).containsPattern("run +Runs a job");
        assertThat(cli.run().out()).isEqualTo(cli.run("--help").out());
        assertThat(cli.run("run", "--help").out())
                .contains("--set=KEY=VALUE", "Exit codes")
                .doesNotContain("\u001b");
    }

    @Test
    void shouldRefuseGuaranteesThatDoNotFitTogether() throws Exception {
        cli.job("Doubles", DOUBLES);
        refused(
                "--guarantee is none, acked, at-least-once or exactly-once, not maybe",
                "run",
                "Doubles.java",
                "--guarantee",
                "maybe");
        refused(
                "--guarantee exactly-once needs --checkpoint-dir DIR",
                "run",
                "Doubles.java",
                "--guarantee",
                "exactly-once");
        refused(
                "--checkpoint-dir needs a guarantee: add --guarantee exactly-once, at-least-once or acked",
                "run",
                "Doubles.java",
                "--checkpoint-dir",
                "checkpoints");
        refused(
                "--max-pending and --ack-timeout are for --guarantee acked",
                "run",
                "Doubles.java",
                "--max-pending",
                "5");
        refused(
                "--checkpoint-interval takes a number of at most six digits and ms, s, m or h, such as 10s, not 9999999h",
                "run",
                "Doubles.java",
                "--guarantee",
                "exactly-once",
                "--checkpoint-dir",
                "checkpoints",
                "--checkpoint-interval",
                "9999999h");
    }

    @Test
    void shouldConfirmRecordsOneByOne() throws Exception {
        cli.job("Picky", """
                topology.from(Sources.generate(100, n -> n))
                        .shuffle()
                        .map(n -> {
                            if (n == 42) {
                                throw new io.thalweg.api.operator.RecordFailedException("not 42");
                            }
                            return n;
                        })
                        .as(Long.class)
                        .to(Sinks.discard());
                """);

        Outcome run = cli.run("run", "Picky.java", "--guarantee", "acked", "--tries", "3");

        assertThat(run.code()).isZero();
        assertThat(run.error())
                .contains("99 acked, 3 failed, 1 given up, complete latency p50 ")
                .contains("1 bad record");
        assertThat(Files.readString(folder.resolve("Picky.dead-letters.jsonl")))
                .contains("given up after 3 times: not 42");
    }

    private void refused(String message, String... arguments) throws Exception {
        assertThat(cli.run(arguments)).isEqualTo(new Outcome(2, "", "thalweg: " + message + "\n"));
    }

    private String loadedClasses() throws Exception {
        try (var files = Files.newDirectoryStream(folder, "loaded-*.txt")) {
            StringBuilder text = new StringBuilder();
            for (Path file : files) {
                text.append(Files.readString(file));
                Files.delete(file);
            }
            return text.toString();
        }
    }

    /** A field of the outermost object, as text. */
    private static String topLevel(String json, String field) throws Exception {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                if (name.equals(field)) {
                    return parser.getText();
                }
                parser.skipChildren();
            }
            throw new AssertionError("no field " + field + " in " + json);
        }
    }
}
