// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import io.thalweg.testkit.FreePort;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomCheck;
import io.thalweg.workloads.telecom.TelecomDimension;
import io.thalweg.workloads.telecom.TelecomRow;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSource;
import io.thalweg.workloads.telecom.TelecomSums;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
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

    private static String large(Long number) {
        if (number % 3 != 0) {
            return "good";
        }
        throw new BadRecordException("large", new byte[5_000]);
    }

    /** They come with heartbeats, and Flink takes a TaskManager for lost of which none come since they are too large. */
    @Test
    void shouldCountLargeBadRecords_ofAllTasksOfATaskManager() throws Exception {
        long records = 60_000;
        Topology topology = Topology.named("large");
        topology.from(Sources.generate(records, number -> number).splitInto(8).rate(2_000))
                .map(RealFlinkTest::large)
                .as(String.class)
                .to(Sinks.discard());
        AtomicLong kept = new AtomicLong();
        String address = "127.0.0.1:" + port;
        RunSettings many = RunSettings.defaults()
                .withParallelism(8)
                .withBadRecords((name, operator, record) -> kept.incrementAndGet());

        JobStats end = new FlinkRunner(many, address, List.of(), true, ClusterKeys.read(home, address))
                .start(topology.graph())
                .await();

        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(end.recordsBad()).isEqualTo(records / 3);
        assertThat(kept).hasPositiveValue();
    }

    /** The next test finds what it was promised. */
    private static void startTaskManagerAgain() throws Exception {
        new FlinkCluster().stop(home);
        new FlinkCluster().start(home, TASK_MANAGERS, port);
    }

    /** Its classes and scripts come to the TaskManagers with the job. */
    @Test
    void shouldRunATopologyOfStorm() throws Exception {
        List<String> sentences =
                IntStream.range(0, 1_000).mapToObj(i -> "a b" + i % 7 + " c").toList();
        Path out = folder.resolve("counts");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("sentences", new StormTopologiesTest.Sentences(sentences), 2);
        builder.setBolt("split", new StormTopologiesTest.Split(), 3).shuffleGrouping("sentences");
        builder.setBolt("count", new StormTopologiesTest.Count(), 4).fieldsGrouping("split", new Fields("word"));
        builder.setBolt("write", new Written(out.toString())).globalGrouping("count");
        String address = "127.0.0.1:" + port;
        StormRun run = StormDoor.of(builder.createTopology(), Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0))
                .start(new FlinkRunner(settings, address, List.of(), true, ClusterKeys.read(home, address)));
        while (!Files.exists(out) || Files.readAllLines(out).size() < 3_000) {
            assertThat(run.await(Duration.ofMillis(100))).as("it has ended").isFalse();
        }
        assertThat(run.stop(Duration.ZERO)).isTrue();

        Map<String, Integer> counts = new HashMap<>();
        for (String line : Files.readAllLines(out)) {
            String[] parts = line.split(" ");
            counts.merge(parts[0], Integer.parseInt(parts[1]), Math::max);
        }
        assertThat(counts).containsEntry("a", 1_000).containsEntry("c", 1_000).containsEntry("b0", 143);
        assertThat(counts.values().stream().mapToInt(n -> n).sum()).isEqualTo(3_000);
    }

    /** Writes a line for each tuple. */
    static final class Written extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final String to;

        Written(String to) {
            this.to = to;
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            try {
                Files.writeString(
                        Path.of(to),
                        tuple.getString(0) + " " + tuple.getInteger(1) + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
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
