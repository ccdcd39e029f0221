// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.LiveTestSource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Splits that fall idle and have records again: in one task, and in several. */
@Timeout(600)
final class FlinkIdleSplitsTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

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
                .eventTime(time -> time, Duration.ZERO, Duration.ofMillis(50))
                .keyBy(time -> "all")
                .window(windows)
                .lateTo(tooLate)
                .aggregate(Aggregates.count());
        counted.map(each -> each.start() + ": " + each.value()).as(String.class).to(counts);
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
}
