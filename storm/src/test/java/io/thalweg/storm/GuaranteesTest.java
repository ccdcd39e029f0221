// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.TestSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is promised of records where something fails. */
@Timeout(900)
@Tag("integration")
final class GuaranteesTest {
    private static final long RECORDS = 5_000;

    /** On a busy machine a tuple may take its time, and one that times out counts as failed. */
    private static final Duration LONG = Duration.ofMinutes(5);

    /** Those that have failed; each of Storm's tasks has a copy of its function. */
    private static final Set<Long> FAILED = ConcurrentHashMap.newKeySet();

    private static final AtomicBoolean CRASHED = new AtomicBoolean();

    @TempDir
    private Path folder;

    record Event(String key, long time) {}

    record Row(String key, long start, long count) {}

    private static long luckless(long n) {
        if (n % 97 == 0 && FAILED.add(n)) {
            throw new RecordFailedException("no luck with " + n);
        }
        return n;
    }

    @Test
    void shouldSendAgainWhatFailed() throws Exception {
        FAILED.clear();
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("relay");
        topology.from(Sources.generate(RECORDS, n -> n).splitInto(3))
                .shuffle()
                .map(n -> n)
                .shuffle()
                .map(GuaranteesTest::luckless)
                .shuffle()
                .to(sink);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withAcks(AckSettings.defaults().withMaxPending(200).withTimeout(LONG), null);
        JobStats stats = StormRunner.local(settings, 1).start(topology.graph()).await();
        assertThat(sink.records())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, RECORDS).boxed().toList());
        assertThat(FAILED).isNotEmpty();
        assertThat(stats.acks().failed()).isEqualTo(FAILED.size());
        assertThat(stats.acks().acked()).isEqualTo(RECORDS);
    }

    @Test
    void shouldRefuseAcksWithStateAndWithoutCheckpoints() {
        RunSettings settings = RunSettings.defaults().withAcks(AckSettings.defaults(), null);
        assertThatThrownBy(() -> StormRunner.local(settings, 1)
                        .start(windows(TestSource.of(Event.class), CollectSink.of(Row.class))
                                .graph()))
                .hasMessageContaining("directory for checkpoints");
    }

    private static Topology windows(TestSource<Event> source, CollectSink<Row> sink) {
        Topology topology = Topology.named("windows");
        topology.from(source)
                .eventTime(Event::time, Duration.ofMillis(5))
                .keyBy(Event::key)
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .map(result -> new Row(result.key(), result.start(), result.value()))
                .as(Row.class)
                .shuffle()
                .map(GuaranteesTest::crashOnce)
                .to(sink);
        return topology;
    }

    private static Row crashOnce(Row row) {
        if (row.start() >= 500 && CRASHED.compareAndSet(false, true)) {
            throw new IllegalStateException("crashed on purpose");
        }
        return row;
    }

    private static List<Event> events(int from, int to) {
        List<Event> events = new ArrayList<>();
        for (int time = from; time < to; time++) {
            events.add(new Event("k" + time % 7, time));
        }
        return events;
    }

    @Test
    void shouldGoOnFromTheLastCheckpointWithTheRightRows() throws Exception {
        CRASHED.set(false);
        CollectSink<Row> sink = CollectSink.of(Row.class);
        TestSource<Event> source = TestSource.of(Event.class).addTo(0, events(0, 400));
        List<String> warnings = new CopyOnWriteArrayList<>();
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withGuarantee(
                        Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(50)))
                .withRestart(Restart.fixed(3, Duration.ZERO))
                .withWarnings(warnings::add);
        StormJob job =
                StormRunner.local(settings, 2).start(windows(source, sink).graph());
        while (sink.records().isEmpty() || job.lastCheckpoint() == null) {
            assertThat(job.await(Duration.ofMillis(10))).as("the job has ended").isFalse();
        }
        source.addTo(0, events(400, 1_000)).end();
        JobStats stats = job.await();
        assertThat(CRASHED).isTrue();
        assertThat(warnings)
                .filteredOn(line -> !line.contains(" has not begun on Storm after ")) // on a busy machine
                .singleElement()
                .asString()
                .contains("crashed on purpose", "last checkpoint");
        assertThat(lastRows(sink)).isEqualTo(expected(1_000));
        assertThat(stats.state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void shouldGoOnOnStormFromACheckpointThatWasTakenEmbedded() throws Exception {
        CRASHED.set(true);
        CheckpointSettings where = CheckpointSettings.in(folder).every(Duration.ofMillis(20));
        CollectSink<Row> sink = CollectSink.of(Row.class);
        TestSource<Event> source = TestSource.of(Event.class).addTo(0, events(0, 300));
        RunSettings settings = RunSettings.defaults().withParallelism(2).withGuarantee(Guarantee.AT_LEAST_ONCE, where);
        var embedded = new EmbeddedRunner(settings).start(windows(source, sink).graph());
        while (sink.records().size() < 100) {
            assertThat(embedded.await(Duration.ofMillis(5)))
                    .as("the job has ended")
                    .isFalse();
        }
        embedded.cancel();
        assertThat(embedded.await().state()).isEqualTo(JobState.CANCELLED);

        source.addTo(0, events(300, 600)).end();
        RunSettings further = settings.withGuarantee(Guarantee.AT_LEAST_ONCE, where.restoringLatest());
        StormRunner.local(further, 1).start(windows(source, sink).graph()).await();
        assertThat(lastRows(sink)).isEqualTo(expected(600));
    }

    @Test
    void shouldLoseAndRepeatNothingWhereItIsCancelledAndGoesOn() throws Exception {
        CRASHED.set(true);
        CheckpointSettings where = CheckpointSettings.in(folder);
        CollectSink<Row> sink = CollectSink.of(Row.class);
        TestSource<Event> source = TestSource.of(Event.class).addTo(0, events(0, 300));
        RunSettings settings = RunSettings.defaults().withParallelism(2).withGuarantee(Guarantee.AT_LEAST_ONCE, where);
        StormJob job =
                StormRunner.local(settings, 1).start(windows(source, sink).graph());
        while (sink.records().size() < 100) {
            assertThat(job.await(Duration.ofMillis(5))).as("the job has ended").isFalse();
        }
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(job.lastCheckpoint()).isNotNull();

        source.addTo(0, events(300, 600)).end();
        RunSettings further = settings.withGuarantee(Guarantee.AT_LEAST_ONCE, where.restoringLatest());
        StormRunner.local(further, 1).start(windows(source, sink).graph()).await();
        Map<String, Long> counts = new LinkedHashMap<>();
        sink.records().forEach(row -> counts.merge(row.key() + " " + row.start(), row.count(), Long::sum));
        assertThat(counts).isEqualTo(expected(600));
    }

    /** What becomes of the calls of one job; on the class, because operators are copies. */
    private static volatile Calls calls = new Calls();

    private static final class Calls {
        final CountDownLatch stuck = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);
        final CountDownLatch returned = new CountDownLatch(1);

        /** Of each task that opens: 1 if the call that got stuck had not returned yet. */
        final List<Long> opened = new CopyOnWriteArrayList<>();

        /** Heeds no interrupt. */
        void getStuck() {
            stuck.countDown();
            boolean back = false;
            while (!back) {
                try {
                    mayReturn.await();
                    back = true;
                } catch (InterruptedException e) {
                    // its thread is to end, and does not
                }
            }
            returned.countDown();
        }
    }

    /** In the first attempt, one task gets stuck, and then the other fails. */
    private static final class Stuck implements Operator<Long, Long> {
        private boolean first;

        @Override
        public void open(OperatorContext context) {
            calls.opened.add(calls.returned.getCount());
            first = calls.opened.size() <= 2;
        }

        @Override
        public void process(Long number, Output<Long> output) throws InterruptedException {
            if (first && number == 0) {
                calls.getStuck();
            } else if (first) {
                calls.stuck.await();
                throw new IllegalStateException("failed on purpose");
            }
            output.emit(number);
        }
    }

    /** What it still writes would come among what the next attempt writes. */
    @Test
    void shouldNotBeginAgain_whileACallOfTheLastAttemptHasNotComeBack() throws Exception {
        calls = new Calls();
        TestSource<Long> source = TestSource.of(Long.class).add(0L, 1L).end();
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("stuck");
        topology.from(source)
                .parallelism(1)
                .shuffle()
                .process(Stuck::new)
                .as(Long.class)
                .parallelism(2)
                .to(sink);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder))
                .withRestart(Restart.fixed(1, Duration.ZERO))
                .withWarnings(line -> {
                    if (line.endsWith("; the job continues when it has")) {
                        calls.mayReturn.countDown();
                    }
                });
        try {
            StormJob job = StormRunner.local(settings, 1).start(topology.graph());
            assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        } finally {
            calls.mayReturn.countDown();
        }
        assertThat(calls.opened).containsExactly(1L, 1L, 0L, 0L);
        assertThat(sink.records()).contains(0L, 1L);
    }

    private static Map<String, Long> lastRows(CollectSink<Row> sink) {
        Map<String, Long> rows = new LinkedHashMap<>();
        sink.records().forEach(row -> rows.put(row.key() + " " + row.start(), row.count()));
        return rows;
    }

    private static Map<String, Long> expected(int events) {
        Map<String, Long> rows = new LinkedHashMap<>();
        events(0, events).forEach(event -> rows.merge(event.key() + " " + event.time() / 10 * 10, 1L, Long::sum));
        return rows;
    }

    @Test
    void shouldRefuseWhatStormCannotGive() {
        Topology topology = windows(TestSource.of(Event.class), CollectSink.of(Row.class));
        RunSettings exactly =
                RunSettings.defaults().withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder));
        assertThatThrownBy(() -> StormRunner.local(exactly, 1).start(topology.graph()))
                .hasMessageContaining("Storm cannot give exactly-once")
                .hasMessageContaining("at-least-once");
        assertThatThrownBy(() -> StormRunner.local(RunSettings.defaults().withTries(3), 1)
                        .start(topology.graph()))
                .hasMessageContaining("--tries");
    }

    @Test
    void shouldTellAFailureInOneLine() {
        Topology topology = Topology.named("fails");
        topology.from(Sources.generate(100, n -> n))
                .shuffle()
                .map(n -> 1 / (n - 50))
                .name("divide")
                .to(CollectSink.of(Long.class));
        assertThatThrownBy(() -> StormRunner.local(RunSettings.defaults().withParallelism(2), 1)
                        .start(topology.graph())
                        .await())
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("topology 'fails', operator 'divide', task 'divide+sink[")
                .hasMessageEndingWith("java.lang.ArithmeticException: / by zero")
                .hasMessageNotContaining("\n");
    }
}
