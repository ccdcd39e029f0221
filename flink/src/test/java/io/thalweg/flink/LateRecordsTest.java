// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LateRecords;
import io.thalweg.api.stats.LateSample;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of late records is what is told of them embedded. */
@Timeout(900)
@Tag("integration")
final class LateRecordsTest {
    private static final LocalFlink FLINK = LocalFlink.shared();
    private static final Duration SECOND = Duration.ofSeconds(1);

    private record Reading(long ms, String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    /** All but the last two are in time, for which the watermark is 9,999 ms. */
    private static Stream<Reading> readings(Topology topology) {
        return topology.from(Sources.of(
                        new Reading(1_000, "early"),
                        new Reading(10_000, "on time"),
                        new Reading(5_000, "late\nby some seconds"),
                        new Reading(500, "late by more")))
                .eventTime(Reading::ms, Duration.ZERO);
    }

    private static void windows(Topology topology, String name, WindowSpec windows) {
        readings(topology)
                .keyBy(reading -> 1L)
                .window(windows)
                .aggregate(Aggregates.count())
                .name(name)
                .to(Sinks.discard());
    }

    private static Tuple[] samples(JobStats stats, String operator) {
        LateRecords late = stats.late().stream()
                .filter(each -> each.operator().equals(operator))
                .findFirst()
                .orElseThrow();
        return late.samples().stream()
                .map(sample -> tuple(sample.record(), sample.timeMs(), sample.stampMs(), sample.lateByMs()))
                .toArray(Tuple[]::new);
    }

    @Test
    void shouldSayHowLateTheyWere() throws Exception {
        Topology topology = Topology.named("Rivers");
        windows(topology, "tumbling", Windows.tumbling(SECOND));
        windows(topology, "sliding", Windows.sliding(SECOND.multipliedBy(2), SECOND));
        windows(topology, "session", Windows.session(SECOND));
        readings(topology)
                .join(readings(topology))
                .where(reading -> 1L)
                .equalTo(reading -> 1L)
                .between(SECOND.negated(), SECOND)
                .inner((one, other) -> one.ms() + other.ms())
                .name("pairs")
                .to(Sinks.discard());

        JobStats stats = FLINK.runner(RunSettings.defaults().withParallelism(2))
                .start(topology.graph())
                .await();

        Map<String, long[]> lateBy = Map.of(
                "tumbling", new long[] {4_001, 9_001},
                "sliding", new long[] {3_001, 8_001},
                "session", new long[] {4_001, 8_501});
        lateBy.forEach((operator, ms) -> assertThat(samples(stats, operator))
                .as(operator)
                .containsExactly(
                        tuple("late by some seconds", 5_000L, 9_999L, ms[0]),
                        tuple("late by more", 500L, 9_999L, ms[1])));
        assertThat(stats.late())
                .filteredOn(late -> late.operator().equals("pairs"))
                .singleElement()
                .satisfies(late -> {
                    assertThat(late.records()).isEqualTo(4);
                    assertThat(late.samples())
                            .extracting(LateSample::record, LateSample::lateByMs)
                            .contains(tuple("late by some seconds", 5_000L));
                });
        assertThat(stats.recordsLate()).isEqualTo(10);
    }
}
