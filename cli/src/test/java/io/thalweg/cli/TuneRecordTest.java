// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.cli.Cli.Outcome;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Output;
import io.thalweg.doctor.tune.TuneReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg tune --record}: jobs whose sources do not end. */
@Tag("integration")
final class TuneRecordTest {
    /** Each record takes a millisecond at least on any machine, so that runs are long enough to be compared. */
    private static final String SLOWLY = """
            .map(line -> {
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
                return line + line.length();
            }).name("slow").to(io.thalweg.files.TextLines.write("results.txt"));
            """;

    private static final String FOLLOWED =
            "topology.from(io.thalweg.files.TextLines.follow(\"a.log\", \"b.log\")).name(\"logs\")" + SLOWLY;

    @TempDir
    Path folder;

    private Cli cli;
    private Path temporary;

    @BeforeEach
    void openFolder() throws IOException {
        temporary = Files.createDirectory(folder.resolve("temporary"));
        cli = new Cli(folder).withOwnCache().withJava("-Djava.io.tmpdir=" + temporary);
    }

    @AfterEach
    void leaveNothingRunning() {
        cli.destroy();
    }

    private static String lines(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
    }

    private void checkNothingIsLeft() throws IOException {
        try (var left = Files.list(temporary)) {
            assertThat(left.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("thalweg-")))
                    .isEmpty();
        }
        assertThat(folder.resolve("results.txt")).doesNotExist();
    }

    private TuneReport report() throws IOException {
        return RecordJson.read(Files.readAllBytes(folder.resolve("report.json")), TuneReport.class);
    }

    @Test
    void shouldReplayWhatFollowedFilesHad_andWriteNothingElsewhere() throws Exception {
        cli.job("Logs", FOLLOWED);
        cli.write("a.log", lines(0, 200));
        cli.write("b.log", lines(200, 500));

        Outcome run = cli.run("tune", "Logs.java", "--record", "500", "--budget", "3s", "--json", "report.json");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.error()).contains("recording the live sources, 500 records\n", "recorded 500 of 'logs': ");
        assertThat(report().outputs()).first().extracting(Output::records).isEqualTo(500L);
        assertThat(report().runs()).isGreaterThanOrEqualTo(2);
        assertThat(Files.readString(folder.resolve("Logs.tuned.yaml"))).contains("--record 500");
        checkNothingIsLeft();
    }

    @Test
    void shouldReplayAtARate() throws Exception {
        cli.job("Logs", FOLLOWED);
        cli.write("a.log", lines(0, 300));
        cli.write("b.log", "");

        Outcome run = cli.run(
                "tune", "Logs.java", "--record", "300", "--for", "p99<600s", "--rate", "500", "--json", "report.json");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out()).contains("below its limit already");
        assertThat(report().outputs()).first().extracting(Output::records).isEqualTo(300L);
        checkNothingIsLeft();
    }

    /** The connection ends with the stretch, and nobody can read it a second time. */
    @Test
    void shouldReplayWhatASocketDelivered() throws Exception {
        ExecutorService server = Executors.newSingleThreadExecutor();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var served = server.submit(() -> {
                try (Socket one = socket.accept();
                        OutputStream out = one.getOutputStream()) {
                    out.write(lines(0, 400).getBytes(StandardCharsets.UTF_8));
                }
                return true;
            });
            cli.job(
                    "Lines",
                    "topology.from(Sources.socketLines(\"127.0.0.1:" + socket.getLocalPort()
                            + "\")).name(\"socket\")"
                            + SLOWLY);

            Outcome run = cli.run("tune", "Lines.java", "--record", "5m", "--budget", "3s", "--json", "report.json");

            assertThat(run.code()).as(run.error()).isZero();
            assertThat(served.get()).isTrue();
            assertThat(run.error()).contains("recorded 400 of 'socket': ");
            assertThat(report().outputs()).first().extracting(Output::records).isEqualTo(400L);
        } finally {
            server.shutdownNow();
        }
        checkNothingIsLeft();
    }

    /** Standard input can be read only once, and not by another process. */
    @Test
    void shouldReplayStandardInput() throws Exception {
        cli.job("Piped", "topology.from(io.thalweg.files.TextLines.read(\"-\"))" + SLOWLY);

        Outcome run = cli.runOn(lines(0, 400), "tune", "Piped.java", "--record", "5m", "--budget", "3s");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.error()).contains("recorded 400 of 'source': ");
        checkNothingIsLeft();
    }

    private String refused(Outcome run) {
        List<String> lines = run.errorLines().stream()
                .filter(line -> !line.startsWith("thalweg: recording "))
                .toList();
        assertThat(lines).hasSize(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(ExitCodes.FAILED);
        return lines.get(0);
    }

    @Test
    void shouldSayInOneLineThatNothingCame_orThatTheLimitIsTooSmall() throws Exception {
        cli.job("Logs", FOLLOWED);
        cli.write("a.log", "");

        assertThat(refused(cli.run("tune", "Logs.java", "--record", "200ms")))
                .startsWith("thalweg: no record came from 'logs' within 200ms, so there is nothing to tune with");
        cli.write("a.log", lines(0, 1_000));
        assertThat(refused(cli.run("tune", "Logs.java", "--record", "1000", "--record-limit", "5")))
                .isEqualTo("thalweg: the first record of 'logs' is larger than --record-limit; give a larger one");
        checkNothingIsLeft();
    }

    @Test
    void shouldRecordNoMoreThanTheLimit() throws Exception {
        cli.job("Logs", FOLLOWED);
        cli.write("a.log", lines(1_000, 2_000)); // of 15 bytes each with their lengths

        Outcome run = cli.run("tune", "Logs.java", "--record", "5m", "--record-limit", "6kB", "--budget", "3s");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.error()).contains("recorded 400 of 'logs': 6,000 bytes, all that --record-limit allows\n");
        checkNothingIsLeft();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldSayThatTheDiskIsFull() throws Exception {
        Process probe = new ProcessBuilder(
                        "sh",
                        "-c",
                        "unshare --mount --map-root-user mount -t tmpfs -o size=1m tmpfs '" + temporary + "'")
                .start();
        assumeTrue(Cli.end(probe) == 0, "nothing can be mounted here");
        cli.job("Logs", FOLLOWED);
        cli.write("a.log", lines(0, 200_000));

        Outcome run = cli.runScript("""
                mount -t tmpfs -o size=1m tmpfs %1$s || exit 99
                "$@" tune Logs.java --record 5m
                code=$?
                ls %1$s
                exit $code
                """.formatted(temporary));

        assertThat(refused(run)).contains("cannot record to ", ": No space left on device; record less");
    }

    @Test
    void shouldEndWithNothingLeftWhenItIsStoppedWhileItRecords() throws Exception {
        cli.job("Logs", FOLLOWED);
        cli.write("a.log", lines(0, 10));
        Process process = cli.start("tune", "Logs.java", "--record", "5m");
        BufferedReader errors = Cli.lines(process.getErrorStream());
        assertThat(Cli.next(errors)).contains("recording the live sources");
        Cli.signal(process, "INT");

        assertThat(Cli.end(process)).isEqualTo(ExitCodes.SIGNAL + 2);
        assertThat(errors.lines().toList()).containsExactly("thalweg: stopped while recording; nothing was tuned");
        assertThat(folder.resolve("Logs.tuned.yaml")).doesNotExist();
        checkNothingIsLeft();
    }
}
