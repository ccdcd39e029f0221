// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Output;
import io.thalweg.doctor.tune.Step;
import io.thalweg.doctor.tune.TuneReport;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("integration")
final class TuneCommandTest {
    /** Lasts for half a second on any machine. */
    private static final String ISOLATED = """
            topology.from(Sources.generate(500, i -> i).rate(1_000))
                    .map(i -> i % 7).name("part").isolate()
                    .to(Sinks.print());
            """;

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder).withOwnCache();
    }

    @AfterEach
    void leaveNothingRunning() {
        cli.destroy();
    }

    private List<String> names() throws Exception {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private TuneReport report(String file) throws Exception {
        return RecordJson.read(Files.readAllBytes(folder.resolve(file)), TuneReport.class);
    }

    /** The budget is so small that it may be over before any change was tried: what is tried depends on the machine. */
    @Test
    void shouldCompareOutputsAndWriteSettingsAndReport() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        cli.withJava("-Djava.io.tmpdir=" + temporary);
        cli.job("Isolated", ISOLATED);

        Outcome run = cli.run("tune", "Isolated.java", "--budget", "4s", "--json", "report.json");

        assertThat(run.code()).as(run.error()).isZero();
        TuneReport report = report("report.json");
        assertThat(report.version()).isEqualTo(TuneReport.VERSION);
        assertThat(report.failure()).isNull();
        assertThat(report.topology()).isEqualTo("Isolated");
        assertThat(report.before()).isPositive();
        assertThat(report.runs()).isGreaterThanOrEqualTo(2);
        assertThat(report.outputs()).first().extracting(Output::records).isEqualTo(500L);
        assertThat(run.out())
                .startsWith("Tune: Isolated, for throughput\n")
                .contains("Isolated.tuned.yaml: thalweg run Isolated.java --tuned Isolated.tuned.yaml");
        assertThat(names()).contains("Isolated.tuned.yaml").noneMatch(name -> name.endsWith(".new"));
        assertThat(temporary).as("nor what was recorded").isEmptyDirectory();

        Outcome tuned = cli.run("run", "Isolated.java", "--quiet", "--tuned", "Isolated.tuned.yaml");

        assertThat(tuned.code()).as(tuned.error()).isZero();
        assertThat(tuned.outLines()).hasSize(500);
        assertThat(refused("tune", "Isolated.java")).contains("is there already");
    }

    /** From the sixth time on that it is defined, in one of the processes or the other, the job puts out something else. */
    @Test
    void shouldSayWhatIsKeptWhenTheJobCanNoLongerBeCompared() throws Exception {
        cli.job("Restless", """
                new java.io.File("run-" + java.util.UUID.randomUUID()).mkdir();
                int runs = new java.io.File(".").list((folder, name) -> name.startsWith("run-")).length;
                topology.from(Sources.generate(500, i -> i).rate(1_000))
                        .map(i -> i % (runs < 6 ? 7 : 8)).name("part").isolate()
                        .to(Sinks.print());
                """);

        Outcome run = cli.run("tune", "Restless.java", "--quiet", "--budget", "1h", "--json", "report.json");

        assertThat(run.code()).as(run.error()).isEqualTo(ExitCodes.FAILED);
        assertThat(run.errorLines()).hasSize(1).first().asString().contains("put out different records than before");
        assertThat(run.out())
                .endsWith("  written   Restless.tuned.yaml: what paid until the error:"
                        + " thalweg run Restless.java --tuned Restless.tuned.yaml\n");
        assertThat(Files.readString(folder.resolve("Restless.tuned.yaml"))).startsWith("# thalweg tune Restless.java");
        TuneReport report = report("report.json");
        assertThat(report.failure()).contains("put out different records than before");
        assertThat(report.before()).isPositive();
        assertThat(report.steps()).isNotEmpty().extracting(Step::outcome).doesNotContain(Step.Outcome.TRYING);
    }

    @Test
    void shouldShowItsStepsOnAPageAsTheyHappen() throws Exception {
        cli = Cli.patientServer(folder).withOwnCache();
        cli.job("Isolated", ISOLATED);
        Process process = cli.start("tune", "Isolated.java", "--budget", "1h", "--quiet", "--web");
        try (BufferedReader errors = Cli.lines(process.getErrorStream())) {
            String line = errors.readLine();
            assertThat(line).matches("thalweg: web: http://127\\.0\\.0\\.1:\\d+/");
            URI page = URI.create(line.substring(line.indexOf("http")));
            assertThat(get(page)).startsWith("<!DOCTYPE html>");

            assertThat(until(page, "\"next\":\"the job as it is, ")).contains("\"topology\":\"Isolated\"");
            assertThat(until(page, "\"pairs\":[{\"before\":"))
                    .contains(
                            "\"state\":\"RUNNING\"",
                            "\"web\":\"" + page + "\"",
                            "\"options\":{\"--budget\":\"1h\"}",
                            "\"file\":\"Isolated.tuned.yaml\"",
                            "\"outcome\":\"");
            Cli.signal(process, "INT");
            assertThat(Cli.end(process)).isEqualTo(ExitCodes.SIGNAL + 2);
        }
    }

    private static String get(URI uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .timeout(Duration.ofMinutes(2))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Asks until the answer holds the text, which it does once the job has got so far. */
    private static String until(URI page, String text) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        String body = get(page.resolve("/api/tuning"));
        for (int asked = 0; !body.contains(text) && asked < 10_000; asked++) {
            assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
            body = get(page.resolve("/api/tuning"));
        }
        assertThat(body).contains(text);
        return body;
    }

    @Test
    void shouldBeginWithWhatIsGivenAndTellTheWholeCommand() throws Exception {
        cli.job("Isolated", ISOLATED);
        cli.write("first.yaml", "batch: 128\nthreads: 2\n");

        Outcome run = cli.run(
                "tune",
                "Isolated.java",
                "--tuned",
                "first.yaml",
                "--threads",
                "1",
                "--idle",
                "park",
                "--guarantee",
                "exactly-once",
                "--checkpoint-dir",
                "my kept",
                "--checkpoint-interval",
                "100ms",
                "--state-limit",
                "50MB",
                "--budget",
                "1s");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out())
                .contains("given     batch: 128, threads: 1, parallelism: 1, idle: park\n")
                .contains(
                        "Isolated.tuned.yaml: thalweg run Isolated.java --guarantee exactly-once --checkpoint-dir 'my kept'"
                                + " --checkpoint-interval 100ms --state-limit 50MB --tuned Isolated.tuned.yaml");
        assertThat(Files.readAllLines(folder.resolve("Isolated.tuned.yaml")).stream()
                        .filter(line -> line.endsWith("# given"))
                        .map(line -> line.replaceFirst(" *#.*", "")))
                .containsExactly("batch: 128", "threads: 1", "parallelism: 1", "idle: park");
        assertThat(names()).as("runs have checkpoints of their own").noneMatch(name -> name.contains("kept"));
        assertThat(names()).noneMatch(name -> name.startsWith(".thalweg-tune-"));
        assertThat(refused("tune", "Isolated.java", "--out", "o.yaml", "--guarantee", "exactly-once"))
                .isEqualTo("thalweg: --guarantee exactly-once needs --checkpoint-dir DIR");
        assertThat(refused("tune", "Isolated.java", "--out", "o.yaml", "--threads", "0"))
                .isEqualTo("thalweg: --threads must be from 1 to 1024, not 0");
        assertThat(refused("tune", "Isolated.java", "--out", "o.yaml", "--threads", "2000"))
                .isEqualTo("thalweg: --threads must be from 1 to 1024, not 2000");
    }

    @Test
    void shouldApplyWhatAFileSaysAndSayWhereItIsWrong() throws Exception {
        cli.job("Isolated", ISOLATED);
        cli.write("good.yaml", "parallelism: 3\nheap: 77m\noperators:\n  part:\n    isolate: false\n");

        Outcome plan = cli.run("run", "Isolated.java", "--explain", "--tuned", "good.yaml");

        assertThat(plan.code()).as(plan.error()).isZero();
        assertThat(plan.out()).contains("3 tasks").doesNotContain("is isolated");
        assertThat(plan.error()).contains("good.yaml:2:").contains("-Xmx77m");
        cli.write("bad.yaml", "# a\noperators:\n  prat:\n    parallelism: 2\n");
        assertThat(refused("run", "Isolated.java", "--tuned", "bad.yaml"))
                .contains("bad.yaml:4:")
                .contains("did you mean part?");
        cli.write("unknown.yaml", "theads: 2\n");
        assertThat(refused("run", "Isolated.java", "--tuned", "unknown.yaml"))
                .contains("unknown.yaml:1:")
                .contains("did you mean threads?");
        cli.write("acked.yaml", "max-pending: 10\n");
        assertThat(refused("run", "Isolated.java", "--tuned", "acked.yaml"))
                .contains("acked.yaml:1:")
                .contains("--guarantee acked");
        assertThat(refused("run", "Isolated.java", "--tuned", "none.yaml")).contains("none.yaml");
    }

    @Test
    void shouldRefuseWhatCannotBeTunedInOneLine() throws Exception {
        cli.job("Live", "topology.from(Sources.socketLines(\"localhost:1\")).to(Sinks.print());");
        cli.job("Piped", "topology.from(io.thalweg.files.TextLines.read(\"-\")).to(Sinks.print());");
        cli.job("Fails", "topology.from(Sources.of(1, 2)).map(i -> 1 / (i - 2)).to(Sinks.print());");
        cli.job("Brief", "topology.from(Sources.of(1, 2)).to(Sinks.print());");

        cli.job("Followed", "topology.from(io.thalweg.files.TextLines.follow(\"in.txt\")).to(Sinks.print());");
        cli.job("Endless", "topology.from(Sources.generate(Long.MAX_VALUE, i -> i)).to(Sinks.print());");

        assertThat(refused("tune", "Live.java"))
                .contains("live source")
                .contains("recorded")
                .endsWith("--record 30s");
        assertThat(refused("tune", "Followed.java"))
                .contains("a live source, which is endless")
                .endsWith("--record 30s");
        assertThat(refused("tune", "Endless.java")).contains("which is endless").endsWith("--record 30s");
        assertThat(refused("tune", "Brief.java", "--record", "10s")).contains("no source of 'Brief' is live");
        assertThat(refused("tune", "Live.java", "--record", "soon")).contains("--record takes a time such as 30s");
        assertThat(refused("tune", "Live.java", "--record", "0")).contains("--record takes a time such as 30s");
        assertThat(refused("tune", "Live.java", "--record", "5s", "--record-limit", "much"))
                .contains("--record-limit is a size");
        assertThat(refused("tune", "Live.java", "--record-limit", "1MB")).contains("--record, which is not given");
        assertThat(refused("tune", "Piped.java")).contains("second time").endsWith("--record 30s");
        assertThat(refused("tune", "Fails.java", "--json", "failed.json")).contains("by zero");
        assertThat(report("failed.json")).satisfies(report -> {
            assertThat(report.topology()).isEqualTo("Fails");
            assertThat(report.failure()).contains("by zero");
            assertThat(report.steps()).isEmpty();
        });
        assertThat(refused("tune", "Brief.java", "--on", "nowhere")).contains("--on is one of embedded");
        assertThat(refused("tune", "flink=here:8081")).contains("does not watch flink=here:8081");
        cli.write("there.settings", "buffer-timeout: 1s\n");
        assertThat(refused("run", "Brief.java", "--tuned", "there.settings"))
                .isEqualTo("thalweg: --tuned: there.settings:1: 'buffer-timeout' means nothing with --on embedded");
        assertThat(refused("tune", "Brief.java", "--for", "speed")).contains("it is throughput, or a latency");
        assertThat(refused("tune", "Brief.java", "--for", "p99<5ms")).contains("--rate N");
        assertThat(refused("tune", "Brief.java", "--web=here")).contains("--web takes PORT or HOST:PORT");
        assertThat(refused("tune", "Brief.java", "--history=.")).contains("--history takes a file");
        assertThat(names()).noneMatch(name -> name.endsWith(".yaml"));
        Outcome brief = cli.run("tune", "Brief.java", "--budget", "1s");
        if (brief.code() != 0) { // otherwise the machine was so slow that there was something to compare
            assertThat(brief.code()).isIn(ExitCodes.FAILED, ExitCodes.USAGE);
            assertThat(brief.errorLines()).last().asString().contains("more input");
            assertThat(names()).noneMatch(name -> name.endsWith(".yaml"));
        }
    }

    private String refused(String... arguments) throws Exception {
        Outcome run = cli.run(arguments);
        List<String> lines = run.errorLines().stream()
                .filter(line -> !line.startsWith("thalweg: the job as it is, "))
                .toList();

        assertThat(lines).as(String.join(" ", arguments)).hasSize(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isIn(ExitCodes.FAILED, ExitCodes.USAGE);
        return lines.get(0);
    }

    /** Whoever is killed leaves a folder, which the next call removes. */
    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "KILL, 137"})
    void shouldEndWithItsChildrenWhenItIsStopped(String signal, int code) throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        cli.withJava("-Djava.io.tmpdir=" + temporary);
        cli.job("Long", "topology.from(Sources.generate(1_000_000, i -> i).rate(1_000)).to(Sinks.print());");
        Process process = cli.start("tune", "Long.java", "--json", "report.json");
        BufferedReader errors = Cli.lines(process.getErrorStream());
        BufferedReader out = Cli.lines(process.getInputStream());
        assertThat(errors.readLine()).contains("watched by the doctor");
        List<ProcessHandle> children = List.of();
        while (process.isAlive() && children.isEmpty()) {
            children = process.descendants().toList();
            Thread.onSpinWait();
        }
        Cli.signal(process, signal);

        assertThat(Cli.end(process)).isEqualTo(code);
        for (ProcessHandle child : children) {
            child.onExit().join();
            assertThat(child.isAlive()).isFalse();
        }
        assertThat(names()).noneMatch(name -> name.contains(".yaml"));
        if (signal.equals("KILL")) {
            assertThat(folders(temporary)).hasSize(1);
            assertThat(names()).doesNotContain("report.json");
            cli.job("Fails", "topology.from(Sources.of(1, 2)).map(i -> 1 / (i - 2)).to(Sinks.print());");
            assertThat(refused("tune", "Fails.java")).contains("by zero");
        } else {
            assertThat(errors.lines()).containsExactly("thalweg: stopping; what pays so far is kept");
            assertThat(out.lines().map(line -> line.replaceFirst("in [0-9]+ s$", "in N s")))
                    .containsExactly(
                            "  ended     stopped by the user, after 1 run in N s",
                            "  kept      nothing: no change was tried");
            assertThat(RecordJson.read(Files.readAllBytes(folder.resolve("report.json")), TuneReport.class)
                            .runs())
                    .isEqualTo(1);
        }
        assertThat(folders(temporary)).isEmpty();
    }

    /** Of tunings, in the folder for temporary files. */
    private static List<Path> folders(Path temporary) throws Exception {
        try (var files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().startsWith("thalweg-tune-"))
                    .toList();
        }
    }
}
