// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.topology.KeyedJoin;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins of streams that never end keep what can still have a partner, and no more. */
final class JoinStateTest {
    private static final Duration SPAN = Duration.ofMillis(40);

    private static Stream<Long> joined(String kind, KeyedJoin<Long, Long, Long> join) {
        PairFunction<Long, Long, Long> inner = Long::sum;
        PairFunction<Long, @Nullable Long, Long> left = (one, other) -> other == null ? one : one + other;
        return switch (kind) {
            case "inner" -> join.between(Duration.ZERO, SPAN).inner(inner);
            case "left" -> join.between(Duration.ZERO, SPAN).left(left);
            default -> join.window(Windows.tumbling(SPAN)).inner(inner);
        };
    }

    private static long bytes(Job job) {
        return job.stats().keptState().stream()
                .filter(state -> state.operator().equals("join"))
                .mapToLong(StateStats::bytes)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"inner", "left", "window"})
    void shouldNotKeepRecordsForEver(String kind) {
        Topology topology = Topology.named("joins");
        Stream<Long> lefts =
                topology.from(Sources.generate(Long.MAX_VALUE, n -> n)).eventTime(n -> n, Duration.ZERO);
        Stream<Long> rights =
                topology.from(Sources.generate(Long.MAX_VALUE, n -> n)).eventTime(n -> n, Duration.ZERO);
        joined(kind, lefts.join(rights).where(n -> n % 3).equalTo(n -> n % 3))
                .name("join")
                .to(Sinks.discard());
        RunSettings settings =
                RunSettings.defaults().withParallelism(1).withThreads(0).withSteps(10, 2, 16);
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        for (int step = 0; step < 500; step++) {
            job.step();
        }
        long early = bytes(job);
        for (int step = 0; step < 5_000; step++) {
            job.step();
        }

        assertThat(job.stats().recordsIn()).isGreaterThan(20_000);
        assertThat(early).isPositive();
        assertThat(bytes(job)).isLessThan(2 * early);
        job.kill();
        while (job.step()) {
            // until it has ended
        }
    }
}
