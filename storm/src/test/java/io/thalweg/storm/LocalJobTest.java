// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.files.TextLines;
import io.thalweg.job.JobLoader;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunnerInfo;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.ConfirmedSource;
import io.thalweg.testkit.ListeningSocket;
import io.thalweg.testkit.TestSource;
import io.thalweg.workloads.telecom.TelecomSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.storm.Config;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on a LocalCluster, as who starts them sees them. */
@Timeout(600)
@Tag("integration")
final class LocalJobTest {
    private static final Path EARTHQUAKES = Path.of("..", "examples", "earthquakes", "Earthquakes.java");

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final RunSettings settings = RunSettings.defaults()
            .withParallelism(2)
            .withConsole(new PrintStream(printed, true, StandardCharsets.UTF_8));

    private String console() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static long oddOnly(long n) {
        if (n % 2 == 0) {
            throw new BadRecordException("even", Long.toString(n));
        }
        return n;
    }

    @Test
    void shouldBringBackWhatIsPrintedAndWhatIsBad() throws Exception {
        List<String> bad = new CopyOnWriteArrayList<>();
        Topology topology = Topology.named("odd");
        topology.from(Sources.generate(10, n -> n))
                .shuffle()
                .map(LocalJobTest::oddOnly)
                .name("odd only")
                .to(Sinks.print());
        RunSettings listening = settings.withBadRecords((name, operator, record) ->
                bad.add(operator + ": " + record.reason() + " " + new String(record.bytes(), StandardCharsets.UTF_8)));
        JobStats stats = StormRunner.local(listening, 1).start(topology.graph()).await();
        assertThat(console().lines()).containsExactlyInAnyOrder("1", "3", "5", "7", "9");
        assertThat(bad)
                .containsExactlyInAnyOrder(
                        "odd only: even 0",
                        "odd only: even 2",
                        "odd only: even 4",
                        "odd only: even 6",
                        "odd only: even 8");
        assertThat(stats.state()).isEqualTo(JobState.FINISHED);
        assertThat(stats.recordsIn()).isEqualTo(10);
        assertThat(stats.recordsOut()).isEqualTo(5);
        assertThat(stats.recordsBad()).isEqualTo(5);
        assertThat(stats.badReasons()).singleElement().satisfies(reason -> {
            assertThat(reason.operator()).isEqualTo("odd only");
            assertThat(reason.reason()).isEqualTo("even");
            assertThat(reason.count()).isEqualTo(5);
        });

        RunSettings strict = settings.withFailOnBad(true);
        assertThatThrownBy(() ->
                        StormRunner.local(strict, 1).start(topology.graph()).await())
                .hasMessageStartingWith("topology 'odd', operator 'odd only': bad record in")
                .hasMessageContaining("even");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFailBeforeItsSinksCommitIfMoreThanHalfIsBad(boolean checkpoints) {
        Path out = folder.resolve("out.txt");
        Topology topology = Topology.named("odd");
        topology.from(Sources.generate(11, n -> n))
                .shuffle()
                .map(LocalJobTest::oddOnly)
                .map(n -> "" + n)
                .to(TextLines.write(out.toString()));
        RunSettings checked = checkpoints
                ? settings.withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder.resolve("checkpoints")))
                        .withRestart(Restart.fixed(3, Duration.ZERO))
                : settings;

