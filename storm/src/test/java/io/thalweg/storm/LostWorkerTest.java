// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.LiveTestSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.apache.storm.ProcessSimulator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Jobs of a LocalCluster whose worker somebody ends. Alone in the JVM, since that ends the workers of all jobs in it. */
@Isolated
@Timeout(900)
@Tag("integration")
final class LostWorkerTest {
    @TempDir
    private Path folder;

    private final LiveTestSource<Long> source = LiveTestSource.of(Long.class);
    private final CollectSink<Long> sink = CollectSink.of(Long.class);
    private final Topology topology = Topology.named("numbers");
    private final RunSettings settings = RunSettings.defaults().withParallelism(2);

    private void awaitRecords(StormJob job, int count) throws InterruptedException {
        while (sink.records().size() < count) {
            assertThat(job.await(Duration.ofMillis(5))).as("the job has ended").isFalse();
        }
    }

    private static Long[] range(int from, int to) {
        return LongStream.range(from, to).boxed().toArray(Long[]::new);
    }

    @Test
    void shouldFail_andWriteNothingTwice() throws Exception {
        source.add("s", range(0, 10));
        topology.from(source).shuffle().map(n -> n).to(sink);
        StormJob job = StormRunner.local(settings, 1).start(topology.graph());
        awaitRecords(job, 10);

        ProcessSimulator.killAllProcesses();

        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("a worker of topology 'numbers' died", "at-least-once");
        assertThat(sink.records()).containsExactlyInAnyOrder(range(0, 10));
    }

    @Test
    void shouldGoOnFromTheLastCheckpoint() throws Exception {
        List<String> warnings = new CopyOnWriteArrayList<>();
        source.add("s", range(0, 10));
        topology.from(source).map(n -> n).limit(30).to(sink);
        RunSettings guarded = settings.withWarnings(warnings::add)
                .withGuarantee(
                        Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(50)));
        StormJob job = StormRunner.local(guarded, 1).start(topology.graph());
        source.awaitConfirmed("s", 10);
        source.add("s", range(10, 20));
        awaitRecords(job, 20);

        ProcessSimulator.killAllProcesses();
        source.add("s", range(20, 60));

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(job.restarts()).isEqualTo(1);
        assertThat(warnings)
                .filteredOn(line -> !line.contains(" has not begun on Storm after ")) // on a busy machine
                .singleElement()
                .asString()
                .contains("a worker of topology 'numbers' died");
        assertThat(new TreeSet<>(sink.records())).containsExactly(range(0, 30));
    }

    /** As at the end of another job in this JVM. */
    @Test
    void shouldOutliveOtherClusters_thatAreClosed() throws Exception {
        source.add("s", range(0, 10));
        topology.from(source).shuffle().map(n -> n).to(sink);
        StormJob job = StormRunner.local(settings, 1).start(topology.graph());
        awaitRecords(job, 10);

        PooledLocalCluster.take().discard();
        source.add("s", range(10, 20)).end();

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(sink.records()).containsExactlyInAnyOrder(range(0, 20));
    }
}
