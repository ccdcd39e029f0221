// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.flink.FlinkJob;
import io.thalweg.doctor.flink.FlinkObserver;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.Span;
import io.thalweg.flink.FlinkRunner;
import io.thalweg.flink.FlinkRunningJob;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job of Thalweg on a cluster that the doctor asks, too: Flink knows nothing of late records, and the job does. */
@Timeout(900)
@Tag("integration")
final class OwnJobTest {
    @Test
    void shouldTellWhatFlinkKnowsAndWhatTheJobCounts() throws Exception {
        Topology topology = Topology.named("Rivers");
        topology.from(Sources.generate(Long.MAX_VALUE / 4, i -> i).rate(2_000))
                .eventTime(i -> i - (i % 10 == 0 ? 5_000 : 0), Duration.ofMillis(100))
                .keyBy(i -> i % 7)
                .window(Windows.tumbling(Duration.ofSeconds(1)))
                .aggregate(Aggregates.count())
                .to(Sinks.discard());
        try (NativeFlink flink = NativeFlink.start()) {
            FlinkRunningJob job = FlinkRunner.on(
                            flink.address(), RunSettings.defaults().withParallelism(1), List.of())
                    .start(topology.graph());
            CountDownLatch never = new CountDownLatch(1);
            while (job.stats().recordsIn() == 0) {
                assertThat(never.await(100, TimeUnit.MILLISECONDS)).isFalse();
            }
            FlinkObserver observer = new FlinkObserver(flink.rest(), FlinkJob.find(flink.rest(), job.id()));
            boolean running = true;
            while (running
                    && (!observer.hasSeenAnything() || job.stats().recordsLate() == 0 || records(observer) == 0)) {
                running = !never.await(1, TimeUnit.SECONDS) && observer.look();
            }
            long late = job.stats().recordsLate();

            Observation seen = observer.observation(3, late);
            job.cancel();

            assertThat(running).isTrue();
            assertThat(seen.plan().runner()).startsWith("Flink 2.");
            assertThat(seen.spans().stream().mapToLong(Span::recordsLate).sum()).isEqualTo(late);
            assertThat(seen.spans().stream().mapToLong(Span::recordsBad).sum()).isEqualTo(3);
            assertThat(Doctor.diagnose(seen).findings()).anySatisfy(finding -> {
                assertThat(finding.rule()).isEqualTo("late-records");
                assertThat(finding.operator()).isNull();
            });
        }
    }

    private static long records(FlinkObserver observer) throws Exception {
        return observer.observation().spans().stream()
                .mapToLong(Span::recordsIn)
                .sum();
    }
}
