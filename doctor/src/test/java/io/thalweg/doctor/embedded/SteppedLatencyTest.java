// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.LatencyBudget;
import io.thalweg.doctor.finding.LatencyPart;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A real job, by a clock that only its operator and the test move: what latencies consist of is known exactly. */
final class SteppedLatencyTest {
    private static final long MS = 1_000_000;
    private static final long EVERY_MS = 4;
    private static final long WORK_MS = 1;
    private static final long STALL_MS = 30;
    private static final int RECORDS = 1_000;

    private static double us(LatencyBudget budget, String part) {
        return budget.parts().stream()
                .filter(each -> each.part().equals(part))
                .map(LatencyPart::us)
                .mapToDouble(us -> us)
                .sum();
    }

    @Test
    void shouldExplainALatencyOfWorkAndOfStalls() {
        AtomicLong nowNs = new AtomicLong(Duration.ofDays(1).toNanos());
        Topology topology = Topology.named("Stepped");
        topology.from(Sources.generate(RECORDS, i -> i).rate(1_000.0 / EVERY_MS))
                .name("numbers")
                .map(i -> {
                    nowNs.addAndGet(i % 50 == 49 ? STALL_MS * MS : WORK_MS * MS);
                    return i;
                })
                .name("work")
                .isolate()
                .to(Sinks.discard());
        Job job = new EmbeddedRunner(
                        RunSettings.defaults().withParallelism(1).withThreads(0).withClock(nowNs::get))
                .start(topology.graph());
        JobObserver observer = new JobObserver();
        boolean running = true;
        for (int step = 0; running; step++) {
            running = job.step();
            if (!job.lastStepWorked()) {
                nowNs.addAndGet(MS);
            }
            if (running && step % 100 == 0) {
                observer.look(job.stats(), 0, null, null);
            }
        }
        observer.look(job.stats(), 0, null, null);

        LatencyBudget budget =
                Objects.requireNonNull(Doctor.diagnose(observer.observation(JobState.FINISHED, List.of(), null))
                        .latency());

        double meanWorkUs = (STALL_MS + 49.0 * WORK_MS) / 50 * 1_000;
        assertThat(us(budget, "service")).isEqualTo(meanWorkUs, within(meanWorkUs * 0.05));
        assertThat(us(budget, "source wait"))
                .as("after a stall of 30 ms, records wait until it is made up for")
                .isPositive();
        assertThat(budget.restUs()).isEqualTo(0, within(budget.measuredUs() * 0.01));
        assertThat(budget.rest()).isEqualTo("the parts explain what was measured");
    }
}
