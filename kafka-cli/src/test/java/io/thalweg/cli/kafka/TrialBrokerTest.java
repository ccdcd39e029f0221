// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.cli.kafka.CommandLine.Outcome;
import io.thalweg.testkit.ListeningSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code thalweg kafka start} and {@code stop}. */
@Timeout(1_800)
@DisabledOnOs(OS.WINDOWS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("integration")
final class TrialBrokerTest {
    @TempDir
    private Path folder;

    private Path dir;
    private CommandLine kafka;

    @BeforeEach
    void prepare() {
        dir = folder.resolve("the broker's");
        kafka = new CommandLine(folder);
    }

    @AfterEach
    void leaveNothingRunning() throws Exception {
        for (ProcessHandle process : running()) {
            process.destroyForcibly();
            process.onExit().get();
        }
    }

    private List<ProcessHandle> running() throws Exception {
        return Files.exists(dir) ? TrialFolder.of(dir).running() : List.of();
    }

    /** With more time than a busy machine needs. */
    private static String[] patiently(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--connect-timeout";
        all[arguments.length + 1] = "600";
        return all;
    }

    private Outcome start(String... more) throws Exception {
        return with(new String[] {"start", "--dir", dir.toString(), "--port", "0"}, more);
    }

    private Outcome with(String[] arguments, String... more) throws Exception {
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return kafka.run(all);
    }

    @Test
    void shouldServeFromItsFolder_alsoAfterItWasKilled() throws Exception {
        Outcome started = start();
        assertThat(started.code()).as(started.error()).isZero();
        assertThat(started.out()).startsWith("A Kafka broker accepts connections at 127.0.0.1:");
        String d = dir.toString();
        assertThat(kafka.runUnlessFenced(patiently("topics", "--dir", d, "--create", "orders"))
                        .code())
                .isZero();
        assertThat(kafka.runOn("one\ntwo", patiently("produce", "orders", "--dir", d))
                        .code())
                .isZero();

        Outcome again = start();
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.error())
                .startsWith("thalweg: Kafka is already running in " + dir.toRealPath() + " at 127.0.0.1:")
                .contains("; stop it with 'thalweg kafka stop --dir '" + dir + "''")
                .hasLineCount(1);
        Outcome other = start("--brokers", "3");
        assertThat(other.code()).isEqualTo(1);

        ProcessHandle broker = running().get(0);
        broker.destroyForcibly();
        broker.onExit().get();
        Outcome gone = kafka.run("topics", "--dir", d);
        assertThat(gone.code()).isEqualTo(1);
        assertThat(gone.error())
                .startsWith("thalweg: no trial broker is running in ")
                .hasLineCount(1);

        assertThat(start().code()).isZero();
        Outcome read = kafka.run(patiently("consume", "orders", "--dir", d, "--to", "latest"));
        assertThat(read.out()).isEqualTo("one\ntwo\n");

        assertThat(kafka.run("stop", "--dir", d).code()).isZero();
        assertThat(running()).isEmpty();
        Outcome stopped = kafka.run("stop", "--dir", d);
        assertThat(stopped.code()).isEqualTo(1);
        assertThat(stopped.error()).isEqualTo("thalweg: no Kafka broker is running in " + dir.toRealPath() + "\n");
        Outcome three = start("--brokers", "3");
        assertThat(three.code()).isEqualTo(2);
        assertThat(three.error()).contains("has the data of 1 broker; start it with --brokers 1");
    }

    @Test
    void shouldRunThreeOnLoopbackAlone_andServeWithoutOne() throws Exception {
        Outcome started = start("--brokers", "3");
        assertThat(started.code()).as(started.error()).isZero();
        List<ProcessHandle> brokers = running();
        assertThat(brokers).hasSize(3);
        if (ListeningSocket.canBeListed()) {
            for (ProcessHandle broker : brokers) {
                assertThat(ListeningSocket.of(broker))
                        .as("for clients, controllers and brokers")
                        .hasSizeGreaterThanOrEqualTo(3)
                        .allMatch(socket -> socket.address().isLoopbackAddress());
            }
        }
        String d = dir.toString();
        assertThat(kafka.runUnlessFenced(patiently("topics", "--dir", d, "--create", "t", "--partitions", "3"))
                        .code())
                .isZero();
        assertThat(kafka.run(patiently("topics", "--dir", d)).out()).isEqualTo("t  3 partitions, 3 replicas\n");
        brokers.get(0).destroyForcibly();
        brokers.get(0).onExit().get();
        Outcome sent = kafka.runOn("a\nb\nc\n", patiently("produce", "t", "--dir", d, "-K", "b"));
        assertThat(sent.code()).as("a line without a key").isEqualTo(1);
        Outcome all = kafka.runOn("a\nb\nc\n", patiently("produce", "t", "--dir", d));
        assertThat(all.code()).as(all.error()).isZero();
        assertThat(kafka.run(patiently("consume", "t", "--dir", d, "--to", "latest"))
                        .out()
                        .lines())
                .contains("a", "b", "c");
        assertThat(kafka.run("stop", "--dir", d).code()).isZero();
    }

    @Test
    void shouldSayWhyItDoesNotStart() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            Outcome outcome = kafka.run("start", "--dir", dir.toString(), "--port", port);
            assertThat(outcome.code()).isEqualTo(1);
            assertThat(outcome.error())
                    .contains("port " + port + " of this machine cannot be used")
                    .contains("name another one with --port, or --port 0")
                    .hasLineCount(1);
        }
        Path other = Files.createDirectories(folder.resolve("other"));
        Files.writeString(other.resolve("letter.txt"), "dear");
        Outcome full = kafka.run("start", "--dir", other.toString());
        assertThat(full.code()).isEqualTo(2);
        assertThat(full.error())
                .contains("holds other files, such as letter.txt")
                .hasLineCount(1);
        for (String[] wrong : new String[][] {
            {"--dir", folder.resolve("a,b").toString()}, {"--brokers", "2"}, {"--port", "70000"}, {"--prot", "1"}
        }) {
            Outcome outcome = with(new String[] {"start"}, wrong);
            assertThat(outcome.code()).as(wrong[0]).isEqualTo(2);
            assertThat(outcome.error()).as(wrong[0]).startsWith("thalweg: ").hasLineCount(1);
        }
    }

    /** What a user's other processes are must not depend on numbers in a file. */
    @Test
    void shouldEndNoProcessThatHasOnlyTheNumber() throws Exception {
        Files.createDirectories(dir);
        ProcessHandle own = ProcessHandle.current();
        assumeTrue(own.info().startInstant().isPresent());
        Instant start = own.info().startInstant().orElseThrow();
        Files.writeString(
                dir.resolve("processes"),
                own.pid() + " " + start + "\n" + own.pid() + " " + start.minusSeconds(3600) + "\nx y\n99\n");

        assertThat(TrialFolder.of(dir).running())
                .as("this process started then, but not with that folder")
                .isEmpty();
        assertThat(kafka.run("stop", "--dir", dir.toString()).code()).isEqualTo(1);
    }

    @Test
    void shouldSayThatTheDiskIsFullOrReadOnly() throws Exception {
        Process probe = new ProcessBuilder("unshare", "--mount", "--map-root-user", "true").start();
        assumeTrue(probe.waitFor() == 0, "nothing can be mounted here");
        Path place = Files.createDirectories(folder.resolve("mounted"));
        for (String options : new String[] {"size=12k", "size=24k", "size=1m,ro"}) {
            Process process = new ProcessBuilder(
                            "unshare",
                            "--mount",
                            "--map-root-user",
                            "sh",
                            "-c",
                            "mount -t tmpfs -o " + options + " tmpfs \"$1\" && shift && exec \"$@\"",
                            "sh",
                            place.toString(),
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "io.thalweg.cli.Main",
                            "kafka",
                            "start",
                            "--port",
                            "0",
                            "--dir",
                            place.resolve("k").toString())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String said = CommandLine.ofAnyMachine(
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            assertThat(CommandLine.end(process)).as(said).isEqualTo(1);
            assertThat(said)
                    .contains(options.endsWith("ro") ? "Read-only file system" : "No space left on device")
                    .contains("name another folder with --dir")
                    .hasLineCount(1);
        }
    }
}
