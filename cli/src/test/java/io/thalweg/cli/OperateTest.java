// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import io.thalweg.testkit.ListeningSocket;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that another process asks how they are, and tells to stop. */
@DisabledOnOs(OS.WINDOWS)
@Tag("integration")
final class OperateTest {
    /** Endless; none of its ten windows fires before the end. It prints that it runs, and each window. */
    private static final String ENDLESS = """
            topology.from(Sources.generate(Long.MAX_VALUE, i -> i).rate(10_000)).name("numbers")
                    .peek(i -> { if (i % 1_000 == 999) { System.out.println("runs"); } })
                    .eventTime(i -> i, Duration.ZERO)
                    .keyBy(i -> i % 10)
                    .window(Windows.tumbling(Duration.ofDays(365_000)))
                    .aggregate(Aggregates.count()).name("counts")
                    .to(Sinks.print());
            """;

    @TempDir
    private Path folder;

    /** Where else jobs are looked for: not those that others run on this machine. */
    @TempDir
    private Path temporary;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = Cli.patientServer(folder).withJava("-Djava.io.tmpdir=" + temporary);
        cli.job("Endless", ENDLESS);
    }

    @AfterEach
    void leaveNoProcess() {
        cli.destroy();
    }

    private Process start(String... more) throws Exception {
        String[] all = new String[more.length + 2];
        all[0] = "run";
        all[1] = "Endless.java";
        System.arraycopy(more, 0, all, 2, more.length);
        return cli.start(all);
    }

    @Test
    void shouldSayHowAJobIs_andStopIt() throws Exception {
        Process job = start();
        try (BufferedReader out = Cli.lines(job.getInputStream());
                BufferedReader error = Cli.lines(job.getErrorStream())) {
            assertThat(out.readLine()).isEqualTo("runs");
            String id = "Endless-" + job.pid();

            Outcome jobs = cli.run("jobs");
            assertThat(jobs.code()).isZero();
            assertThat(jobs.outLines())
                    .singleElement()
                    .asString()
                    .matches(id + " +RUNNING +embedded .* in .* out +Endless");
            Outcome status = cli.run("status", "Endless");
            assertThat(status.code()).isZero();
            assertThat(status.out())
                    .startsWith("job         " + id + ", topology Endless, process " + job.pid() + "\n")
                    .contains("windows     10 open\n", "restarts    0\n", "checkpoint  none\n");
            assertThat(cli.run("status", "--json", id).out())
                    .startsWith("{\"id\":\"" + id + "\",\"pid\":" + job.pid() + ",\"topology\":\"Endless\"")
                    .endsWith(",\"restarts\":0,\"lag\":null,\"waitsFor\":\"\",\"web\":null,\"checkpoint\":null}\n");
            assertThat(cli.run("jobs", "--json").out())
                    .startsWith("[{\"id\":\"" + id)
                    .endsWith("}]\n");

            Outcome savepoint = cli.run("savepoint", id);
            assertThat(savepoint.code()).isEqualTo(1);
            assertThat(savepoint.error())
                    .isEqualTo(
                            "thalweg: topology 'Endless' takes no checkpoints; start it with --guarantee exactly-once"
                                    + " --checkpoint-dir DIR\n");

            Outcome stop = cli.run("stop", id);
            assertThat(stop.code()).as(stop.error()).isZero();
            assertThat(stop.out()).matches(id + " stopped: [0-9,]+ records in, 0 out, 10 open windows, not emitted\n");
            assertThat(Cli.end(job)).isEqualTo(143);
            assertThat(error.lines())
                    .contains("thalweg: stopping, as thalweg stop asked; a signal stops it at once")
                    .contains("  10 open windows, not emitted");
            assertThat(folder.resolve("thalweg")).isEmptyDirectory();

            Outcome none = cli.run("jobs");
            assertThat(none.code()).isZero();
            assertThat(none.error()).isEqualTo("thalweg: no job of this user runs on this machine\n");
            Outcome gone = cli.run("stop", id);
            assertThat(gone.code()).isEqualTo(1);
            assertThat(gone.error()).isEqualTo("thalweg: no job '" + id + "' of this user runs on this machine\n");
        }
    }

    /** The steps of the guide's chapter on upgrades, and what goes on from the savepoint reads what is new. */
    @Test
    void shouldDrainAJob_andGoOnFromItsSavepoint() throws Exception {
        Process job = start("--guarantee", "exactly-once", "--checkpoint-dir", "kept");
        try (BufferedReader out = Cli.lines(job.getInputStream())) {
            assertThat(out.readLine()).isEqualTo("runs");
            Outcome savepoint = cli.run("savepoint", "Endless", "saved");
            assertThat(savepoint.code()).as(savepoint.error()).isZero();
            Path saved = Path.of(savepoint.out().strip());
            assertThat(saved).isRegularFile().hasParent(folder.toRealPath().resolve("saved"));

            Outcome drain = cli.run("stop", "--drain", "Endless");
            assertThat(drain.code()).as(drain.error()).isZero();
            assertThat(drain.out())
                    .matches("Endless-\\d+ drained: [0-9,]+ records in, 10 out; its last checkpoint is \\d+\n");
            assertThat(Cli.end(job)).isZero();
            assertThat(out.lines().filter(line -> !line.equals("runs"))).hasSize(10);

            Outcome over = cli.run(
                    "run",
                    "Endless.java",
                    "--guarantee",
                    "exactly-once",
                    "--checkpoint-dir",
                    "kept",
                    "--restore",
                    "latest");
            assertThat(over.code()).isZero();
            assertThat(over.error())
                    .contains(
                            "is the end of a job that was drained or had reached a limit: nothing more is read of numbers");

            Process next =
                    start("--guarantee", "exactly-once", "--checkpoint-dir", "next", "--restore", saved.toString());
            try (BufferedReader nextOut = Cli.lines(next.getInputStream())) {
                assertThat(nextOut.readLine()).isEqualTo("runs");
                assertThat(cli.run("stop", "Endless").code()).isZero();
                assertThat(Cli.end(next)).isEqualTo(143);
            }
            Process third = start(
                    "--guarantee",
                    "exactly-once",
                    "--checkpoint-dir",
                    "next",
                    "--restore",
                    "latest",
                    "--parallelism",
                    "3");
            try (BufferedReader thirdOut = Cli.lines(third.getInputStream())) {
                assertThat(thirdOut.readLine()).isEqualTo("runs");
                assertThat(cli.run("stop", "Endless").code()).isZero();
                assertThat(Cli.end(third)).isEqualTo(143);
            }
        }
    }

    @Test
    void shouldTellOfAJobThatFailsWhileItIsDrained() throws Exception {
        cli.job("Fails", ENDLESS.replace(".to(Sinks.print())", """
                .peek(count -> { throw new IllegalStateException("the printer is on fire"); })
                .to(Sinks.print())"""));
        Process job = cli.start("run", "Fails.java");
        try (BufferedReader out = Cli.lines(job.getInputStream())) {
            assertThat(out.readLine()).isEqualTo("runs");
            Outcome drain = cli.run("stop", "--drain", "Fails");
            assertThat(drain.code()).isEqualTo(1);
            assertThat(drain.error())
                    .startsWith("thalweg: the job failed: ")
                    .contains("the printer is on fire")
                    .hasLineCount(1);
            assertThat(Cli.end(job)).isEqualTo(1);
        }
    }

    @Test
    void shouldRunWhereItCannotBeReached() throws Exception {
        Files.writeString(folder.resolve("thalweg"), "in the way");
        cli.withJava("-Djava.io.tmpdir=" + folder.resolve("no-such"));
        cli.job("Short", "topology.from(Sources.generate(1, i -> i)).to(Sinks.print());");
        Outcome run = cli.run("run", "Short.java");
        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out()).isEqualTo("0\n");
        assertThat(run.errorLines().stream().filter(line -> line.contains("cannot reach it")))
                .singleElement()
                .asString()
                .startsWith("thalweg: the job runs, but thalweg status and thalweg stop cannot reach it: ");
    }

    @Test
    void shouldAnswerOnLoopbackWhetherItIsWell() throws Exception {
        Process job = start("--health", "0");
        try (BufferedReader out = Cli.lines(job.getInputStream());
                BufferedReader error = Cli.lines(job.getErrorStream())) {
            String line = error.readLine();
            assertThat(line).matches("thalweg: health: http://127\\.0\\.0\\.1:\\d+/health");
            URI health = URI.create(line.substring(line.indexOf("http")));
            assertThat(out.readLine()).isEqualTo("runs");

            HttpResponse<String> well = get(health);
            assertThat(well.statusCode()).isEqualTo(200);
            assertThat(well.body())
                    .startsWith("{\"healthy\":true,\"state\":\"RUNNING\",\"reason\":\"\",\"topology\":\"Endless\"")
                    .endsWith(",\"restarts\":0,\"checkpoint\":null,\"checkpointAgeMs\":null}\n");
            assertThat(get(health.resolve("/")).statusCode()).isEqualTo(404);

            if (ListeningSocket.canBeListed()) {
                assertThat(ListeningSocket.of(job.toHandle())).singleElement().satisfies(socket -> {
                    assertThat(socket.port()).isEqualTo(health.getPort());
                    assertThat(socket.address().isLoopbackAddress()).isTrue();
                });
            }

            Outcome taken = cli.run("run", "Endless.java", "--health", Integer.toString(health.getPort()));
            assertThat(taken.code()).isEqualTo(1);
            assertThat(taken.error())
                    .hasLineCount(1)
                    .startsWith("thalweg: --health " + health.getPort() + ": cannot listen");
            assertThat(cli.run("stop", "Endless").code()).isZero();
            assertThat(Cli.end(job)).isEqualTo(143);
        }
    }

    private static HttpResponse<String> get(URI uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldRefuseAPortThatIsNone() throws Exception {
        Outcome run = cli.run("run", "Endless.java", "--health", "70000");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.error()).isEqualTo("thalweg: --health is a port from 0 to 65535, not 70000\n");
    }
}
