// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.LatencyStats;
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
}
