// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that are told to stop. Each says that it runs by a line on standard output. */
@DisabledOnOs(OS.WINDOWS)
@Tag("integration")
final class InterruptTest {
    /** Endless; a window of each of ten keys is open all the time, and none ever fires. */
    private static final String ENDLESS = """
            topology.from(Sources.generate(Long.MAX_VALUE, i -> i).rate(10_000))
                    .peek(i -> { if (i == 1_000) { System.out.println("runs"); } })
                    .eventTime(i -> i, Duration.ZERO)
                    .keyBy(i -> i % 10)
                    .window(Windows.tumbling(Duration.ofDays(365_000)))
                    .aggregate(Aggregates.count())
                    .to(Sinks.print());
            """;

    private static final String DEAF = """
            topology.from(Sources.generate(Long.MAX_VALUE, i -> i))
                    .peek(i -> { System.out.println("runs"); new java.util.concurrent.CountDownLatch(1).await(); })
                    .to(Sinks.discard());
            """;

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    @AfterEach
    void leaveNoProcess() {
        cli.destroy();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void shouldStopInGoodOrder(String signal, int code) throws Exception {
        cli.job("Endless", ENDLESS);
        Process run = cli.start("run", "Endless.java", "--stats", "stats.json");
        try (BufferedReader out = Cli.lines(run.getInputStream());
                BufferedReader error = Cli.lines(run.getErrorStream())) {
            assertThat(out.readLine()).isEqualTo("runs");

            Cli.signal(run, signal);

            assertThat(Cli.end(run)).isEqualTo(code);
            assertThat(out.readLine()).as("open windows are not emitted").isNull();
            List<String> told = error.lines()
                    .filter(line -> !line.matches("thalweg: (after|slow|still stopping).*")) // on busy machines alone
                    .toList();
            assertThat(told).hasSize(3);
            assertThat(told.get(0)).isEqualTo("thalweg: stopping; a second signal stops it at once");
            assertThat(told.get(1)).startsWith("Endless cancelled after ");
            assertThat(told.get(2)).isEqualTo("  10 open windows, not emitted");
            assertThat(Files.readString(folder.resolve("stats.json"))).contains("\"state\" : \"CANCELLED\"");
        }
    }

    @Test
    void shouldEndWhereTheDoctorsTimeIsOverAndAJobDoesNotStop() throws Exception {
        cli.job("Deaf", DEAF);

        Cli.Outcome run = cli.run("doctor", "Deaf.java", "--for", "4s", "--stop-timeout", "1s");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("Doctor: Deaf");
        assertThat(run.errorLines())
                .contains("thalweg: still stopping: a call or the last checkpoint has not finished;"
                        + " a second signal stops it at once")
                .anyMatch(line -> line.startsWith("thalweg: the job was told to stop and has not: a call"));
    }

    @Test
    void shouldEndTheDoctorBySigtermEvenIfAJobDoesNotStop() throws Exception {
        cli.job("Deaf", DEAF);
        Process run = cli.start("doctor", "Deaf.java", "--for", "1h", "--stop-timeout", "1s");
        try (BufferedReader out = Cli.lines(run.getInputStream())) {
            assertThat(out.readLine()).isEqualTo("runs");

            Cli.signal(run, "TERM");

            assertThat(out.lines()).contains("Doctor: Deaf");
            assertThat(Cli.end(run)).isEqualTo(143);
        }
    }

    @Test
    void shouldTakeALastCheckpointWhenItsTerminalIsClosed() throws Exception {
        cli.job("Endless", ENDLESS);
        Process run = cli.start(
                "run",
                "Endless.java",
                "--guarantee",
                "exactly-once",
                "--checkpoint-dir",
                "kept",
                "--checkpoint-interval",
                "1h");
        try (BufferedReader out = Cli.lines(run.getInputStream())) {
            assertThat(out.readLine()).isEqualTo("runs");

            Cli.signal(run, "HUP");

            assertThat(Cli.end(run)).isEqualTo(129);
            assertThat(folder.resolve("kept/checkpoint-1")).exists();
        }
    }

    /** Ten records are a second of work, and queues hold thousands. */
    private static final String SLOW = """
            topology.from(Sources.generate(Long.MAX_VALUE, i -> i)).name("numbers")
                    .shuffle()
                    .map(i -> { if (i == 0) { System.out.println("runs"); } Thread.sleep(100); return i; })
                    .as(Long.class).name("slow").parallelism(1)
                    .to(Sinks.discard());
            """;

    @Test
    void shouldDropWhatASlowOperatorHasBeforeIt() throws Exception {
        cli.job("Slow", SLOW);
        Process run = cli.start("run", "Slow.java", "--parallelism", "2");
        try (BufferedReader out = Cli.lines(run.getInputStream());
                BufferedReader error = Cli.lines(run.getErrorStream())) {
            assertThat(out.readLine()).isEqualTo("runs");

            Cli.signal(run, "INT");

            assertThat(Cli.end(run)).isEqualTo(130);
            assertThat(error.lines())
                    .contains("thalweg: stopping; a second signal stops it at once")
                    .anyMatch(
                            line -> line.matches("thalweg: topology 'Slow': \\d+ records in flight were dropped, before"
                                    + " task .*'slow.*\\[0]'.*; --stop-timeout waits longer for them"));
        }
    }

    /** One record becomes records without end. */
    private static final String FLAT_MAP = """
            topology.from(Sources.generate(1, i -> i))
                    .flatMap(i -> java.util.stream.LongStream.iterate(0, n -> n + 1).boxed()::iterator).as(Long.class)
                    .peek(i -> { if (i == 1_000_000) { System.out.println("runs"); } })
                    .to(Sinks.discard());
            """;

    @Test
    void shouldStopAFlatMapWithoutEnd() throws Exception {
        cli.job("Endless", FLAT_MAP);
        Process run = cli.start("run", "Endless.java", "--stop-timeout", "100ms");
        try (BufferedReader out = Cli.lines(run.getInputStream());
                BufferedReader error = Cli.lines(run.getErrorStream())) {
            assertThat(out.readLine()).isEqualTo("runs");

            Cli.signal(run, "INT");

            assertThat(Cli.end(run)).isEqualTo(130);
            assertThat(error.lines())
                    .contains("thalweg: stopping; a second signal stops it at once")
                    .anyMatch(line ->
                            line.startsWith("thalweg: topology 'Endless': 1 record in flight was dropped, before task")
                                    && line.endsWith("--stop-timeout waits longer for them"));
        }
    }

    @Test
    void shouldSayWhatItWaitsFor_andStopWithoutTheLastCheckpoint() throws Exception {
        cli.job("Slow", SLOW);
        Process run = cli.start(
                "run",
                "Slow.java",
                "--parallelism",
                "2",
                "--guarantee",
                "exactly-once",
                "--checkpoint-dir",
                "kept",
                "--stop-timeout",
                "8s");
        try (BufferedReader out = Cli.lines(run.getInputStream());
                BufferedReader error = Cli.lines(run.getErrorStream())) {
            assertThat(out.readLine()).isEqualTo("runs");

            Cli.signal(run, "INT");

            assertThat(Cli.end(run)).isEqualTo(130);
            assertThat(error.lines())
                    .anyMatch(line -> line.startsWith("thalweg: still stopping: task 'slow")
                            && line.endsWith(" batches of records queued; a second signal stops it at once"))
                    .anyMatch(line ->
                            line.contains("the last checkpoint is not complete 8 s after the job was asked to stop;"
                                    + " it stops without; --stop-timeout waits longer"))
                    .noneMatch(line -> line.contains("covers everything that was read"));
        }
    }

    @Test
    void shouldRunOnUnderNohup() throws Exception {
        cli.job("Endless", ENDLESS.replace("i == 1_000", "i % 1_000 == 0"));
        Process run = cli.startUnder("nohup", "run", "Endless.java", "--quiet");
        try (BufferedReader out = Cli.lines(run.getInputStream())) {
            assertThat(out.readLine()).isEqualTo("runs");

            Cli.signal(run, "HUP");
            for (int more = 0; more < 20; more++) {
                assertThat(out.readLine()).as("SIGHUP was ignored").isEqualTo("runs");
            }
            Cli.signal(run, "TERM");
            out.lines().forEach(line -> {}); // until it ends

            assertThat(Cli.end(run)).isEqualTo(143);
        }
    }

    @ParameterizedTest
    @CsvSource({"map, 'i -> { System.exit(0); return i; }'", "map, 'i -> { Runtime.getRuntime().exit(0); return i; }'"})
    void shouldFailWhereTheJobsCodeEndsTheProcess(String operator, String function) throws Exception {
        cli.job(
                "Exits",
                "topology.from(Sources.generate(9, i -> i))." + operator + "(" + function
                        + ").as(Long.class).map(String::valueOf).to(io.thalweg.files.TextLines.write(\"out.txt\"));");

        Cli.Outcome run = cli.run("run", "Exits.java", "--quiet");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.error())
                .startsWith("thalweg: the job's code, or a library that it uses, ended this process with System.exit at"
                        + " Exits.")
                .contains("(Exits.java:")
                .hasLineCount(1);
        assertThat(folder.resolve("out.txt")).doesNotExist();
    }

