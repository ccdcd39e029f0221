// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.sun.net.httpserver.HttpServer;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Generator;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.TableSink;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.run.AckSettings;
import io.thalweg.run.BadLimit;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.AbsentSink;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.ConfirmedSource;
import io.thalweg.testkit.FreePort;
import io.thalweg.testkit.TestSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.operators.SlotSharingGroup;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user sees of a job on Flink, besides its result. */
@Tag("integration")
final class FlinkRunningJobTest {
    private static final long RECORDS = 3_000;
    private static final Duration LONG = Duration.ofMinutes(5);

    /** One failure for each test that wants one; on the class, because operators are copies. */
    private static final AtomicBoolean MAY_FAIL = new AtomicBoolean();

    private static final LocalFlink FLINK = LocalFlink.shared();

    /** A job finds its sinks as long as the test holds them. */
    private final List<Object> held = new ArrayList<>();

    @TempDir
    private Path folder;

    private static RunSettings settings() {
        return RunSettings.defaults().withParallelism(2);
    }

    /** Without what is told only where a cluster takes half a minute to answer, as any does on a machine that is busy enough. */
    private static List<String> ofAnyMachine(List<String> warnings) {
        return warnings.stream()
                .filter(line -> !line.startsWith("Flink has not answered within ")
                        && !line.startsWith("Flink cannot be reached: "))
                .toList();
    }

    /** Sums by key in windows of a hundred; at 2,000 records a second, so that checkpoints come between. */
    private static TopologyGraph sums(CollectSink<WindowResult<Long, Long>> sink, Generator<Long> numbers) {
        Topology topology = Topology.named("sums");
        topology.from(numbers)
                .eventTime(number -> number, Duration.ofMillis(4))
                .map(FlinkRunningJobTest::failingOnce)
                .keyBy(number -> number % 7)
                .window(Windows.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregates.sum(number -> number))
                .to(sink)
                .name("sink");
        return topology.graph();
    }

    private static Long failingOnce(Long number) {
        if (number == RECORDS * 2 / 3 && MAY_FAIL.compareAndSet(true, false)) {
            throw new IllegalStateException("as it was told to");
        }
        return number;
    }

    private CollectSink<WindowResult<Long, Long>> sink() {
        CollectSink<WindowResult<Long, Long>> sink = CollectSink.of(
                Type.<WindowResult<Long, Long>>of(WindowResult.class, Type.of(Long.class), Type.of(Long.class)));
        held.add(sink);
        return sink;
    }

    private static List<WindowResult<Long, Long>> expected() {
        List<WindowResult<Long, Long>> results = new ArrayList<>();
        for (long start = 0; start < RECORDS; start += 100) {
            for (long key = 0; key < 7; key++) {
                long sum = 0;
                for (long number = start; number < start + 100; number++) {
                    sum += number % 7 == key ? number : 0;
                }
                results.add(new WindowResult<>(key, start, start + 100, sum));
            }
        }
        return results;
    }

    /** What a job and its successor have written: on a busy machine, windows fire before the first one is stopped. */
    private static List<WindowResult<Long, Long>> both(
            CollectSink<WindowResult<Long, Long>> first, CollectSink<WindowResult<Long, Long>> second) {
        List<WindowResult<Long, Long>> all = new ArrayList<>(first.records());
        all.addAll(second.records());
        return all;
    }

    private static Generator<Long> numbers() {
        return inOrder().splitInto(2);
    }

    /** One split, because two are read by two tasks, and one may be ahead of the other. */
    private static Generator<Long> inOrder() {
        return Sources.generate(RECORDS, index -> index);
    }

