// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator that does not give its thread back while Flink takes a checkpoint. */
@Timeout(900)
@Tag("integration")
final class CheckpointTimeoutTest {
    /** On the class, because operators are copies. */
    private static final CountDownLatch OPEN = new CountDownLatch(1);

    @TempDir
    private Path folder;

    @Test
    void shouldNameTheOperatorThatHoldsACheckpointUp() throws Exception {
        BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
        Topology topology = Topology.named("stuck");
        topology.from(Sources.generate(2_000, n -> n))
                .name("numbers")
                .shuffle()
                .peek(n -> {
                    if (n == 0) { // before a checkpoint could be late for another reason
                        OPEN.await();
                    }
                })
                .name("blocks")
                .to(Sinks.discard())
                .name("sink");
        RunSettings settings = RunSettings.defaults()
                .withParallelism(1)
                .withGuarantee(
                        Guarantee.AT_LEAST_ONCE,
                        CheckpointSettings.in(folder)
                                .every(Duration.ofMillis(50))
                                .withTimeout(Duration.ofSeconds(3)))
                .withWarnings(warnings::add);
        try (LocalFlink flink = LocalFlink.start()) {
            FlinkRunningJob job = flink.runner(settings).start(topology.graph());
            String warning = warnings.take();
            while (!warning.contains(": checkpoint ")) { // on a busy machine Flink may be slow to answer, which is told
                warning = warnings.take();
            }
            OPEN.countDown();

            assertThat(warning)
                    .startsWith("topology 'stuck': checkpoint ")
                    .contains("Checkpoint expired before completing; it waited for operator '")
                    .contains("blocks")
                    .contains("0 of 1 tasks had saved their state");
            assertThatExceptionOfType(JobFailedException.class)
                    .isThrownBy(job::await)
                    .withMessageContaining("topology 'stuck'");
        }
    }
}
