// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.AlignmentRulesContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Aligned splits on the embedded engine: of one task, of several, stepped, and after a restart. */
final class EmbeddedAlignmentRulesTest {
    private static final Queue<Object> SEEN = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path folder;

    private long nowNs = 1;

    private static RunSettings settings(int parallelism) {
        return RunSettings.defaults().withParallelism(parallelism).withThreads(2);
    }

    @Nested
    final class OneTask extends AlignmentRulesContract {
        @Override
        protected Runner runner() {
            return new EmbeddedRunner(settings(1));
        }
    }

    @Nested
    final class ThreeTasks extends AlignmentRulesContract {
        @Override
        protected Runner runner() {
            return new EmbeddedRunner(settings(3));
        }
    }

    private static Topology topology(TestSource<Long> source) {
        Topology topology = Topology.named("aligned");
        topology.from(source)
                .name("numbers")
                .eventTime(time -> time, Duration.ZERO)
                .alignedWithin(Duration.ofMillis(2))
                .name("timed")
                .to(Sinks.each(SEEN::add))
                .name("all");
        return topology;
    }

    private static TestSource<Long> twoSplits() {
        SEEN.clear();
        return TestSource.of(Type.of(Long.class), 2)
                .addTo(0, LongStream.range(0, 100).boxed().toList())
                .addTo(1, List.of(0L));
    }

    private Job stepped(TestSource<Long> source, int parallelism, List<String> warnings) {
        RunSettings settings = settings(parallelism)
                .withThreads(0)
                .withWarnings(warnings::add)
                .withClock(new Clock() {
                    @Override
                    public long nowNs() {
                        return nowNs;
                    }

                    @Override
                    public long epochMs() {
                        return nowNs / 1_000_000;
                    }
                });
        return new EmbeddedRunner(settings).start(topology(source).graph());
    }

    private static void step(Job job) {
        for (int i = 0; i < 200; i++) {
            job.step();
        }
    }

    /** Nobody waits a turn, and perhaps a sleep, for each split that has nothing. */
    @Test
    void shouldFindTheSplitThatHasRecords_inOneTurn() {
        SEEN.clear();
        TestSource<Long> source = TestSource.of(Type.of(Long.class), 20);
        Topology topology = Topology.named("many splits");
        topology.from(source).to(Sinks.each(SEEN::add));
        Job job = new EmbeddedRunner(settings(1).withThreads(0)).start(topology.graph());
        step(job);
        for (int split = 0; split < 20; split += 3) {
            source.addTo(split, List.of((long) split));
            job.step();
            assertThat(SEEN).contains((long) split);
        }
        job.cancel();
        step(job);
    }

    /** Whoever waits without end is to know for what. */
    @Test
    void shouldNameASplitThatOthersHaveWaitedForAMinute() {
        for (int parallelism : new int[] {1, 2}) {
            List<String> warnings = new ArrayList<>();
            TestSource<Long> source = twoSplits();
            Job job = stepped(source, parallelism, warnings);
            step(job);
            assertThat(SEEN).containsExactlyInAnyOrder(0L, 0L, 1L, 2L, 3L);
            nowNs += Duration.ofSeconds(59).toNanos();
            step(job);
            assertThat(warnings).isEmpty();

            nowNs += Duration.ofSeconds(2).toNanos();
            step(job);
            assertThat(warnings).hasSize(1);
            assertThat(warnings.get(0))
                    .contains("operator 'timed': split '1' has brought nothing later than 1969-12-31T23:59:59.999Z")
                    .contains("idleAfter");

            nowNs += Duration.ofMinutes(5).toNanos();
            step(job);
            assertThat(warnings).hasSize(1);
            source.end();
            step(job);
            assertThat(SEEN).hasSize(101);
        }
    }

    /** Where splits are after a restart, and in which task, makes no difference. */
    @Test
    void shouldHoldTheSameSplits_afterARestartWithAnotherParallelism() throws Exception {
        TestSource<Long> source = twoSplits();
        Job first = checkpointed(1).start(topology(source).graph());
        while (SEEN.size() < 5) {
            assertThat(first.await(Duration.ofMillis(5))).isFalse();
        }
        first.cancel();
        first.await();
        assertThat(SEEN).containsExactlyInAnyOrder(0L, 0L, 1L, 2L, 3L);

        source.addTo(1, List.of(10L));
        Job second = checkpointed(2).start(topology(source).graph());
        while (SEEN.size() < 16) {
            assertThat(second.await(Duration.ofMillis(5))).isFalse();
        }
        second.cancel();
        second.await();

        assertThat(SEEN).hasSize(16).contains(10L, 13L).doesNotContain(14L);
    }

    private EmbeddedRunner checkpointed(int parallelism) {
        return new EmbeddedRunner(settings(parallelism)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(folder)
                                .every(Duration.ofMillis(50))
                                .restoringLatest()));
    }

    @Test
    void shouldRefuseToAlign_whereNoEventTimeIsRead() {
        Topology topology = Topology.named("timeless");
        assertThatThrownBy(() -> topology.from(twoSplits()).alignedWithin(Duration.ofMinutes(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("eventTime");
        assertThatThrownBy(() -> topology.from(twoSplits())
                        .eventTime(time -> time, Duration.ZERO)
                        .alignedWithin(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not be negative");
    }
}
