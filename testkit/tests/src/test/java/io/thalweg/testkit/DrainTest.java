// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs whose input never ends, and that are drained: what was read counts in full, and nothing after it is read. */
@Timeout(600)
final class DrainTest {
    private static final long KEYS = 7;
    private static final long WINDOW_MS = 100;

    @TempDir
    Path folder;

    private final CollectSink<WindowResult<Long, Long>> sums = KeyedSums.sink();
    private final List<Long> read = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private static RunSettings stepped(int parallelism) {
        return RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(0)
                .withSteps(50, 2, 16);
    }

    private RunSettings exactlyOnce(RunSettings settings) {
        return settings.withWarnings(warnings::add)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).restoringLatest());
    }

    private Topology endless(CollectSink<WindowResult<Long, Long>> to) {
        Topology topology = Topology.named("endless");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n).splitInto(3))
                .name("numbers")
                .peek(read::add)
                .eventTime(n -> n, Duration.ofDays(1))
                .keyBy(n -> n % KEYS)
                .window(Windows.tumbling(Duration.ofMillis(WINDOW_MS)))
                .aggregate(Aggregates.sum(n -> n))
                .name("sums")
                .to(to);
        return topology;
    }

    private Map<String, Long> expected() {
        Map<String, Long> expected = new TreeMap<>();
        for (long n : read) {
            expected.merge(n % KEYS + " from " + n / WINDOW_MS * WINDOW_MS, n, Long::sum);
        }
        return expected;
    }

    private static void step(Job job, int steps) {
        for (int step = 0; step < steps; step++) {
            assertThat(job.step()).isTrue();
        }
    }

    private static void toTheEnd(Job job) {
        while (job.step()) {
            // until it has ended
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "2, 37", "4, 100"})
    void shouldEmitWindowsOfAllThatWasRead(int parallelism, int steps) throws Exception {
        Job job = new EmbeddedRunner(stepped(parallelism)).start(endless(sums).graph());
        step(job, steps);
        job.drain();
        toTheEnd(job);

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(job.await().recordsIn()).isEqualTo(read.size());
        assertThat(job.await().windowsOpen()).isZero();
        assertThat(KeyedSums.found(sums)).isEqualTo(expected());
    }

    @ParameterizedTest
    @CsvSource({"1", "3"})
    void shouldSayThatNothingIsReadAfterIt_whereItIsRestored(int parallelism) throws Exception {
        Job job = new EmbeddedRunner(exactlyOnce(stepped(parallelism)))
                .start(endless(sums).graph());
        step(job, 40);
        job.checkpoint();
        step(job, 5);
        job.drain();
        toTheEnd(job);
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(KeyedSums.found(sums)).isEqualTo(expected());
        assertThat(warnings).isEmpty();
        assertThat(job.lastCheckpoint())
                .isNotNull()
                .satisfies(last -> assertThat(last.last()).isTrue());

        CollectSink<WindowResult<Long, Long>> more = KeyedSums.sink();
        int before = read.size();
        Job again = new EmbeddedRunner(exactlyOnce(stepped(parallelism)))
                .start(endless(more).graph());
        toTheEnd(again);
        assertThat(again.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(read).hasSize(before);
        assertThat(warnings)
                .singleElement()
                .asString()
                .matches("topology 'endless': .*checkpoint-\\d+ is the end of a job that"
                        + " was drained or had reached a limit: nothing more is read of numbers; to read on, restore a savepoint from before, or begin"
                        + " with an empty --checkpoint-dir");
    }

    @Test
    void shouldNotSaySoOfAJobWhoseInputEnded() throws Exception {
        for (int run = 0; run < 2; run++) {
            Job job = new EmbeddedRunner(exactlyOnce(stepped(2)))
                    .start(KeyedSums.to(KeyedSums.sink()).graph());
            toTheEnd(job);
            assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void shouldStopWhereTheJobIsCancelledAfterwards() throws Exception {
        Job job =
                new EmbeddedRunner(exactlyOnce(stepped(2))).start(endless(sums).graph());
        step(job, 30);
        job.drain();
        job.cancel();
        toTheEnd(job);
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }

    /** Records that failed are retried first, so that each is acked and in a result. */
    @Test
    void shouldWaitForRecordsThatAreRetried() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("acked");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n))
                .peek(read::add)
                .shuffle()
                .map(n -> {
                    if (n % 10 == 3 && broken.get()) {
                        throw new RecordFailedException("not yet");
                    }
                    return n;
                })
                .to(sink);
        Job job = new EmbeddedRunner(stepped(2).withAcks(AckSettings.defaults(), null)).start(topology.graph());
        step(job, 40);
        job.drain();
        step(job, 40);
        broken.set(false);
        toTheEnd(job);

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(job.await().acks().acked()).isEqualTo(job.await().recordsIn());
        assertThat(sink.records()).containsAll(read);
        assertThat(sink.records().stream().distinct().count())
                .isEqualTo(job.await().recordsIn());
    }

    @Test
    void shouldNotBeStartedAgainWhereItFailsMeanwhile() {
        AtomicInteger calls = new AtomicInteger();
        Topology topology = Topology.named("fails");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n))
                .eventTime(n -> n, Duration.ofDays(1))
                .keyBy(n -> n % KEYS)
                .window(Windows.tumbling(Duration.ofDays(1)))
                .aggregate(Aggregates.sum(n -> n))
                .peek(sum -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("the printer is on fire");
                })
                .to(io.thalweg.api.connector.Sinks.discard());
        Job job = new EmbeddedRunner(exactlyOnce(stepped(1)).withRestart(Restart.fixed(3, Duration.ZERO)))
                .start(topology.graph());
        step(job, 30);
        job.drain();
        toTheEnd(job);
        Assertions.assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("the printer is on fire");
        assertThat(calls).hasValue(1);
    }
}
