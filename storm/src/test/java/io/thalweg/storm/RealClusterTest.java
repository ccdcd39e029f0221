// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.workloads.telecom.TelecomSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real cluster with two workers on this machine; {@code -Preal}. */
@Tag("long")
@Timeout(900)
final class RealClusterTest {
    @TempDir
    private static Path home;

    @TempDir
    private Path folder;

    private static String address = "";

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final RunSettings settings = RunSettings.defaults()
            .withParallelism(2)
            .withWarnings(warnings::add)
            .withConsole(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @BeforeAll
    static void start() throws Exception {
        address = StormCluster.start(home, 2);
    }

    @Test
    void shouldListenOnLoopbackAlone() throws Exception {
        Ports.shouldBeOfLoopback(StormCluster.processes(home), 3);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo("rwx------");
    }

    @AfterAll
    static void stop() throws Exception {
        assertThat(StormCluster.stop(home)).isTrue();
        assertThat(StormCluster.stop(home)).isFalse();
    }

    private static Runner on(RunSettings settings) {
        return new StormProvider().runner(settings, address, Map.of(), List.of());
    }

    private void shouldHaveChecked(long records) {
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .containsPattern("records +" + String.format("%,d", records) + "\\R")
                .containsPattern("differences +0\\R");
    }

    private static void shouldRun(RunningJob job) throws InterruptedException {
        if (job.await(Duration.ofMillis(50))) {
            throw new AssertionError("it has ended: " + job.await());
        }
    }

    @Test
    void shouldRunTheTelecomJobToItsCheck() throws Exception {
        TelecomSettings telecom = TelecomJob.settings(1_000_000);
        JobStats stats =
                on(settings).start(TelecomJob.topology(telecom).graph()).await();
        shouldHaveChecked(1_000_000);
        assertThat(stats.state()).isEqualTo(JobState.FINISHED);
        assertThat(stats.recordsIn()).isEqualTo(1_000_000);
        assertThat(stats.process().heapUsedBytes()).as("heap of the workers").isPositive();
        assertThat(stats.process().threads()).as("threads of two workers").isGreaterThan(50);
    }

    @Test
    void shouldTellAFailureInOneLine() {
        Topology topology = Topology.named("fails");
        topology.from(Sources.generate(100, n -> n))
                .shuffle()
                .map(n -> 1 / (n - 50))
                .name("divide")
                .to(Sinks.discard());
        assertThatThrownBy(() -> on(settings).start(topology.graph()).await())
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("topology 'fails', operator 'divide'")
                .hasMessageEndingWith("java.lang.ArithmeticException: / by zero");
    }

    @Test
    void shouldGoOnWhereAWorkerIsKilled() throws Exception {
        long records = 3_000_000;
        TelecomSettings telecom = TelecomJob.settings(records);
        RunSettings guarded = settings.withGuarantee(
                Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(500)));
        RunningJob job = on(guarded).start(TelecomJob.topology(telecom).graph());
        while (job.lastCheckpoint() == null) {
            shouldRun(job);
        }
        ProcessHandle worker = ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .map(line -> line.contains("org.apache.storm.daemon.worker.Worker")
                                && line.contains(home.toString()))
                        .orElse(false))
                .findFirst()
                .orElseThrow();
        worker.destroyForcibly();
        JobStats stats = job.await();
        assertThat(warnings).anySatisfy(warning -> assertThat(warning).startsWith("a worker of topology 'telecom'"));
        assertThat(stats.state()).isEqualTo(JobState.FINISHED);
        shouldHaveChecked(records);
    }

    @Test
    void shouldStopInGoodOrderWhenItIsCancelled() throws Exception {
        TelecomSettings telecom = TelecomJob.settings(1_000_000_000);
        RunningJob job = on(settings).start(TelecomJob.topology(telecom).graph());
        while (job.stats().recordsIn() == 0) {
            shouldRun(job);
        }
        Ports.shouldBeOfLoopback(StormCluster.processes(home), 5);
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }

    /** With a second copy of Storm's {@code defaults.yaml} a worker ends at its start, and says nothing. */
    @Test
    void shouldTellThatWorkersDoNotComeUp() throws Exception {
        Path jar = folder.resolve("bad.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("defaults.yaml"));
        }
        Topology topology = Topology.named("bad");
        topology.from(Sources.generate(100, n -> n)).to(Sinks.discard());
        RunningJob job = new StormProvider()
                .runner(settings, address, Map.of(), List.of(jar))
                .start(topology.graph());
        while (warnings.isEmpty()) {
            shouldRun(job);
        }
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("topology 'bad' has not begun on Storm after 3")
                .contains(" executors have not come up, on 127.0.0.1:");
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }
}
