// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.SplitTime;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a running job tells of its splits, so that a silent one is found that shares its task with others. */
final class SplitTimesTest {
    private static RunningJob started(Duration idleAfter) {
        Topology topology = Topology.named("OneTask");
        topology.from(new SilentSplit())
                .eventTime(value -> value, Duration.ofMillis(50), idleAfter)
                .name("times")
                .keyBy(value -> value % 7)
                .window(Windows.tumbling(Duration.ofMillis(200)))
                .aggregate(Aggregates.count())
                .to(Sinks.discard());
        return new EmbeddedRunner(RunSettings.defaults().withParallelism(1).withThreads(1)).start(topology.graph());
    }

    /** Looks until the job tells the time of a split, and there are so many. */
    private static List<SplitTime> told(RunningJob job, int splits) throws Exception {
        while (true) {
            List<SplitTime> told = job.stats().tasks().stream()
                    .flatMap(task -> task.splitTimes().stream())
                    .toList();
            boolean talks = told.stream().anyMatch(split -> split.watermarkMs() != null);
            if (talks && told.size() == splits) {
                return told;
            }
            assertThat(job.await(Duration.ofMillis(50))).isFalse();
        }
    }

    @Test
    void shouldTellTheTimeOfEachSplit_theOneWithoutRecordsFirst() throws Exception {
        RunningJob job = started(Duration.ofHours(1));
        List<SplitTime> told = told(job, 2);
        job.cancel();
        job.await();

        assertThat(told.get(0)).isEqualTo(new SplitTime("times", "silent", null));
        assertThat(told.get(1).split()).isEqualTo("talks");
    }

    @Test
    void shouldNotTellOfASplitThatNobodyWaitsFor() throws Exception {
        RunningJob job = started(Duration.ofMillis(100));
        List<SplitTime> told = told(job, 1);
        job.cancel();
        job.await();

        assertThat(told).singleElement().extracting(SplitTime::split).isEqualTo("talks");
    }
}
