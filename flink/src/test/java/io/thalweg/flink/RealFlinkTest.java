// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.FreePort;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomCheck;
import io.thalweg.workloads.telecom.TelecomDimension;
import io.thalweg.workloads.telecom.TelecomRow;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSource;
import io.thalweg.workloads.telecom.TelecomSums;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real standalone cluster on this machine: a JobManager and two TaskManagers; {@code -Preal}. */
@Tag("long")
@Timeout(600)
final class RealFlinkTest {
    private static final int TASK_MANAGERS = 2;

    @TempDir
    private static Path home;

    private static int port;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final RunSettings settings = RunSettings.defaults()
            .withParallelism(2)
            .withConsole(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @BeforeAll
    static void start() throws Exception {
        port = FreePort.find();
        assertThat(new FlinkCluster().start(home, TASK_MANAGERS, port)).contains("127.0.0.1:" + port);
    }

    @AfterAll
    static void stop() throws Exception {
        assertThat(new FlinkCluster().stop(home)).isTrue();
        assertThat(new FlinkCluster().stop(home)).isFalse();
        assertThat(FlinkCluster.running(home)).isEmpty();
    }

    private static FlinkRunningJob start(long records, RunSettings settings) {
        TelecomSettings telecom =
                TelecomSettings.from(new Settings(Map.of("records", Long.toString(records)), Path.of("")));
        Topology topology = Topology.named("telecom");
        topology.from(TelecomSource.records(telecom))
                .eventTime(Probe::time, telecom.maxDisorder())
                .keyBy(Probe::dimensions)
                .window(Windows.tumbling(Duration.ofMinutes(5)))
                .aggregate(TelecomSums.aggregate())
                .map(TelecomRow::ofAll)
                .to(new TelecomCheck(telecom, List.of(TelecomDimension.values())))
                .name("check");
        String address = "127.0.0.1:" + port;
        return new FlinkRunner(settings, address, List.of(), true, ClusterKeys.read(home, address))
                .start(topology.graph());
    }

    private void shouldHaveChecked(long records) {
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .containsPattern("records +" + String.format("%,d", records) + "\\R")
                .containsPattern("differences +0\\R");
    }

    @Test
    void shouldRunTheTelecomJobToItsCheck() throws Exception {
        JobStats end = start(1_000_000, settings).await();

        shouldHaveChecked(1_000_000);
        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(end.recordsIn()).isEqualTo(1_000_000);
        assertThat(end.process().heapUsedBytes()).isPositive();
    }

    @Test
    void shouldCountEachRecordOnceWhereATaskManagerIsKilled() throws Exception {
        long records = 4_000_000;
        RunSettings guarded = settings.withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(500)))
                .withRestart(Restart.fixed(5, Duration.ofMillis(500)));
        FlinkRunningJob job = start(records, guarded);
        while (job.lastCheckpoint() == null || job.stats().recordsIn() < records / 10) {
            assertThat(job.await(Duration.ofMillis(50))).as("it has ended").isFalse();
        }
        FlinkCluster.running(home).get(TASK_MANAGERS).destroyForcibly();
        JobStats end = job.await();

        shouldHaveChecked(records);
        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(end.recordsIn()).isEqualTo(records);
        startTaskManagerAgain();
    }

    /** The next test finds what it was promised. */
    private static void startTaskManagerAgain() throws Exception {
        new FlinkCluster().stop(home);
        new FlinkCluster().start(home, TASK_MANAGERS, port);
    }

    /** Neither other machines nor other users of this one, nor a web page. */
    @Test
    void shouldAnswerItsOwnerAlone() throws Exception {
        assumeTrue(Stranger.canFindPorts());
        Stranger.shouldGetNoAnswer(FlinkCluster.running(home));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldNotStartTwice() {
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> new FlinkCluster().start(home, TASK_MANAGERS, port))
                .withMessageContaining("already running");
    }
}
