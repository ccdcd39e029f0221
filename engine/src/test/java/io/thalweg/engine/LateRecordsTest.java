// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LateSample;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is told of late records, which are the same in every run: they depend on their split alone. */
final class LateRecordsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A reading that says so if it is printed. */
    private record Reading(long ms, String text) {
        @Override
        public String toString() {
            if (text.isEmpty()) {
                throw new IllegalStateException("it has no text");
            }
            return text;
        }
    }

    /** All but the last two are in time, for which the watermark is 9,999 ms. */
    private static Stream<Reading> readings(Topology topology, long disorderMs) {
        return topology.from(Sources.of(
                        new Reading(1_000, "early"),
                        new Reading(10_000, "on time"),
                        new Reading(5_000, "late\nby some seconds"),
                        new Reading(500, "")))
                .eventTime(Reading::ms, Duration.ofMillis(disorderMs));
    }

    private static JobStats windows(WindowSpec windows, long disorderMs, int parallelism) throws Exception {
        Topology topology = Topology.named("Rivers");
        readings(topology, disorderMs)
                .keyBy(reading -> 1L)
                .window(windows)
                .aggregate(Aggregates.count())
                .name("counts")
                .to(Sinks.discard());
        return run(topology, parallelism);
    }

    private static JobStats run(Topology topology, int parallelism) throws Exception {
        return new EmbeddedRunner(RunSettings.defaults().withThreads(1).withParallelism(parallelism))
                .start(topology.graph())
                .await();
    }

    private static List<Arguments> windows() {
        return List.of(
                Arguments.of(Windows.tumbling(SECOND), 4_001, 9_001),
                Arguments.of(Windows.sliding(SECOND.multipliedBy(2), SECOND), 3_001, 8_001),
                Arguments.of(Windows.session(SECOND), 4_001, 8_501));
    }

    @ParameterizedTest
    @MethodSource("windows")
    void shouldSayHowLateRecordsOfWindowsWere(WindowSpec windows, long lessMs, long moreMs) throws Exception {
        for (int parallelism : new int[] {1, 2}) {
            JobStats stats = windows(windows, 0, parallelism);

            assertThat(stats.recordsLate()).isEqualTo(2);
            assertThat(stats.late()).singleElement().satisfies(late -> {
                assertThat(late.operator()).isEqualTo("counts");
                assertThat(late.records()).isEqualTo(2);
                assertThat(late.byMs(0.5)).isBetween(lessMs, lessMs + lessMs / 8);
                assertThat(late.byMs(0.99)).isBetween(moreMs, moreMs + moreMs / 8);
                assertThat(late.samples())
                        .extracting(LateSample::record)
                        .containsExactly(
                                "late by some seconds",
                                Reading.class.getName() + ", whose toString() threw java.lang.IllegalStateException");
                assertThat(late.samples())
                        .extracting(LateSample::timeMs, LateSample::stampMs, LateSample::lateByMs)
                        .containsExactly(tuple(5_000L, 9_999L, lessMs), tuple(500L, 9_999L, moreMs));
            });
        }
    }

    /** What is said is what it takes, to the millisecond. */
    @ParameterizedTest
    @MethodSource("windows")
    void shouldHaveNoneLateWithSoMuchMoreDisorder(WindowSpec windows, long lessMs, long moreMs) throws Exception {
        assertThat(windows(windows, lessMs - 1, 1).recordsLate()).isEqualTo(2);
        assertThat(windows(windows, lessMs, 1).recordsLate()).isEqualTo(1);
        assertThat(windows(windows, moreMs - 1, 1).recordsLate()).isEqualTo(1);

        JobStats none = windows(windows, moreMs, 1);
        assertThat(none.recordsLate()).isZero();
        assertThat(none.late()).isEmpty();
    }

    @Test
    void shouldSayHowLateRecordsOfJoinsWere() throws Exception {
        Topology topology = Topology.named("Rivers");
        readings(topology, 0)
                .join(readings(topology, 0))
                .where(reading -> 1L)
                .equalTo(reading -> 1L)
                .between(SECOND.negated(), SECOND)
                .inner((one, other) -> one.ms() + other.ms())
                .name("pairs")
                .to(Sinks.discard());

        JobStats stats = run(topology, 1);

        assertThat(stats.late()).singleElement().satisfies(late -> {
            assertThat(late.operator()).isEqualTo("pairs");
            assertThat(late.records()).isEqualTo(4);
            assertThat(late.samples())
                    .extracting(LateSample::record, LateSample::timeMs, LateSample::lateByMs)
                    .contains(tuple("late by some seconds", 5_000L, 5_000L));
        });
    }
}
