// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of jobs that are killed, drained and restored, or whose records are acked. */
@Timeout(600)
final class LimitTest {
    private static final int LIMIT = 11;

    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();

    private static RunSettings stepped(int parallelism) {
        return RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(0)
                .withSteps(1, 2, 1);
    }

    private RunSettings exactlyOnce(int parallelism, String directory) {
        return stepped(parallelism)
                .withWarnings(warnings::add)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(folder.resolve(directory)).restoringLatest());
    }

    private static Topology limited(CollectSink<Long> to, long limit) {
        Topology topology = Topology.named("limited");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n).splitInto(3))
                .name("numbers")
                .limit(limit)
                .name("limit")
                .shuffle()
                .map(n -> n)
                .to(to)
                .name("sink");
        return topology;
    }

    private static void toTheEnd(Job job) {
        while (job.step()) {
            // until it has ended
        }
    }

    /** Asks for a checkpoint at every so many steps; false if the job has ended before. */
    private static boolean killedAt(int step, int every, Job job) {
        for (int i = 0; i < step; i++) {
            if (i % every == 0) {
                job.checkpoint();
            }
            if (!job.step()) {
                return false;
            }
        }
        job.kill();
        toTheEnd(job);
        return true;
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 3, 2", "3, 1, 1", "3, 2, 5", "2, 3, 7"})
    void shouldLetSoManyPass_whereverTheJobIsKilled(int parallelism, int again, int every) throws Exception {
        boolean killed = true;
        for (int at = 1; killed; at++) {
            String directory = "killed-" + at;
            CollectSink<Long> first = CollectSink.of(Long.class);
            killed = killedAt(
                    at,
                    every,
                    new EmbeddedRunner(exactlyOnce(parallelism, directory))
                            .start(limited(first, LIMIT).graph()));
            CollectSink<Long> collected = CollectSink.of(Long.class);
            Job restored = new EmbeddedRunner(exactlyOnce(killed ? again : parallelism, directory))
                    .start(limited(collected, LIMIT).graph());
            toTheEnd(restored);

            assertThat(restored.await().state()).isEqualTo(JobState.FINISHED);
            assertThat(collected.records())
                    .as("killed at step %d", at)
                    .hasSize(LIMIT)
                    .doesNotHaveDuplicates();
        }
    }

    /** What was written since the checkpoint is written again, so that there are rather too many. */
    @Test
    void shouldMissNone_whereRecordsMayRepeat() throws Exception {
        boolean killed = true;
        for (int at = 1; killed; at++) {
            RunSettings settings = stepped(3)
                    .withGuarantee(
                            Guarantee.AT_LEAST_ONCE,
                            CheckpointSettings.in(folder.resolve("killed-" + at))
                                    .restoringLatest());
            CollectSink<Long> before = CollectSink.of(Long.class);
            killed = killedAt(
                    at,
                    3,
                    new EmbeddedRunner(settings).start(limited(before, LIMIT).graph()));
            CollectSink<Long> after = CollectSink.of(Long.class);
            Job restored =
                    new EmbeddedRunner(settings).start(limited(after, LIMIT).graph());
            toTheEnd(restored);

            assertThat(restored.await().state()).isEqualTo(JobState.FINISHED);
            assertThat(before.records().size() + after.records().size())
                    .as("killed at step %d", at)
                    .isGreaterThanOrEqualTo(LIMIT);
        }
    }

    @Test
    void shouldReadNothingMore_whereAJobThatEndedIsRestored() throws Exception {
        for (int run = 0; run < 2; run++) {
            CollectSink<Long> collected = CollectSink.of(Long.class);
            Job job = new EmbeddedRunner(exactlyOnce(2, "ended"))
                    .start(limited(collected, LIMIT).graph());
            toTheEnd(job);
            assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
            assertThat(collected.records()).hasSize(LIMIT);
        }
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains(
                        "is the end of a job that was drained or had reached a limit: nothing more is read of numbers");
    }

    @Test
    void shouldRefuseAnotherLimit() throws Exception {
        Job job = new EmbeddedRunner(exactlyOnce(2, "other"))
                .start(limited(CollectSink.of(Long.class), LIMIT).graph());
        for (int step = 0; step < 10; step++) {
            job.checkpoint();
            job.step();
        }
        job.cancel();
        toTheEnd(job);

        assertThatThrownBy(() -> {
                    Job restored = new EmbeddedRunner(exactlyOnce(2, "other"))
                            .start(limited(CollectSink.of(Long.class), LIMIT + 1)
                                    .graph());
                    toTheEnd(restored);
                    restored.await();
                })
                .isInstanceOfAny(JobFailedException.class, io.thalweg.api.connector.ConnectorException.class)
                .hasMessageContaining("'limit'")
                .hasMessageContaining("'limit 11'")
                .hasMessageContaining("'limit 12'");
    }

    /** Records that are not taken are acked, and those that are retried are not dropped for that. */
    @ParameterizedTest
    @CsvSource({"1, 0", "3, 0", "2, 2"})
    void shouldAckWhatItDoesNotTake(int parallelism, int threads) throws Exception {
        CollectSink<Long> collected = CollectSink.of(Long.class);
        RunSettings settings = stepped(parallelism)
                .withThreads(threads)
                .withAcks(AckSettings.defaults(), CheckpointSettings.in(folder));
        Job job = new EmbeddedRunner(settings).start(limited(collected, LIMIT).graph());
        if (threads == 0) {
            toTheEnd(job);
        }
        JobStats stats = job.await();

        assertThat(stats.state()).isEqualTo(JobState.FINISHED);
        assertThat(stats.acks().failed()).isZero();
        assertThat(stats.acks().acked()).isEqualTo(stats.recordsIn());
        assertThat(collected.records()).hasSize(LIMIT).doesNotHaveDuplicates();
    }

    @Test
    void shouldBeRefused_whereAcksAloneWouldForgetTheCount() {
        RunSettings settings = stepped(1).withAcks(AckSettings.defaults(), null);
        assertThatThrownBy(() -> new EmbeddedRunner(settings)
                        .start(limited(CollectSink.of(Long.class), LIMIT).graph()))
                .hasMessageContaining("operator 'limit'")
                .hasMessageContaining("give the job a directory for checkpoints");
    }

    /** Windows before the limit that were open when it was reached are gone, and nothing waits for them. */
    @Test
    void shouldEndAtTheSameWindows_whereverTheJobIsKilled() throws Exception {
        List<WindowResult<Long, Long>> expected = null;
        boolean killed = true;
        for (int at = 1; killed; at += 3) {
            String directory = "windows-" + at;
            killed = killedAt(at, 4, windows(directory, windowSink()));
            CollectSink<WindowResult<Long, Long>> collected = windowSink();
            Job restored = windows(directory, collected);
            toTheEnd(restored);
            assertThat(restored.await().state()).isEqualTo(JobState.FINISHED);
            expected = expected == null ? collected.records() : expected;
            assertThat(collected.records())
                    .as("killed at step %d", at)
                    .hasSize(5)
                    .containsExactlyElementsOf(expected);
        }
    }

    private static CollectSink<WindowResult<Long, Long>> windowSink() {
        return CollectSink.of(Type.of(WindowResult.class, Type.of(Long.class), Type.of(Long.class)));
    }

    private Job windows(String directory, CollectSink<WindowResult<Long, Long>> to) {
        Topology topology = Topology.named("windows");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n))
                .eventTime(n -> n, Duration.ZERO)
                .keyBy(n -> 0L)
                .window(Windows.tumbling(Duration.ofMillis(4)))
                .aggregate(Aggregates.count())
                .limit(5)
                .to(to);
        return new EmbeddedRunner(exactlyOnce(1, directory)).start(topology.graph());
    }

    @Test
    void shouldBeMarkedAsNotDeterministic() {
        Topology topology = Topology.named("marked");
        topology.from(Sources.generate(10, n -> n)).limit(5).to(Sinks.discard());
        assertThat(new EmbeddedRunner(stepped(2)).explain(topology.graph()))
                .containsPattern("limit +limit 5, of those that come first \\(not deterministic\\)");
    }
}
