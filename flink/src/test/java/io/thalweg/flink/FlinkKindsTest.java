// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A named operator that has become one of another kind does not lose its state without a word. */
@Tag("integration")
final class FlinkKindsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    /** What the operator named "kept" is. */
    private enum Kind {
        TUMBLING,
        SESSION,
        WHOLE,
        COUNT,
        RUNNING,
        DISTINCT,
        MAP,
        LIMIT,
        HIGHER_LIMIT
    }

    private static TopologyGraph graph(Kind kind, int perSecond) {
        Topology topology = Topology.named("kinds");
        var numbers = topology.from(Sources.generate(1_000, i -> i).rate(perSecond))
                .name("numbers")
                .eventTime(number -> number, Duration.ZERO)
                .name("times");
        var keyed = numbers.keyBy(number -> number % 7);
        var behind = switch (kind) {
            case TUMBLING -> keyed.window(Windows.tumbling(SECOND)).aggregate(Aggregates.<Long>count());
            case SESSION -> keyed.window(Windows.session(SECOND)).aggregate(Aggregates.<Long>count());
            case WHOLE -> keyed.window(Windows.whole()).aggregate(Aggregates.<Long>count());
            case COUNT -> keyed.window(Windows.count(500)).aggregate(Aggregates.<Long>count());
            case RUNNING -> keyed.aggregate(Aggregates.<Long>count());
            case DISTINCT -> keyed.distinct();
            case MAP -> numbers.map(number -> number);
            case LIMIT -> numbers.limit(900);
            case HIGHER_LIMIT -> numbers.limit(901);
        };
        behind.name("kept").to(Sinks.discard()).name("sink");
        return topology.graph();
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of(Kind.TUMBLING, Kind.SESSION, "tumbling or sliding windows"),
                Arguments.of(Kind.SESSION, Kind.WHOLE, "session windows"),
                Arguments.of(Kind.WHOLE, Kind.RUNNING, "window over the whole input"),
                Arguments.of(Kind.COUNT, Kind.TUMBLING, "state "),
                Arguments.of(Kind.TUMBLING, Kind.COUNT, "tumbling or sliding windows"),
                Arguments.of(Kind.RUNNING, Kind.DISTINCT, "running aggregate"),
                Arguments.of(Kind.DISTINCT, Kind.MAP, "distinct keys"),
                Arguments.of(Kind.LIMIT, Kind.HIGHER_LIMIT, "limit of 900"));
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("changes")
    void shouldRefuseTheStateOfAnotherKind(Kind before, Kind after, String held) throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        RunSettings settings = RunSettings.defaults().withParallelism(1);
        FlinkRunningJob stopped = FLINK.runner(settings.withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints))
                .start(graph(before, 5)); // it does not end for minutes
        while (stopped.lastCheckpoint() == null || stopped.stats().recordsIn() == 0) {
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        stopped.await();

        CheckpointSettings latest = checkpoints.restoringLatest();
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() -> FLINK.runner(settings.withGuarantee(Guarantee.EXACTLY_ONCE, latest))
                        .start(graph(after, 100_000))
                        .await())
                .withMessageStartingWith("topology 'kinds', operator 'kept', task 0: the checkpoint holds '" + held)
                .withMessageContaining(
                        "run the operator as it was, or continue without its state with --discard-state" + " 'kept'");
    }
}
