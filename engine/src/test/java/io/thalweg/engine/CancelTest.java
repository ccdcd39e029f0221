// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Generator;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cancelled job ends: sources stop, what is in flight goes through, open windows are counted and not emitted. */
final class CancelTest {
    private static final long WITHOUT_END = Long.MAX_VALUE;

    private static JobStats cancelled(Topology topology, int threads, int stepsBefore) throws Exception {
        RunSettings settings =
                RunSettings.defaults().withParallelism(2).withThreads(threads).withSteps(1, 2, 1);
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        for (int step = 0; threads == 0 && step < stepsBefore; step++) {
            job.step();
        }
        job.cancel();
        for (int step = 0; threads == 0 && step < 10_000 && job.step(); step++) {
            // on to the end
        }
        assertThat(job.await(Duration.ofMinutes(5))).as("the job has ended").isTrue();
        return job.await();
    }

    private static Generator<Long> numbers(long count) {
        return Sources.generate(count, n -> n);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldStopASourceWithoutEnd(int threads) throws Exception {
        Topology topology = Topology.named("endless");
        topology.from(numbers(WITHOUT_END).splitInto(3)).shuffle().map(n -> n).to(Sinks.discard());

        JobStats stats = cancelled(topology, threads, 500);

        assertThat(stats.state()).isEqualTo(JobState.CANCELLED);
        assertThat(stats.recordsOut()).as("what was read was written").isEqualTo(stats.recordsIn());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldStopASourceThatWaitsForItsNextRecord(int threads) throws Exception {
        Topology topology = Topology.named("paced");
        topology.from(numbers(WITHOUT_END).rate(0.001)).to(Sinks.discard());

        assertThat(cancelled(topology, threads, 10).recordsIn()).isLessThan(2);
    }

    @Test
    void shouldStopBeforeTheFirstRecord() throws Exception {
        Topology topology = Topology.named("early");
        topology.from(numbers(5)).shuffle().map(n -> n).to(Sinks.discard());

        assertThat(cancelled(topology, 0, 0).recordsOut()).isZero();
    }

    @Test
    void shouldCountOpenWindowsAndNotEmitThem() throws Exception {
        Topology topology = Topology.named("windows");
        topology.from(numbers(WITHOUT_END))
                .eventTime(n -> n, Duration.ZERO)
                .keyBy(n -> n % 5)
                .window(Windows.tumbling(Duration.ofDays(1)))
                .aggregate(Aggregates.count())
                .to(Sinks.discard());

        JobStats stats = cancelled(topology, 0, 200);

        assertThat(stats.recordsOut()).isZero();
        assertThat(stats.windowsOpen()).isEqualTo(5);
    }

    @Test
    void shouldCountTheKeysWhoseWindowsOfSoManyRecordsAreNotFull() throws Exception {
        Topology topology = Topology.named("counting");
        topology.from(numbers(WITHOUT_END))
                .keyBy(n -> n % 5)
                .window(Windows.count(WITHOUT_END))
                .aggregate(Aggregates.count())
                .to(Sinks.discard());

        JobStats stats = cancelled(topology, 0, 200);

        assertThat(stats.recordsOut()).isZero();
        assertThat(stats.windowsOpen()).isEqualTo(5);
    }

    /** Of two inputs one is stopped sooner: what it did not bring is missing from no window that comes out. */
    @Test
    void shouldEmitNoWindowThatLacksWhatAStoppedInputDidNotBring() throws Exception {
        for (int run = 0; run < 30; run++) {
            List<Long> counts = new CopyOnWriteArrayList<>();
            Topology topology = Topology.named("stopped");
            topology.from(numbers(WITHOUT_END).splitInto(2))
                    .eventTime(n -> n, Duration.ofMillis(10))
                    .keyBy(n -> 0)
                    .window(Windows.tumbling(Duration.ofSeconds(1)))
                    .aggregate(Aggregates.count())
                    .to(Sinks.each(result -> counts.add(result.value())));
            Job job = new EmbeddedRunner(
                            RunSettings.defaults().withParallelism(2).withThreads(4))
                    .start(topology.graph());
            while (counts.size() < 10) {
                Thread.onSpinWait();
            }
            job.cancel();
            job.await();
            assertThat(counts).as("run %d", run).containsOnly(1_000L);
        }
    }

    /** Wherever it is cancelled, also while a window emits, each result comes out once at most. */
    @Test
    void shouldEndAtAnyMoment() throws Exception {
        for (int steps = 0; steps < 150; steps++) {
            Topology topology = Topology.named("moment");
            topology.from(numbers(100).splitInto(2))
                    .eventTime(n -> n, Duration.ZERO)
                    .keyBy(n -> n % 10)
                    .window(Windows.tumbling(Duration.ofMillis(25)))
                    .aggregate(Aggregates.count())
                    .shuffle()
                    .flatMap(result -> java.util.List.of(1L, 2L, 3L))
                    .as(Long.class)
                    .shuffle()
                    .to(Sinks.discard());

            JobStats stats = cancelled(topology, 0, steps);

            assertThat(stats.state()).as("after %d steps", steps).isIn(JobState.CANCELLED, JobState.FINISHED);
            assertThat(stats.recordsOut()).as("after %d steps", steps).isBetween(0L, 120L);
            assertThat(stats.recordsOut() % 3).as("after %d steps", steps).isZero();
        }
    }
}