        assertThatThrownBy(() ->
                        StormRunner.local(checked, 1).start(topology.graph()).await())
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("topology 'odd': 6 of 11 records were bad, and the limit is 50 %; most often,"
                        + " 6 times, operator 'map'");
        assertThat(out).doesNotExist();
    }

    private static long slowly(long n) {
        LockSupport.parkNanos(1);
        return n;
    }

    /** Batches are half as long as queues, which are full: what a timer flushes seldom fits. */
    @Test
    void shouldBringOutWhatDidNotFitIntoTheQueues() throws Exception {
        Map<String, Object> batches = Map.of(
                Config.TOPOLOGY_PRODUCER_BATCH_SIZE,
                500,
                Config.TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS,
                1,
                Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE,
                1024);
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("batches");
        topology.from(Sources.generate(20_000, n -> n))
                .shuffle()
                .map(LocalJobTest::slowly)
                .shuffle()
                .map(LocalJobTest::slowly)
                .to(sink);
        StormRunner.local(settings, 1).with(batches).start(topology.graph()).await();
        assertThat(sink.records())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 20_000).boxed().toList());
    }

    @Test
    void shouldStopInGoodOrderWhenItIsCancelled() throws Exception {
        TestSource<Long> source = TestSource.of(Long.class).add(1L, 2L, 3L);
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("endless");
        topology.from(source).shuffle().map(n -> n * 2).to(sink);
        StormJob job = StormRunner.local(settings, 1).start(topology.graph());
        while (sink.records().size() < 3) {
            assertThat(job.await(Duration.ofMillis(10))).as("the job has ended").isFalse();
        }
        assertThat(job.stats().state()).isEqualTo(JobState.RUNNING);
        if (ListeningSocket.canBeListed()) {
            assertThat(ListeningSocket.of(ProcessHandle.current()))
                    .as("ZooKeeper")
                    .isNotEmpty();
            assertThat(ListeningSocket.beyondLoopback()).isEmpty();
        }
        assertThatThrownBy(job::drain)
                .hasMessage(
                        "topology 'endless' cannot be drained on Storm; stop it and restore it embedded, which reads"
                                + " the same checkpoints, or stop it without draining");
        assertThatThrownBy(() -> job.savepoint(null).get())
                .hasMessageContaining("topology 'endless': no savepoints are taken on Storm; copy the newest file");
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(sink.records()).containsExactlyInAnyOrder(2L, 4L, 6L);
    }

    @Test
    void shouldRunTheTelecomJobToItsCheck() throws Exception {
        TelecomSettings telecom = TelecomJob.settings(300_000);
        JobStats stats = StormRunner.local(settings, 1)
                .start(TelecomJob.topology(telecom).graph())
                .await();
        assertThat(console()).containsPattern("records +300,000\\R").containsPattern("differences +0\\R");
        assertThat(stats.recordsIn()).isEqualTo(300_000);
    }

    /** JSON lines in; CSV and tables out. */
    @Test
    void shouldGiveOfTheEarthquakesWhatTheEmbeddedEngineGives() throws Exception {
        LoadedJob job = new JobLoader(null).load(EARTHQUAKES, null);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(job.loader());
        try {
            Path embedded = folder.resolve("embedded.csv");
            new EmbeddedRunner(settings)
                    .start(job.define(Map.of("out", embedded.toString())))
                    .await();
            String tables = console();
            printed.reset();
            Path storm = folder.resolve("storm.csv");
            StormRunner.local(settings, 1)
                    .start(job.define(Map.of("out", storm.toString())))
                    .await();
            assertThat(console()).isEqualTo(tables).contains("The ten strongest");
            assertThat(Files.readAllLines(storm)).hasSize(127).hasSameElementsAs(Files.readAllLines(embedded));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Keeps what cannot be sent. */
    private static final class Clumsy {
        private final Object lock = new Object();

        long map(long n) {
            synchronized (lock) {
                return n;
            }
        }
    }

    @Test
    void shouldNameWhatCannotBeSent() {
        Clumsy clumsy = new Clumsy();
        Topology topology = Topology.named("clumsy");
        topology.from(Sources.generate(10, n -> n))
                .map(n -> clumsy.map(n))
                .as(Long.class)
                .name("keeps")
                .to(CollectSink.of(Long.class));
        assertThatThrownBy(() -> StormRunner.local(settings, 1).start(topology.graph()))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("operator 'keeps'")
                .hasMessageContaining("Clumsy")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldRefuseASourceThatNobodyWouldTell_butInAJobWithoutAGuarantee() throws Exception {
        Topology topology = Topology.named("queue");
        topology.from(ConfirmedSource.of(10, true)).name("queue").to(Sinks.discard());
        RunSettings guaranteed =
                settings.withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder.resolve("checkpoints")));
        assertThatThrownBy(() ->
                        StormRunner.local(guaranteed, 1).start(topology.graph()).await())
                .hasMessage(
                        "source 'queue' needs a confirmation of each record that is done, which this engine does not give;"
                                + " run it embedded, or without a guarantee");
        assertThat(StormRunner.local(settings, 1)
                        .start(topology.graph())
                        .await()
                        .recordsOut())
                .isEqualTo(10);
    }

    @Test
    void shouldSayThatNobodyListens() {
        Topology topology = Topology.named("nowhere");
        topology.from(Sources.generate(10, n -> n)).to(CollectSink.of(Long.class));
        StormProvider provider = new StormProvider();
        assertThatThrownBy(() -> provider.runner(settings, "127.0.0.1:1", Map.of(), List.of())
                        .start(topology.graph()))
                .hasMessageContaining("no Nimbus answers at 127.0.0.1:1")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> provider.runner(settings, "nimbus", Map.of(), List.of()))
                .hasMessageContaining("'nimbus' is not the address of a Nimbus");
    }

    @Test
    void shouldTakeOptionsOfStormsOwn() throws Exception {
        StormProvider provider = new StormProvider();
        assertThat(provider.road().name()).isEqualTo("storm");
        assertThat(provider.road().options().stream().map(RunnerInfo.Option::name))
                .containsExactly("--storm-conf");
        assertThatThrownBy(() -> provider.runner(settings, null, Map.of("--storm-conf", List.of("batch")), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--storm-conf takes KEY=VALUE, not batch");

        Topology topology = Topology.named("conf");
        topology.from(Sources.generate(10, n -> n)).to(CollectSink.of(Long.class));
        List<String> conf = List.of("topology.producer.batch.size=4", "topology.debug=false");
        assertThat(provider.runner(settings, null, Map.of("--storm-conf", conf), List.of())
                        .start(topology.graph())
                        .await()
                        .recordsOut())
                .isEqualTo(10);
    }

    @Test
    void shouldExplainHowATopologyRuns() {
        Topology topology = Topology.named("plan");
        topology.from(Sources.generate(10, n -> n))
                .name("numbers")
                .map(n -> n + 1)
                .name("more")
                .keyBy(n -> n % 3)
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .name("counts")
                .map(result -> result.value())
                .as(Long.class)
                .to(CollectSink.of(Long.class));
        assertThat(StormRunner.local(settings, 1).explain(topology.graph())).isEqualTo("""
                        topology plan on Storm: 2 chains, 4 tasks

                        chain 0: 2 tasks, spout chain-0
                          numbers   source generator of Long
                          more      map

                        chain 1: 2 tasks, bolt chain-1
                          counts   window whole input
                          map
                          sink     sink test

                        edges
                          numbers -> more   forward       2 to 2   Long                                fused
                          more -> counts    by key Long   2 to 2   Long                                not fused: each record goes to the task of its key
                          counts -> map     forward       2 to 2   WindowResult<Long, Long> (record)   fused
                          map -> sink       forward       2 to 2   Long                                fused

                        options
                          watch bolt   one more task, which takes checkpoints and ends the job
                          guarantee    none: Storm's at-most-once; the job fails if a worker dies
                        """);
    }
}
