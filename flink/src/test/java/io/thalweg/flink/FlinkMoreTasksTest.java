// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.operator.CheckpointedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.TestSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator without keys that keeps state, in a job that goes on with more tasks. */
@Timeout(900)
@Tag("integration")
final class FlinkMoreTasksTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    private final TestSource<Long> source = TestSource.of(Long.class);
    private final CollectSink<String> ends = CollectSink.of(String.class);

    /** Tells at its end what it was restored from. */
    private static final class Heir implements CheckpointedOperator<Long, String> {
        private String restored = "not restored";

        @Override
        public void process(Long value, Output<String> output) {}

        @Override
        public byte[] save() {
            return new byte[] {1};
        }

        @Override
        public void restore(List<byte[]> saved) {
            restored = "from " + saved.size();
        }

        @Override
        public void finish(Output<String> output) {
            output.emit(restored);
        }
    }

    private FlinkRunningJob start(int parallelism, boolean restored) {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        Topology topology = Topology.named("heirs");
        topology.from(source)
                .name("numbers")
                .process(Heir::new)
                .name("heir")
                .to(ends)
                .name("ends");
        return FLINK.runner(RunSettings.defaults()
                        .withParallelism(parallelism)
                        .withGuarantee(Guarantee.EXACTLY_ONCE, restored ? checkpoints.restoringLatest() : checkpoints))
                .start(topology.graph());
    }

    @Test
    void shouldRestoreEachTask_alsoOneThatGetsNothing() throws Exception {
        FlinkRunningJob job = start(1, false);
        while (job.lastCheckpoint() == null) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        job.cancel();
        job.await();
        source.end();
        start(2, true).await();

        assertThat(ends.records()).containsExactlyInAnyOrder("from 1", "from 0");
    }
}
