// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that go on from a checkpoint: with more tasks and with fewer, with less state, and those that must not. */
@Timeout(600)
final class RestoreTest {
    @TempDir
    Path folder;

    private final CollectSink<WindowResult<Long, Long>> sums = KeyedSums.sink();

    private RunSettings settings(int parallelism, int threads) {
        return RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(threads)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).restoringLatest());
    }

    /** Stopped twice on the way, and each time started with another number of tasks. */
    @ParameterizedTest
    @ValueSource(strings = {"1 2 4", "4 2 1", "2 3 1", "3 1 4"})
    void shouldComeToTheSame_withMoreTasksOrFewer(String parallelisms) throws Exception {
        String[] each = parallelisms.split(" ");
        long read = 0;
        for (int run = 0; run < each.length; run++) {
            boolean last = run == each.length - 1;
            CollectSink<WindowResult<Long, Long>> to = last ? sums : KeyedSums.sink();
            Job job = new EmbeddedRunner(
                            settings(Integer.parseInt(each[run]), 0).withSteps(50, 2, 16))
                    .start(KeyedSums.to(to).graph());
            for (int step = 0; !last && step < 120 * KeyedSums.KEYS / 10_000; step++) {
                job.step();
            }
            if (!last) {
                job.cancel();
            }
            while (job.step()) {
                // to the end
            }
            assertThat(job.await().state()).isEqualTo(last ? JobState.FINISHED : JobState.CANCELLED);
            read += job.await().recordsIn();
        }
        assertThat(read).as("records read more than once or never").isEqualTo(KeyedSums.RECORDS);
        assertThat(KeyedSums.found(sums)).isEqualTo(KeyedSums.expected());
    }

    /** On threads, with checkpoints all the time, and killed. */
    @Test
    void shouldComeToTheSame_onThreads() throws Exception {
        RunSettings settings = settings(2, 2)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(folder)
                                .every(Duration.ofMillis(1))
                                .restoringLatest());
        for (int kill = 0; kill < 5; kill++) {
            Job job = new EmbeddedRunner(settings)
                    .start(KeyedSums.to(KeyedSums.sink()).graph());
            job.await(Duration.ofMillis(20L + 10L * kill));
            job.kill();
            assertThat(job.await(Duration.ofMinutes(5))).as("it has ended").isTrue();
        }
        new EmbeddedRunner(settings).start(KeyedSums.to(sums).graph()).await();
        assertThat(KeyedSums.found(sums)).isEqualTo(KeyedSums.expected());
    }

    @Test
    void shouldMissNothing_whereRecordsMayRepeat() throws Exception {
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withThreads(0)
                .withSteps(3, 2, 2)
                .withGuarantee(
                        Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder).restoringLatest());
        List<Long> all = new ArrayList<>();
        for (int run = 0; run < 4; run++) {
            CollectSink<Long> sink = CollectSink.of(Long.class);
            Topology topology = Topology.named("numbers");
            topology.from(Sources.generate(1_000, n -> n).splitInto(3))
                    .shuffle()
                    .map(n -> n)
                    .shuffle()
                    .map(n -> n)
                    .to(sink);
            Job job = new EmbeddedRunner(settings).start(topology.graph());
            for (int step = 0; step < 40 && run < 3; step++) {
                if (step % 7 == run) {
                    job.checkpoint();
                }
                job.step();
            }
            if (run < 3) {
                job.kill();
            }
            while (job.step()) {
                // to the end
            }
            all = sink.records();
        }
        assertThat(all).containsAll(LongStream.range(0, 1_000).boxed().toList());
    }

    @Test
    void shouldBeginWithoutTheStateThatIsDiscarded() throws Exception {
        Job first = new EmbeddedRunner(settings(2, 0).withSteps(50, 2, 16))
                .start(KeyedSums.to(sums).graph());
        for (int step = 0; step < 300; step++) {
            first.step();
        }
        first.cancel();
        while (first.step()) {
            // to the end
        }
        long lost = first.stats().recordsIn();
        CollectSink<WindowResult<Long, Long>> rest = KeyedSums.sink();
        RunSettings discarding = settings(2, 0)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(folder).restoringLatest().discarding(Set.of("sums")));
        Job second = new EmbeddedRunner(discarding).start(KeyedSums.to(rest).graph());
        while (second.step()) {
            // to the end
        }
        assertThat(second.await().recordsIn()).isEqualTo(KeyedSums.RECORDS - lost);
        assertThat(KeyedSums.found(rest).values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isLessThan(LongStream.range(0, KeyedSums.RECORDS).sum());
    }

    @Test
    void shouldRefuseWhatCannotBeReadAgain() {
        Topology topology = Topology.named("once");
        topology.from(new Once()).name("in").to(Sinks.discard());
        assertThatThrownBy(() -> new EmbeddedRunner(settings(1, 0)).start(topology.graph()))
                .isInstanceOf(JobFailedException.class)
                .hasMessage(
                        "topology 'once', operator 'in': the source once cannot be read again from a position, which the"
                                + " guarantee exactly-once needs");
    }

    @Test
    void shouldRefuseADirectoryOfAnotherRun_unlessToldToGoOn() throws Exception {
        Job job = new EmbeddedRunner(settings(1, 0)).start(KeyedSums.to(sums).graph());
        while (job.step()) {
            // to the end
        }
        RunSettings afresh = settings(1, 0).withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder));
        assertThatThrownBy(() ->
                        new EmbeddedRunner(afresh).start(KeyedSums.to(sums).graph()))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("holds checkpoints of an earlier run");
    }

    /**
     * One of two splits falls silent and speaks again to one of two tasks only, so that the other one is ahead when the
     * checkpoint is taken. What it has fired is kept for late records.
     */
    @Test
    void shouldNotFireAgain_whereATaskWasAheadOfItsSibling() throws Exception {
        AtomicInteger phase = new AtomicInteger();
        AtomicLong nowNs = new AtomicLong(1);
        RunSettings settings = settings(2, 0).withClock(nowNs::get);
        Job killed = new EmbeddedRunner(settings).start(twoSplits(phase).graph());
        settle(killed);
        nowNs.addAndGet(1_000_000_000); // both are silent
        settle(killed);
        phase.set(1);
        settle(killed);
        phase.set(2);
        settle(killed);
        assertThat(killed.checkpoint()).isTrue();
        settle(killed);
        assertThat(killed.lastCheckpoint()).isNotNull();
        killed.kill();
        settle(killed);

        phase.set(4);
        Job next = new EmbeddedRunner(settings).start(twoSplits(phase).graph());
        while (next.step()) {
            // to the end
        }

        next.await();
        assertThat(sums.records().stream()
                        .filter(result -> result.start() == 1_000)
                        .map(WindowResult::key))
                .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    private static void settle(Job job) {
        for (int step = 0; step < 100; step++) {
            job.step();
        }
    }

    /** A record is its time, ten times over, and its key. */
    private Topology twoSplits(AtomicInteger phase) {
        Topology topology = Topology.named("silent");
        topology.from(new Gated(phase))
                .eventTime(n -> n / 10, Duration.ZERO, Duration.ofMillis(100))
                .keyBy(n -> n % 10)
                .window(Windows.tumbling(Duration.ofSeconds(1)))
                .allowedLateness(Duration.ofHours(1))
                .aggregate(Aggregates.sum(n -> n))
                .name("sums")
                .to(sums)
                .parallelism(1);
        return topology;
    }

    /** Lets out its records phase by phase. */
    private record Gated(AtomicInteger phase) implements Source<Long> {
        private record Let(int phase, long value) {}

        private static List<Let> script(String split) {
            List<Let> script = new ArrayList<>();
            if (split.equals("b")) {
                script.add(new Let(0, 500));
                script.add(new Let(1, 400)); // its watermark stays, and nobody but the task of its key hears of it
                return script;
            }
            for (int[] each : new int[][] {{0, 100}, {0, 1_500}, {2, 2_500}, {3, 3_500}}) {
                for (int key = 0; key < 10; key++) {
                    script.add(new Let(each[0], each[1] * 10L + key));
                }
            }
            return script;
        }

        @Override
        public String name() {
            return "gated";
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public boolean replayable() {
            return true;
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("a", "b");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            List<Let> script = script(split);
            return new SplitReader<>() {
                private int at;

                @Override
                public @Nullable Long poll() {
                    return at < script.size() && script.get(at).phase() <= phase.get()
                            ? (Long) script.get(at++).value()
                            : null;
                }

                @Override
                public boolean finished() {
                    return phase.get() == 4 && at == script.size();
                }

                @Override
                public long position() {
                    return at;
                }

                @Override
                public void seek(long position) {
                    at = (int) position;
                }
            };
        }
    }

    private record Once() implements Source<Long> {
        @Override
        public String name() {
            return "once";
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            return new SplitReader<>() {
                @Override
                public @Nullable Long poll() {
                    return null;
                }

                @Override
                public boolean finished() {
                    return true;
                }

                @Override
                public long position() {
                    return 0;
                }
            };
        }
    }
}
