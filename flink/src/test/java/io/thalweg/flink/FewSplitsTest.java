// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.LiveTestSource;
import io.thalweg.testkit.TestSource;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A source with fewer splits than tasks: those without one end at once. */
@Timeout(900)
final class FewSplitsTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    private static final class Same implements Operator<Long, Long> {
        @Override
        public void process(Long value, Output<Long> out) {
            out.emit(value);
        }
    }

    /** Flink takes no checkpoint of an operator that has ended in some tasks, if it has a union list. */
    @Test
    void shouldTakeCheckpoints_whileAnOperatorHasEndedInOtherTasks() throws Exception {
        TestSource<Long> source = TestSource.of(Long.class);
        source.add(1L);
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("few");
        topology.from(source).process(Same::new).as(Long.class).to(sink);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(50)));
        FlinkRunningJob job = FLINK.runner(settings).start(topology.graph());

        while (job.lastCheckpoint() == null) {
            assertThat(job.await(Duration.ofMillis(50))).isFalse();
        }

        source.end();
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(sink.records()).containsExactly(1L);
    }

    /** The task without splits has ended, and its sink waits to commit together with the other. */
    @Test
    void shouldStopAJobWithoutCheckpoints_whileASinkHasEndedInOtherTasks() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class).add("a", 1L);
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("few");
        topology.from(source).to(sink);
        FlinkRunningJob job =
                FLINK.runner(RunSettings.defaults().withParallelism(2)).start(topology.graph());
        while (sink.records().isEmpty()) {
            assertThat(job.await(Duration.ofMillis(50))).isFalse();
        }

        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }
}