    @Test
    void shouldFailWhereTheDefinitionEndsTheProcess() throws Exception {
        cli.job("Exits", "System.exit(0);");

        Cli.Outcome run = cli.run("run", "Exits.java");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.error())
                .contains("with System.exit at Exits.define(Exits.java:")
                .hasLineCount(1);
    }

    @Test
    void shouldStopThoughItsInputNeverEnds() throws Exception {
        cli.job("Echo", "topology.from(io.thalweg.files.TextLines.read(\"-\")).to(Sinks.print());");
        Process run = cli.start("run", "Echo.java", "--quiet");
        try (BufferedReader out = Cli.lines(run.getInputStream());
                BufferedReader error = Cli.lines(run.getErrorStream())) {
            run.getOutputStream().write("hello\n".getBytes(StandardCharsets.UTF_8));
            run.getOutputStream().flush();
            assertThat(out.readLine()).isEqualTo("hello");

            Cli.signal(run, "INT");

            assertThat(Cli.end(run)).isEqualTo(130);
            assertThat(out.readLine()).isNull();
            assertThat(error.readLine()).isNull();
        }
    }

    @Test
    void shouldStopAtOnceWhenToldTwice() throws Exception {
        cli.job("Deaf", DEAF);
        Process run = cli.start("run", "Deaf.java", "--parallelism", "1");
        try (BufferedReader out = Cli.lines(run.getInputStream());
                BufferedReader error = Cli.lines(run.getErrorStream())) {
            assertThat(out.readLine()).isEqualTo("runs");
            assertThat(Cli.next(error))
                    .as("in Deaf, unless the machine takes a second to come to its code")
                    .matches("thalweg: slow: task 'source\\+peek\\+sink\\[0]' has blocked its thread for over a second"
                            + "( in Deaf\\..*\\(Deaf\\.java:\\d+\\))?; mark what may block with blocking\\(\\)");
            Cli.signal(run, "INT");
            assertThat(Cli.next(error)).isEqualTo("thalweg: stopping; a second signal stops it at once");

            Cli.signal(run, "INT");

            assertThat(Cli.end(run)).isEqualTo(130);
        }
    }

    @Test
    void shouldStopWhenNobodyReadsTheResultsAnyMore() throws Exception {
        cli.job("Prints", "topology.from(Sources.generate(Long.MAX_VALUE, i -> i).rate(10_000)).to(Sinks.print());");
        Process run = cli.start("run", "Prints.java", "--quiet");
        try (BufferedReader error = Cli.lines(run.getErrorStream())) {
            try (BufferedReader out = Cli.lines(run.getInputStream())) {
                assertThat(out.readLine()).isNotNull();
            }

            assertThat(Cli.end(run)).isEqualTo(1);
            assertThat(error.readLine())
                    .isEqualTo("thalweg: results could not be written to standard output: it is closed or full");
            assertThat(error.readLine()).isNull();
        }
    }
}