    @Test
    void shouldCountEachRecordOnceWhereATaskFailedOnTheWay() throws Exception {
        MAY_FAIL.set(true);
        CollectSink<WindowResult<Long, Long>> sink = sink();
        List<String> warnings = new CopyOnWriteArrayList<>();
        RunSettings settings = settings()
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(50)))
                .withRestart(Restart.fixed(3, Duration.ofMillis(10)))
                .withWarnings(warnings::add);

        JobStats end =
                FLINK.runner(settings).start(sums(sink, numbers().rate(2_000))).await();

        assertThat(MAY_FAIL).isFalse();
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(expected());
        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(end.recordsIn())
                .as("records read, those before the failure counted once")
                .isEqualTo(RECORDS);
        assertThat(end.recordsOut()).isEqualTo(expected().size());
        assertThat(ofAnyMachine(warnings))
                .singleElement(as(STRING))
                .startsWith("topology 'sums', operator 'map', task ")
                .endsWith("java.lang.IllegalStateException: as it was told to; it continues from its last checkpoint");
    }

    /** It may wait for long before it does. */
    @Test
    void shouldTellWhyAJobIsRestarted_beforeItIs() throws Exception {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Topology topology = Topology.named("waiting");
        topology.from(Sources.generate(10, n -> n))
                .map(n -> 1 / (n - 5))
                .name("divide")
                .to(Sinks.discard());
        FlinkRunningJob job = FLINK.runner(settings()
                        .withWarnings(warnings::add)
                        .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder))
                        .withRestart(Restart.fixed(3, Duration.ofDays(1))))
                .start(topology.graph());
        while (ofAnyMachine(warnings).isEmpty()) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        assertThat(ofAnyMachine(warnings))
                .first(as(STRING))
                .startsWith("topology 'waiting', operator 'divide'")
                .endsWith("/ by zero; it continues from its last checkpoint");
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void shouldGoOnWhereAJobWasStopped() throws Exception {
        CollectSink<WindowResult<Long, Long>> first = sink();
        CheckpointSettings checkpoints =
                CheckpointSettings.in(folder.resolve("a name ü %20")).every(Duration.ofMillis(50));
        RunSettings settings = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints);
        FlinkRunningJob stopped =
                FLINK.runner(settings).start(sums(first, numbers().rate(20)));
        while (stopped.lastCheckpoint() == null || stopped.lastCheckpoint().number() < 5) {
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        assertThat(stopped.await().state()).isEqualTo(JobState.CANCELLED);

        CollectSink<WindowResult<Long, Long>> second = sink();
        RunSettings onward =
                settings().withParallelism(3).withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest());
        JobStats end = FLINK.runner(onward).start(sums(second, numbers())).await();

        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(end.recordsIn()).isEqualTo(RECORDS);
        assertThat(both(first, second)).containsExactlyInAnyOrderElementsOf(expected());
    }

    @Test
    void shouldGoOnFromASavepoint_andEmitAllWindowsWhereAJobIsDrained() throws Exception {
        CollectSink<WindowResult<Long, Long>> first = sink();
        CheckpointSettings checkpoints =
                CheckpointSettings.in(folder.resolve("own ü %20")).every(Duration.ofMillis(50));
        RunSettings settings = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints);
        FlinkRunningJob drained = FLINK.runner(settings)
                .start(sums(first, inOrder().rate(1))); // for minutes, no window fires before the savepoint
        while (drained.lastCheckpoint() == null || drained.stats().recordsIn() < 3) {
            assertThat(drained.await(Duration.ofMillis(20))).isFalse();
        }
        String savepoint = drained.savepoint(folder.resolve("kept ü %20")).get();
        assertThat(Path.of(savepoint)).isDirectory().hasParent(folder.resolve("kept ü %20"));
        drained.drain();
        drained.cancel(); // it ends by draining

        JobStats end = drained.await();
        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(end.recordsIn()).isBetween(3L, RECORDS - 1);
        assertThat(first.records().stream().mapToLong(WindowResult::value).sum())
                .as("each number that was read is in a window, and numbers come in order")
                .isEqualTo(LongStream.range(0, end.recordsIn()).sum());

        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> FLINK.runner(
                                settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest()))
                        .start(sums(sink(), inOrder())))
                .withMessageStartingWith("--restore: " + folder.resolve("own ü %20/drained-job/savepoint-"))
                .withMessageContaining(" is the end of a job that was drained: nothing can be read after it; ");

        CollectSink<WindowResult<Long, Long>> second = sink();
        RunSettings onward = settings()
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(folder.resolve("next")).restoringFrom(Path.of(savepoint)));
        assertThat(FLINK.runner(onward).start(sums(second, inOrder())).await().state())
                .isEqualTo(JobState.FINISHED);
        assertThat(second.records()).containsExactlyInAnyOrderElementsOf(expected());
    }

    /** Flink has deleted the checkpoints of a job that has ended by itself. */
    @Test
    void shouldNotReadEverythingAgain_whereTheInputHadEnded() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        RunSettings settings = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints);
        FLINK.runner(settings).start(sums(sink(), numbers())).await();

        RunSettings latest = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest());
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> FLINK.runner(latest).start(sums(sink(), numbers())))
                .withMessage("--restore: the last job with checkpoints in " + folder + " has ended by itself, and Flink"
                        + " deletes the checkpoints of such a job: nothing can be read after it; restore a savepoint from"
                        + " before with --restore DIR, or begin with an empty --checkpoint-dir");

        CollectSink<WindowResult<Long, Long>> first = sink();
        FlinkRunningJob again =
                FLINK.runner(settings).start(sums(first, numbers().rate(20)));
        while (again.lastCheckpoint() == null) {
            assertThat(again.await(Duration.ofMillis(20))).isFalse();
        }
        again.cancel();
        again.await();
        CollectSink<WindowResult<Long, Long>> second = sink();
        FLINK.runner(latest).start(sums(second, numbers())).await();
        assertThat(both(first, second)).containsExactlyInAnyOrderElementsOf(expected());
    }

    /** Each would take the other's checkpoints for its own latest ones. */
    @Test
    void shouldRefuseASecondJob_withTheSameDirectoryOfCheckpoints() throws Exception {
        Path directory = folder.resolve("made by the cluster");
        CheckpointSettings checkpoints = CheckpointSettings.in(directory).every(Duration.ofMillis(50));
        RunSettings settings = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints);
        CollectSink<WindowResult<Long, Long>> before = sink();
        FlinkRunningJob first =
                FLINK.runner(settings).start(sums(before, numbers().rate(20)));
        while (first.lastCheckpoint() == null || !Files.exists(directory.resolve(".lock"))) {
            assertThat(first.await(Duration.ofMillis(20))).isFalse();
        }

        RunSettings latest = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest());
        for (RunSettings second : List.of(settings, latest)) {
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> FLINK.runner(second).start(sums(sink(), numbers())))
                    .withMessage("another job writes its checkpoints to " + directory
                            + "; give each job a directory of its own");
        }
        first.cancel();
        first.await();
        CollectSink<WindowResult<Long, Long>> after = sink();
        FLINK.runner(latest).start(sums(after, numbers())).await();
        assertThat(both(before, after)).containsExactlyInAnyOrderElementsOf(expected());
    }

    /** Prints when it may. */
    private static final class SlowConsole extends PrintStream {
        final CountDownLatch printing = new CountDownLatch(1);
        final CountDownLatch mayPrint = new CountDownLatch(1);

        SlowConsole() {
            super(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        }

        @Override
        public void print(String text) {
            printing.countDown();
            try {
                mayPrint.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Flink has no savepoint of a job that ends while its client, which does not know it yet, is told to stop it. */
    @Test
    void shouldNotReadEverythingAgain_whereTheInputEndedBeforeTheJobWasStopped() throws Exception {
        List<Consumer<FlinkRunningJob>> ways = List.of(FlinkRunningJob::cancel, FlinkRunningJob::drain);
        for (Consumer<FlinkRunningJob> stop : ways) {
            TestSource<Long> source = TestSource.of(Long.class);
            held.add(source);
            Topology topology = Topology.named("ending");
            topology.from(source).to(Sinks.print());
            CheckpointSettings checkpoints = CheckpointSettings.in(folder.resolve("checkpoints " + ways.indexOf(stop)))
                    .every(Duration.ofMillis(50));
            List<String> warnings = new CopyOnWriteArrayList<>();
            SlowConsole console = new SlowConsole();
            FlinkRunningJob job = FLINK.runner(settings()
                            .withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints)
                            .withConsole(console)
                            .withWarnings(warnings::add))
                    .start(topology.graph());
            source.add(1L);
            assertThat(console.printing.await(LONG.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            source.end();
            awaitFinished(job);

            stop.accept(job);
            console.mayPrint.countDown();

            assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
            assertThat(ofAnyMachine(warnings)).isEmpty();
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> FLINK.runner(
                                    settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest()))
                            .start(topology.graph()))
                    .withMessageContaining(" has ended by itself, ");
        }
    }

    /** On the cluster. */
    private static void awaitFinished(FlinkRunningJob job) throws Exception {
        try (ClusterConnection another = ClusterConnection.of("another", FLINK.address(), ClusterKeys.ofThisJvm())) {
            JobID id = JobID.fromHexString(job.id());
            while (another.client().getJobStatus(id).get() != JobStatus.FINISHED) {
                assertThat(job.await(Duration.ofMillis(20))).isFalse();
            }
        }
    }

    @Test
    void shouldSayWhatADrainNeeds() throws Exception {
        FlinkRunningJob job =
                FLINK.runner(settings()).start(sums(sink(), numbers().rate(20)));
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(job::drain)
                .withMessage("topology 'sums' cannot be drained on Flink: it takes no checkpoints; start it with"
                        + " --guarantee exactly-once --checkpoint-dir DIR");
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void shouldRefuseStateWhoseKeysHadAnotherType() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        RunSettings settings = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints);
        FlinkRunningJob stopped = FLINK.runner(settings).start(keyed(number -> number % 7, Long.class));
        while (stopped.lastCheckpoint() == null) {
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        stopped.await();

        RunSettings onward = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest());
        FlinkRunningJob other = FLINK.runner(onward).start(keyed(number -> "seven " + number % 7, String.class));
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(other::await)
                .withMessage(
                        "topology 'keyed': a state holds keys of Long in the checkpoint, but keys of String in this"
                                + " job; run the job as it was, or discard the state of that operator with"
                                + " --discard-state OPERATOR");
    }

    /** Without a name the inserted operator would get the state of the one behind it. */
    @Test
    void shouldRefuseStateWithoutAName_ifTheTopologyChanged() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        RunSettings settings = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints);
        Topology before = Topology.named("unnamed");
        before.from(numbers().rate(20)).keyBy(number -> number % 7).distinct().to(Sinks.discard());
        FlinkRunningJob stopped = FLINK.runner(settings).start(before.graph());
        while (stopped.lastCheckpoint() == null) {
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        stopped.await();

        RunSettings onward = settings().withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest());
        Topology changed = Topology.named("unnamed");
        changed.from(numbers())
                .keyBy(number -> number % 5)
                .distinct()
                .keyBy(number -> number % 7)
                .distinct()
                .to(Sinks.discard());
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() -> FLINK.runner(onward).start(changed.graph()))
                .withMessageContaining("the topology has changed")
                .withMessageContaining("[distinct, source]");
    }

    private static <K> TopologyGraph keyed(MapFunction<Long, K> key, Class<K> type) {
        Topology topology = Topology.named("keyed");
        topology.from(numbers().rate(20))
                .name("numbers")
                .keyBy(key, Type.of(type))
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .name("count")
                .map(result -> result.value())
                .as(Long.class)
                .to(Sinks.discard());
        return topology.graph();
    }

    @Test
    void shouldTellInOneLineWhereAFunctionFailed() throws Exception {
        MAY_FAIL.set(true);
        FlinkRunningJob job = FLINK.runner(settings()).start(sums(sink(), numbers()));

        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(job::await)
                .withMessageMatching("topology 'sums', operator 'map', task 0, split 0, offset 2000: "
                        + "java.lang.IllegalStateException: as it was told to");
        assertThat(job.stats().state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void shouldKeepBadRecordsAndPrintTables() throws Exception {
        Topology topology = Topology.named("bad");
        topology.from(Sources.of(3L, 4L, 5L, 6L))
                .map(number -> {
                    if (number % 2 == 0) {
                        throw new BadRecordException("even", "<" + number + ">");
                    }
                    return number;
                })
                .name("odd")
                .to(new TableSink<>("numbers", Long::compare, 10));
        List<String> bad = Collections.synchronizedList(new ArrayList<>());
        ByteArrayOutputStream console = new ByteArrayOutputStream();
        RunSettings settings = settings()
                .withConsole(new PrintStream(console, true, StandardCharsets.UTF_8))
                .withBadRecords((name, operator, record) -> bad.add(name + " " + operator + " " + text(record)));

        JobStats end = FLINK.runner(settings).start(topology.graph()).await();

        assertThat(end.recordsBad()).isEqualTo(2);
        assertThat(end.recordsOut()).isEqualTo(2);
        assertThat(end.tasks()).extracting(TaskStats::recordsBad).containsOnlyOnce(2L);
        assertThat(end.tasks())
                .filteredOn(task -> !task.operators().contains("odd"))
                .extracting(TaskStats::recordsOut)
                .as("records that the sink wrote")
                .containsExactly(2L);
        assertThat(end.recordsIn()).isEqualTo(4);
        assertThat(bad).containsExactly("bad odd even <4>", "bad odd even <6>");
        assertThat(end.badReasons()).singleElement().satisfies(reason -> {
            assertThat(reason.operator()).isEqualTo("odd");
            assertThat(reason.reason()).isEqualTo("even");
            assertThat(reason.count()).isEqualTo(2);
        });
        assertThat(console.toString(StandardCharsets.UTF_8)).isEqualTo("numbers\n  value\n      3\n      5\n");
    }

    @Test
    void shouldFailIfNoRecordIsGood() {
        Topology topology = Topology.named("bad");
        topology.from(Sources.of("x", "y", "z"))
                .map(FlinkRunningJobTest::bad)
                .as(String.class)
                .to(CollectSink.of(String.class));
        FlinkRunningJob job = FLINK.runner(settings()).start(topology.graph());

        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(job::await)
                .withMessageStartingWith("topology 'bad': not one of 3 records was good; most often, 3 times, operator"
                        + " 'map', first in list, offset 0: not for me; ")
                .withMessageEndingWith("; on Flink, what its sinks wrote until then is visible");
        assertThat(job.stats().state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void shouldEndAJobThatRunsWithTooManyBadRecords() {
        Topology topology = Topology.named("bad");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> "" + n).rate(500))
                .map(FlinkRunningJobTest::bad)
                .as(String.class)
                .to(CollectSink.of(String.class));
        FlinkRunningJob job =
                FLINK.runner(settings().withBadLimit(BadLimit.records(100))).start(topology.graph());

        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(job::await)
                .withMessageContaining(" records were bad, and the limit is 100; most often, ");
    }

    private static String text(BadRecord record) {
        return record.reason() + " " + new String(record.bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldEndAtTheFirstBadRecordIfAskedTo() {
        Topology topology = Topology.named("strict");
        topology.from(Sources.of("x"))
                .map(FlinkRunningJobTest::bad)
                .as(String.class)
                .to(CollectSink.of(String.class));
        FlinkRunningJob job = FLINK.runner(settings().withFailOnBad(true)).start(topology.graph());

        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(job::await)
                .withMessageContaining("topology 'strict', operator 'map', task 0: bad record in list")
                .withMessageContaining("not for me");
    }

    private static String bad(String text) {
        throw new BadRecordException("not for me", text);
    }

    @Test
    void shouldTellOfAnInputThatIsMissing() {
        Topology topology = Topology.named("missing");
        topology.from(new NoSource()).to(CollectSink.of(String.class));
        FlinkRunningJob job = FLINK.runner(settings()).start(topology.graph());

        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(job::await)
                .withMessage("topology 'missing', operator 'source': there is no quakes.csv");
    }

    /** A source whose input is not there. */
    private record NoSource() implements io.thalweg.api.connector.Source<String> {
        @Override
        public String name() {
            return "none";
        }

        @Override
        public io.thalweg.api.codec.Type<String> type() {
            return io.thalweg.api.codec.Type.of(String.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            throw new ConnectorException("there is no quakes.csv");
        }

        @Override
        public io.thalweg.api.connector.SplitReader<String> open(
                String split, io.thalweg.api.connector.SourceContext context) {
            throw new IllegalStateException("there is nothing to open");
        }
    }

    @Test
    void shouldCancelAJobThatPromisesNothing() throws Exception {
        FlinkRunningJob job =
                FLINK.runner(settings()).start(sums(sink(), numbers().rate(10)));
        assertThat(job.await(Duration.ofMillis(300))).isFalse();
        job.cancel();
        assertThat(job.await(LONG)).isTrue();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }

    /** Ends only when it is told to. */
    private static final class SlowToClose implements Operator<Long, Long> {
        private static final CountDownLatch CLOSING = new CountDownLatch(1);
        private static final CountDownLatch MAY_CLOSE = new CountDownLatch(1);

        @Override
        public void process(Long value, Output<Long> output) {
            output.emit(value);
        }

        @Override
        public void close() throws InterruptedException {
            CLOSING.countDown();
            MAY_CLOSE.await();
        }
    }

    /** Flink fails a job that cannot be stopped with a savepoint, which it cannot while a task closes. */
    @Test
    void shouldBeCancelled_thoughItsInputHasJustEnded() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        held.add(sink);
        Topology topology = Topology.named("ending");
        topology.from(Sources.of(1L)).process(SlowToClose::new).as(Long.class).to(sink);
        RunSettings saving = settings()
                .withParallelism(1)
                .withWarnings(warning -> {
                    if (warning.startsWith(
                            "no last checkpoint could be taken")) { // and not that Flink is slow to answer
                        SlowToClose.MAY_CLOSE.countDown();
                    }
                })
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(50)));
        FlinkRunningJob job = FLINK.runner(saving).start(topology.graph());
        assertThat(SlowToClose.CLOSING.await(LONG.toSeconds(), TimeUnit.SECONDS))
                .isTrue();

        job.cancel();

        assertThat(job.await(LONG)).isTrue();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void shouldAskAgain_whereAnAnswerWasLost() throws Exception {
        Iterator<CompletableFuture<String>> answers = List.of(
                        new CompletableFuture<String>(), CompletableFuture.completedFuture("FINISHED"))
                .iterator();

        List<String> lost = new ArrayList<>();

        assertThat(Answer.to(answers::next, lost::add, 1)).isEqualTo("FINISHED");
        assertThat(lost).containsExactly("Flink has not answered within 0 s; asking again");
    }

    /** Otherwise a job would be told to have failed that goes on. */
    @Test
    void shouldAskAgain_whereTheClusterCannotBeReachedForAMoment() throws Exception {
        IOException refused = new IOException("connection refused");
        List<String> lost = new ArrayList<>();
        Iterator<CompletableFuture<String>> answers = List.of(
                        CompletableFuture.<String>failedFuture(new IllegalStateException("retried", refused)),
                        CompletableFuture.<String>failedFuture(refused),
                        CompletableFuture.completedFuture("RUNNING"))
                .iterator();

        assertThat(Answer.to(answers::next, lost::add, 1)).isEqualTo("RUNNING");
        assertThat(lost)
                .containsExactly("Flink cannot be reached: java.io.IOException: connection refused; asking again");

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Answer.to(() -> CompletableFuture.failedFuture(refused), lost::add, 1))
                .satisfies(thrown -> assertThat(FailureText.of("sums", thrown))
                        .hasMessage("topology 'sums': Flink cannot be reached any more (java.io.IOException: connection"
                                + " refused), and the job may run on there: look for it on Flink's web page, and cancel"
                                + " it there before you start it again"));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Answer.to(
                        () -> CompletableFuture.failedFuture(new IllegalStateException("there is no such job")),
                        lost::add,
                        1))
                .withMessageContaining("there is no such job");
    }

    @Test
    void shouldNotBeginAgain_whereOnlyAnotherEngineCouldContinue() throws Exception {
        Files.writeString(folder.resolve("checkpoint-3"), "");
        CheckpointSettings latest = CheckpointSettings.in(folder).restoringLatest();
        RunSettings settings = settings().withGuarantee(Guarantee.EXACTLY_ONCE, latest);

        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> FLINK.runner(settings).start(sums(sink(), numbers())))
                .withMessage("there is nothing to continue from in " + folder + " but checkpoints that are not Flink's,"
                        + " such as checkpoint-3; continue without --on flink, or begin again in another directory");
    }

    @Test
    void shouldNotWaitForAnAnswerToASubmission_whereTheJobIsThere() throws Exception {
        Iterator<CompletableFuture<String>> looks = List.of(
                        CompletableFuture.<String>failedFuture(new IllegalStateException("there is no such job")),
                        new CompletableFuture<String>(),
                        CompletableFuture.completedFuture("RUNNING"))
                .iterator();
        List<String> lost = new ArrayList<>();

        Answer.once(new CompletableFuture<String>(), looks::next, lost::add, 1);

        assertThat(looks).isExhausted();
        assertThat(lost).hasSize(3).containsOnly("Flink has not answered within 0 s; looking whether it has the job");
    }

    /** Otherwise the job would run on with nobody to follow it. */
    @Test
    void shouldFollowAJobThatWasTaken_thoughItsSubmissionFailed() throws Exception {
        CompletableFuture<String> broken = CompletableFuture.failedFuture(new IOException("the connection broke"));
        List<String> lost = new ArrayList<>();

        Answer.once(broken, () -> CompletableFuture.completedFuture("RUNNING"), lost::add, 1_000);

        assertThat(lost).isEmpty();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Answer.once(
                        broken,
                        () -> CompletableFuture.failedFuture(new IllegalStateException("there is no such job")),
                        lost::add,
                        1_000))
                .withMessageContaining("the connection broke")
                .satisfies(thrown -> assertThat(Answer.isLost(thrown)).isFalse());
    }

    /** Its client would say that it has failed, and another one could begin beside it. */
    @Test
    void shouldNotGiveUpAJobThatMayHaveBeenTaken_whereTheClusterCannotBeReachedAnyMore() {
        CompletableFuture<String> broken = CompletableFuture.failedFuture(new IOException("the connection broke"));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Answer.once(
                        broken,
                        () -> CompletableFuture.failedFuture(new IOException("connection refused")),
                        line -> {},
                        1))
                .satisfies(thrown -> {
                    assertThat(Answer.isLost(thrown)).isTrue();
                    assertThat(FailureText.of("sums", thrown))
                            .hasMessageStartingWith("topology 'sums': Flink cannot be reached any more (")
                            .hasMessageContaining("and the job may run on there");
                });
    }

    /** As its client would ask about a job after its JobManager was restarted. */
    @Test
    void shouldSayInOneLineThatFlinkDoesNotKnowAJob() throws Exception {
        try (ClusterConnection another = ClusterConnection.of("another", FLINK.address(), ClusterKeys.ofThisJvm())) {
            JobID forgotten = new JobID(1, 2);
            List<Supplier<CompletableFuture<?>>> questions = List.of(
                    () -> another.client().getJobStatus(forgotten),
                    () -> another.client().requestJobResult(forgotten));
            for (Supplier<CompletableFuture<?>> question : questions) {
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> Answer.of(question.get()))
                        .satisfies(thrown -> assertThat(FailureText.of("sums", thrown))
                                .hasMessageStartingWith("topology 'sums': Flink does not know the job any more: "));
            }
        }
    }

    @Test
    void shouldRefuseWhatFlinkCannotGive() {
        TopologyGraph graph = sums(sink(), numbers());
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() -> FlinkRunner.inThisJvm(settings().withTries(3)).start(graph))
                .withMessageContaining("Flink does not support --tries");
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() -> FlinkRunner.inThisJvm(settings().withAcks(AckSettings.defaults(), null))
                        .start(graph))
                .withMessageContaining("add --checkpoint-dir");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FlinkRunner.on("flink:rest", settings(), List.of()))
                .withMessageContaining("host:port");
    }

    @Test
    void shouldRefuseASourceThatNobodyWouldTell_butInAJobWithoutAGuarantee() throws Exception {
        Topology topology = Topology.named("queue");
        topology.from(ConfirmedSource.of(10, false)).name("queue").to(Sinks.discard());
        assertThat(FLINK.runner(settings()).start(topology.graph()).await().recordsOut())
                .isEqualTo(10);
        FlinkRunningJob job = FLINK.runner(
                        settings().withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder)))
                .start(topology.graph());
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(job::await)
                .withMessageContaining("its ConfirmedReader needs an ack for each record, which Flink does not give");
    }

    @Test
    void shouldWaitForSystemsInThisJvm_andLeaveThemToAClusterElsewhere() {
        Topology topology = Topology.named("absent");
        topology.from(Sources.of(1L)).to(new AbsentSink<>());
        RunSettings asked = settings().withConnectTimeout(Duration.ofSeconds(7));
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() -> FlinkRunner.inThisJvm(asked).start(topology.graph()))
                .withMessage("nobody answers for 7 s");
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(
                        () -> FlinkRunner.on("127.0.0.1:8081", asked, List.of()).start(topology.graph()))
                .withMessageStartingWith(
                        "topology 'absent': --connect-timeout is for jobs whose tasks run in this process,"
                                + " and these connect from the Flink cluster at 127.0.0.1:8081; ");
    }

    @Test
    void shouldTellOfAClusterThatIsNotThere() throws Exception {
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() ->
                        FlinkRunner.on("127.0.0.1:1", settings(), List.of()).start(sums(sink(), numbers())))
                .withMessageStartingWith("topology 'sums': the Flink cluster at 127.0.0.1:1: no answer")
                .withMessageContaining("thalweg flink start");
    }

    @Test
    void shouldTellOfAClusterOfAnotherVersion() throws Exception {
        HttpServer old = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        old.createContext("/config", exchange -> {
            byte[] answer = "{\"flink-version\":\"1.20.1\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        old.start();
        try {
            String address = "127.0.0.1:" + old.getAddress().getPort();
            assertThatExceptionOfType(JobFailedException.class)
                    .isThrownBy(
                            () -> FlinkRunner.on(address, settings(), List.of()).start(sums(sink(), numbers())))
                    .withMessageContaining("it is Flink 1.20.1, but this Thalweg needs Flink 2.3");
        } finally {
            old.stop(0);
        }
    }

    @Test
    void shouldExplainTypesAndWhatIsChained() {
        String text = FlinkRunner.inThisJvm(settings().withAcks(AckSettings.defaults(), CheckpointSettings.in(folder)))
                .explain(sums(sink(), numbers()));

        assertThat(text)
                .contains("topology sums on Flink 2.3.0: 2 chains, 4 tasks")
                .containsPattern("guarantee +at-least-once \\(Flink has no acks for single records")
                .containsPattern("checkpoint-interval +10000 ms")
                .containsPattern("source -> event-time +forward +2 to 2 +Long .* fused")
                .containsPattern("map -> window +by key Long +2 to 2 +Long, event time +not fused: each record goes to"
                        + " the task of its key");
    }

    @Test
    void shouldTellWhichSlotsAJobWaitsFor_andBeginWhenItHasThem() throws Exception {
        List<String> warnings = new CopyOnWriteArrayList<>();
        RunSettings telling = settings().withWarnings(warnings::add);
        try (LocalFlink cluster = LocalFlink.start(3)) {
            FlinkRunningJob other =
                    cluster.runner(settings().withParallelism(1)).start(endless("other"));
            while (other.stats().recordsIn() == 0) { // has its slot
                assertThat(other.await(Duration.ofMillis(20))).isFalse();
            }

            FlinkRunningJob job = cluster.runner(telling.withParallelism(3)).start(endless("wide"));

            while (ofAnyMachine(warnings).isEmpty()) {
                assertThat(job.stats().recordsIn()).isZero();
                assertThat(job.await(Duration.ofMillis(20))).isFalse();
            }
            assertThat(ofAnyMachine(warnings))
                    .containsExactly(
                            "topology 'wide' waits for slots of Flink: it needs 3, and 2 of the cluster's 3 are"
                                    + " free; cancel other jobs, add TaskManagers, or stop this job and give it fewer tasks, as"
                                    + " with --parallelism");
            other.cancel();
            while (job.stats().recordsIn() == 0) {
                assertThat(job.await(Duration.ofMillis(20))).isFalse();
            }
            job.cancel();
            job.await();
            assertThat(ofAnyMachine(warnings)).hasSize(1);
        }
    }

    /** It begins with fewer tasks than it could have, and is created only when it has a slot. */
    @Test
    void shouldTellThatAJobOfTheAdaptiveSchedulerWaitsForASlot() throws Exception {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Configuration adaptive = new Configuration();
        adaptive.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Adaptive);
        try (LocalFlink cluster = LocalFlink.start(1, adaptive)) {
            FlinkRunningJob other =
                    cluster.runner(settings().withParallelism(1)).start(endless("other"));
            while (other.stats().recordsIn() == 0) { // has its slot
                assertThat(other.await(Duration.ofMillis(20))).isFalse();
            }

            FlinkRunningJob job = cluster.runner(
                            settings().withWarnings(warnings::add).withParallelism(2))
                    .start(endless("late"));

            while (ofAnyMachine(warnings).isEmpty()) {
                assertThat(job.await(Duration.ofMillis(20))).isFalse();
            }
            assertThat(ofAnyMachine(warnings))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "topology 'late' waits for slots of Flink: it needs 1, and 0 of the cluster's 1 are free;");
            job.cancel();
            job.await();
        }
    }

    private static TopologyGraph endless(String name) {
        Topology topology = Topology.named(name);
        topology.from(numbers().rate(5))
                .keyBy(number -> number)
                .distinct() // as many tasks as the job is given
                .to(Sinks.discard());
        return topology.graph();
    }

    @Test
    void shouldRunOperatorsInSlotsOfTheirOwn() throws Exception {
        CollectSink<WindowResult<Long, Long>> sink = sink();
        TopologyGraph graph = sums(sink, numbers());
        // region slots
        SlotSharingGroup lookups = SlotSharingGroup.newBuilder("lookups").build();
        SlotSharingGroup writers = SlotSharingGroup.newBuilder("writers").build();
        FlinkRunner runner = FlinkRunner.inThisJvm(settings()).withSlotSharing(Map.of("map", lookups, "sink", writers));
        // endregion
        JobStats end = runner.start(graph).await();

        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(expected());
        assertThat(end.tasks()).hasSize(8); // source, map, window and sink apart, two tasks each
    }

    @Test
    void shouldRunInAClusterOfItsOwn() throws Exception {
        CollectSink<WindowResult<Long, Long>> sink = sink();
        // region runner
        JobStats end =
                FlinkRunner.inThisJvm(settings()).start(sums(sink, numbers())).await();
        // endregion
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(expected());
        assertThat(end.tasks())
                .hasSize(4)
                .allSatisfy(task -> assertThat(task.recordsIn()).isPositive());
    }

    /** Whatever it is that a jar of the job fails with. */
    @Test
    void shouldEndItsClusterWhereAJobCannotBeSubmitted() throws Exception {
        Path broken = (Path) Proxy.newProxyInstance(
                Path.class.getClassLoader(), new Class<?>[] {Path.class}, (proxy, method, arguments) -> {
                    throw new ConnectorException("cannot be packed");
                });
        int blobs = FreePort.find();
        FlinkRunner runner = FlinkRunner.inThisJvm(settings(), List.of(broken))
                .with(Map.of("blob.server.port", Integer.toString(blobs)));
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> runner.start(endless("broken")))
                .withMessage("cannot be packed");
        long beganNs = System.nanoTime();
        while (listens(blobs)) {
            assertThat(System.nanoTime() - beganNs).as("its cluster runs").isLessThan(LONG.toNanos());
            Thread.onSpinWait();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
