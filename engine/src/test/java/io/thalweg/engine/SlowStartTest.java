// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is measured of an operator that takes long to open, and whose calls may take long too. */
final class SlowStartTest {
    private static final long TO_OPEN_NS = Duration.ofSeconds(5).toNanos();
    private static final long CALL_NS = Duration.ofMillis(200).toNanos();
    private static final int RECORDS = 10;

    /** Not a field of the operator, which is serialized. */
    private static final AtomicLong NOW_NS = new AtomicLong();

    private static final class Opening implements Operator<Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void open(OperatorContext context) {
            NOW_NS.addAndGet(TO_OPEN_NS);
        }

        @Override
        public void process(Long value, Output<Long> output) {
            NOW_NS.addAndGet(CALL_NS);
        }
    }

    @Test
    void shouldBeNoSlowCallAndNoWork() {
        Topology topology = Topology.named("Opening");
        topology.from(Sources.generate(RECORDS, i -> i))
                .shuffle()
                .process(Opening::new)
                .name("opening")
                .to(Sinks.discard());

        Job job = new EmbeddedRunner(
                        RunSettings.defaults().withParallelism(1).withThreads(0).withClock(NOW_NS::incrementAndGet))
                .start(topology.graph());
        while (job.step()) {
            NOW_NS.incrementAndGet();
        }

        TaskStats task = job.stats().tasks().stream()
                .filter(each -> each.operators().contains("opening"))
                .findFirst()
                .orElseThrow();
        assertThat(task.waitingNs()).isGreaterThanOrEqualTo(TO_OPEN_NS);
        assertThat(task.busyNs()).isBetween(RECORDS * CALL_NS, TO_OPEN_NS);
        assertThat(task.longestCallNs()).isBetween(CALL_NS, TO_OPEN_NS);
        assertThat(task.slowCalls()).isPositive().isLessThanOrEqualTo(RECORDS);
    }
}
