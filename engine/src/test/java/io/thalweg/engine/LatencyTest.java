// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LatencyTest {
    private static final long START_NS = Duration.ofDays(1).toNanos();

    private final AtomicLong nowNs = new AtomicLong(START_NS);

    @Test
    void shouldNotTakeTheAgeOfTheMachineForTheAgeOfARecord() {
        Topology topology = Topology.named("Windows");
        topology.from(Sources.generate(100, i -> i))
                .eventTime(i -> i, Duration.ZERO)
                .keyBy(i -> i % 10)
                .window(Windows.tumbling(Duration.ofMillis(40)))
                .aggregate(Aggregates.count())
                .shuffle()
                .to(Sinks.discard());

        Job job = new EmbeddedRunner(
                        RunSettings.defaults().withParallelism(4).withThreads(0).withClock(nowNs::incrementAndGet))
                .start(topology.graph());
        while (job.step()) {
            nowNs.incrementAndGet();
        }

        LatencyStats latency = job.stats().latency();
        assertThat(latency.samples()).isPositive();
        assertThat(latency.maxUs()).isLessThanOrEqualTo((nowNs.get() - START_NS) / 1e3);
    }

    private static TaskStats task(Job job, String head) {
        return job.stats().tasks().stream()
                .filter(task -> task.operators().get(0).equals(head))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldCountHowLongRecordsWereDueBeforeTheyWereRead() {
        Topology topology = Topology.named("Paced");
        topology.from(Sources.generate(6, i -> i).rate(1_000))
                .name("numbers")
                .map(i -> i)
                .name("work")
                .isolate()
                .to(Sinks.discard());
        Job job = new EmbeddedRunner(
                        RunSettings.defaults().withParallelism(1).withThreads(0).withClock(nowNs::get))
                .start(topology.graph());
        stepUntilQuiet(job);
        assertThat(task(job, "numbers").recordsIn()).isEqualTo(1);
        assertThat(task(job, "numbers").overdueUs()).isZero();

        nowNs.addAndGet(3_500_000); // the next three are due 1, 2 and 3 ms after the first
        stepUntilQuiet(job);

        assertThat(task(job, "numbers").recordsIn()).isEqualTo(4);
        assertThat(task(job, "numbers").overdueUs()).isEqualTo(2_500 + 1_500 + 500);
        assertThat(task(job, "numbers").batchesIn()).isEqualTo(4);
        assertThat(task(job, "work").overdueUs()).isZero();
    }

    private static void stepUntilQuiet(Job job) {
        boolean worked = true;
        while (worked) {
            job.step();
            worked = job.lastStepWorked();
        }
    }

    @Test
    void shouldCountReadsAndBatches() {
        Topology topology = Topology.named("Batches");
        topology.from(Sources.generate(1_000, i -> i))
                .name("numbers")
                .map(i -> i)
                .name("work")
                .isolate()
                .to(Sinks.discard());
        Job job = new EmbeddedRunner(RunSettings.defaults()
                        .withParallelism(1)
                        .withThreads(0)
                        .withClock(nowNs::get)
                        .withSteps(50, 128, 10))
                .start(topology.graph());
        boolean running = true;
        while (running) {
            running = job.step();
        }

        assertThat(task(job, "numbers").batchesIn()).as("reads of 50").isEqualTo(20);
        assertThat(task(job, "work").recordsIn()).isEqualTo(1_000);
        assertThat(task(job, "work").batchesIn()).as("batches of 10").isEqualTo(100);
        assertThat(task(job, "numbers").overdueUs()).as("no rate").isZero();
    }
}
