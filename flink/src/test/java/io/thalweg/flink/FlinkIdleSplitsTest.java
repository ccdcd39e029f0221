// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.LiveTestSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Splits that fall idle and have records again: in one task, and in several. */
@Timeout(600)
@Tag("integration")
final class FlinkIdleSplitsTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    private final LiveTestSource<Long> source = LiveTestSource.of(Long.class);
    private final CollectSink<String> counts = CollectSink.of(String.class);
    private final CollectSink<Long> late = CollectSink.of(Long.class);

    static List<Arguments> windows() {
        WindowSpec tumbling = Windows.tumbling(Duration.ofMillis(10));
        WindowSpec sessions = Windows.session(Duration.ofMillis(10));
        return List.of(
                Arguments.of(1, tumbling, "0: 1"),
                Arguments.of(2, tumbling, "0: 1"),
                Arguments.of(1, sessions, "1: 1"),
                Arguments.of(2, sessions, "1: 1"));
    }

    private TopologyGraph graph(WindowSpec windows) {
        SideOutput<Long> tooLate = SideOutput.of("late", Long.class);
        Topology topology = Topology.named("idle");
        Stream<WindowResult<String, Long>> counted = topology.from(source)
                .name("numbers")
                .eventTime(time -> time, Duration.ZERO, Duration.ofMillis(50))
                .keyBy(time -> "all")
                .window(windows)
                .lateTo(tooLate)
                .aggregate(Aggregates.count())
                .name("windows");
        counted.map(each -> each.start() + ": " + each.value())
                .as(String.class)
                .to(counts)
                .name("counts");
        counted.side(tooLate).to(late).name("late");
        return topology.graph();
    }

    /** It is late, and no window opens again for it. */
    @ParameterizedTest
    @MethodSource("windows")
    void shouldNotOpenAWindowAgain_forWhatASplitThatWasIdleBrings(int parallelism, WindowSpec windows, String first)
            throws Exception {
        source.add("a", 1L).add("b");
        FlinkRunningJob job = FLINK.runner(RunSettings.defaults().withParallelism(parallelism))
                .start(graph(windows));
        while (counts.records().isEmpty()) { // until b is idle
            source.add("a", 25L);
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }

        source.add("b", 5L);
        while (late.records().isEmpty() && counts.records().size() == 1) {
            source.add("a", 25L);
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        source.end();
        JobStats end = job.await();

        assertThat(late.records()).containsExactly(5L);
        assertThat(end.recordsLate()).isEqualTo(1);
        assertThat(counts.records()).hasSize(2).startsWith(first);
    }

    /** The checkpoint does not say what was idle, but where windows were: after the restore, the split is awaited again. */
    @Test
    void shouldNotOpenAWindowAgain_thatFiredBeforeARestore() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        RunSettings settings = RunSettings.defaults().withParallelism(1);
        source.add("a", 1L).add("b");
        TopologyGraph graph = graph(Windows.tumbling(Duration.ofMillis(10)));
        FlinkRunningJob stopped = FLINK.runner(settings.withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints))
                .start(graph);
        while (counts.records().isEmpty()) { // until b is idle
            source.add("a", 25L);
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        stopped.await();

        source.add("b", 5L).end();
        FLINK.runner(settings.withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.restoringLatest()))
                .start(graph)
                .await();
        assertThat(late.records()).containsExactly(5L);
        assertThat(counts.records()).filteredOn(each -> each.startsWith("0: ")).containsExactly("0: 1");
    }
}
