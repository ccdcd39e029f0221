// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Generator;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows and watermarks on Flink where a checkpoint is restored, or a record is bad. */
final class FlinkWindowsTest {
    /** So many that a job that reads some each second does not end for minutes. */
    private static final long RECORDS = 10_000;

    private static final Duration TEN = Duration.ofSeconds(10);
    private static final Duration FIVE = Duration.ofSeconds(5);
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    private static CollectSink<WindowResult<Long, Long>> sink() {
        return CollectSink.of(
                Type.<WindowResult<Long, Long>>of(WindowResult.class, Type.of(Long.class), Type.of(Long.class)));
    }

    /** Counts the times by minute. */
    private static TopologyGraph counts(
            Generator<Long> times,
            CollectSink<WindowResult<Long, Long>> tumbling,
            CollectSink<WindowResult<Long, Long>> sliding) {
        Topology topology = Topology.named("counts");
        var byMinute = topology.from(times)
                .name("times")
                .eventTime(time -> time, Duration.ZERO)
                .keyBy(time -> time / 60_000);
        byMinute.window(Windows.tumbling(TEN))
                .allowedLateness(Duration.ofHours(1))
                .aggregate(Aggregates.count())
                .name("tumbling")
                .to(tumbling)
                .name("to-tumbling");
        byMinute.window(Windows.sliding(TEN, FIVE))
                .allowedLateness(Duration.ofHours(1))
                .aggregate(Aggregates.count())
                .name("sliding")
                .to(sliding)
                .name("to-sliding");
        return topology.graph();
    }

    /** The first record after the restore comes before the first watermark, and no other changes its windows. */
    @Test
    void shouldEmitAWindowAgain_thatHadFiredBeforeTheRestore() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        RunSettings settings = RunSettings.defaults().withParallelism(1);
        CollectSink<WindowResult<Long, Long>> first = sink();
        CollectSink<WindowResult<Long, Long>> firstSliding = sink();
        FlinkRunningJob stopped = FLINK.runner(settings.withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints))
                .start(counts(
                        Sources.generate(RECORDS, i -> i == 0 ? 7_000L : 100_000L)
                                .rate(20),
                        first,
                        firstSliding));
        while (first.records().isEmpty() || firstSliding.records().size() < 2) {
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        long read = stopped.await().recordsIn();
        assertThat(read).isLessThan(RECORDS);

        CollectSink<WindowResult<Long, Long>> tumbling = sink();
        CollectSink<WindowResult<Long, Long>> sliding = sink();
        FLINK.runner(settings.withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest()))
                .start(counts(Sources.generate(RECORDS, i -> i == read ? 7_000L : 100_000L), tumbling, sliding))
                .await();

        assertThat(ofMinute(0, tumbling))
                .containsExactly(new WindowResult<>(0L, 0, 10_000, 1L), new WindowResult<>(0L, 0, 10_000, 2L));
        assertThat(ofMinute(0, sliding))
                .containsExactlyInAnyOrder(
                        new WindowResult<>(0L, 0, 10_000, 1L),
                        new WindowResult<>(0L, 5_000, 15_000, 1L),
                        new WindowResult<>(0L, 0, 10_000, 2L),
                        new WindowResult<>(0L, 5_000, 15_000, 2L));
        assertThat(ofMinute(1, tumbling)).containsExactly(new WindowResult<>(1L, 100_000, 110_000, RECORDS - 2));
    }

    /** Tells the watermark at each record. */
    private static final class Watermarks implements Operator<Long, String> {
        private @Nullable OperatorContext context;

        @Override
        public void open(OperatorContext opened) {
            context = opened;
        }

        @Override
        public void process(Long time, Output<String> output) {
            output.emit(time + " at " + Objects.requireNonNull(context).watermark());
        }
    }

    /** The same, by key. */
    private static final class KeyedWatermarks implements KeyedOperator<Long, Long, String> {
        private @Nullable KeyedContext context;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
        }

        @Override
        public void process(Long key, Long time, Output<String> output) {
            output.emit(time + " at " + Objects.requireNonNull(context).watermark());
        }
    }

    private static TopologyGraph watermarks(
            Generator<Long> times, CollectSink<String> plain, CollectSink<String> keyed) {
        Topology topology = Topology.named("watermarks");
        var timed = topology.from(times).name("times").eventTime(time -> time, Duration.ZERO);
        timed.keyBy(time -> time / 60_000)
                .process(KeyedWatermarks::new)
                .name("keyed")
                .as(String.class)
                .to(keyed)
                .name("to-keyed");
        timed.process(Watermarks::new).name("plain").as(String.class).to(plain).name("to-plain");
        return topology.graph();
    }

    /** The first record after the restore comes before the first watermark. */
    @Test
    void shouldTellTheWatermarkOfTheCheckpointAfterTheRestore() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        RunSettings settings = RunSettings.defaults().withParallelism(1);
        CollectSink<String> firstPlain = CollectSink.of(String.class);
        CollectSink<String> firstKeyed = CollectSink.of(String.class);
        FlinkRunningJob stopped = FLINK.runner(settings.withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints))
                .start(watermarks(Sources.generate(RECORDS, i -> 100_000L).rate(20), firstPlain, firstKeyed));
        String reached = "100000 at 99999";
        while (!firstPlain.records().contains(reached) || !firstKeyed.records().contains(reached)) {
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        long read = stopped.await().recordsIn();

        CollectSink<String> plain = CollectSink.of(String.class);
        CollectSink<String> keyed = CollectSink.of(String.class);
        FLINK.runner(settings.withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest()))
                .start(watermarks(Sources.generate(RECORDS, i -> i == read ? 7_000L : 100_000L), plain, keyed))
                .await();

        assertThat(plain.records()).contains("7000 at 99999");
        assertThat(keyed.records()).contains("7000 at 99999");
    }

    private static List<WindowResult<Long, Long>> ofMinute(long minute, CollectSink<WindowResult<Long, Long>> sink) {
        return sink.records().stream().filter(result -> result.key() == minute).toList();
    }

    @Test
    void shouldCountABadRecordOnce_howeverManyWindowsItIsIn() throws Exception {
        Topology topology = Topology.named("bad");
        topology.from(Sources.of(20_000L, 21_000L, 22_000L))
                .eventTime(time -> time, Duration.ZERO)
                .keyBy(time -> 1L)
                .window(Windows.sliding(TEN, Duration.ofSeconds(1)))
                .aggregate(Aggregates.sum(FlinkWindowsTest::number))
                .to(Sinks.discard());
        List<String> bad = new ArrayList<>();
        RunSettings settings = RunSettings.defaults()
                .withBadRecords((name, operator, record) -> bad.add(operator + ": " + record.reason()));

        JobStats end = FLINK.runner(settings).start(topology.graph()).await();

        assertThat(end.recordsBad()).isEqualTo(1);
        assertThat(bad).containsExactly("window: it is odd");
    }

    private static long number(long time) {
        if (time == 21_000) {
            throw new BadRecordException("it is odd", Long.toString(time));
        }
        return time;
    }
}
