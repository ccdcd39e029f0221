// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Event time where splits fall idle and have records again. */
final class IdleSplitsTest {
    private static final Duration IDLE_AFTER = Duration.ofSeconds(5);
    private static final Duration LONGER = Duration.ofSeconds(6);

    private static Stream<Long> source(Topology topology, String name) {
        return topology.from(Sources.of(1L)).name(name).eventTime(n -> n, Duration.ZERO, IDLE_AFTER);
    }

    /** Its record does not raise the watermark that it sent before it fell idle. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetASplitFallIdleAgain(boolean between) {
        Topology topology = Topology.named("idle");
        Stream<Long> both = source(topology, "a").union(source(topology, "b"));
        (between ? both.shuffle().map(n -> n).as(Long.class) : both)
                .keyBy(n -> "all")
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .map(WindowResult::end)
                .as(Long.class)
                .to(Sinks.discard());

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.prepare("a", 1L).prepare("b", 2L).run();
            tester.advanceClock(LONGER).add("a", 20L);
            assertThat(tester.newRecords("sink")).containsExactly(10L);

            tester.add("b", 2L).add("a", 40L);
            assertThat(tester.newRecords("sink")).as("b is awaited").isEmpty();

            tester.advanceClock(LONGER).add("a", 1_000L);
            assertThat(tester.newRecords("sink")).containsExactly(30L, 50L);
        }
    }

    /** Also tasks that get none of its records. */
    @Test
    void shouldAwaitASplitThatHasRecordsAgain_inAllTasks() {
        Topology topology = Topology.named("idle");
        joined(topology, Windows.tumbling(Duration.ofMillis(10)));

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.prepare("a", 20L, 21L, 22L, 23L, 24L, 25L, 26L, 27L).prepare("b", 19L);
            tester.run().advanceClock(LONGER);
            tester.add("b", 19L).add("a", 40L);
            assertThat(tester.records("sink")).isEmpty();

            tester.add("b", 40L);
            assertThat(tester.records("sink")).contains("20: [24] []", "20: [27] []");
        }
    }

    /** Numbers that are divisible by 16 have no key. */
    @Test
    void shouldNotJoinAgainInWindowsThatHaveFired_whatASplitThatWasIdleBrings() {
        Topology topology = Topology.named("idle");
        joined(topology, Windows.sliding(Duration.ofMillis(20), Duration.ofMillis(10)));

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.prepare("a", 1L).prepare("b", 1L).run();
            tester.advanceClock(LONGER).add("a", 25L);
            assertThat(tester.newRecords("sink")).containsExactly("-10: [1] [1]", "0: [1] [1]");

            tester.add("b", 15L, 16L);
            assertThat(tester.newRecords("sink")).containsExactly("10: [] [16]");

            tester.add("b", 33L).add("a", 33L);
            assertThat(tester.newRecords("sink")).containsExactlyInAnyOrder("10: [25] []", "10: [] [15]");
        }
    }

    static List<Arguments> windows() {
        Duration ten = Duration.ofMillis(10);
        return List.of(
                Arguments.of(Windows.tumbling(ten), List.of("0: 2"), List.of(5L, 15L), List.of("20: 2")),
                Arguments.of(
                        Windows.sliding(ten.multipliedBy(2), ten),
                        List.of("-10: 2", "0: 2"),
                        List.of(5L),
                        List.of("10: 3", "20: 2")),
                Arguments.of(Windows.session(ten), List.of("1: 2"), List.of(5L, 15L), List.of("25: 2")));
    }

    /** It is late, and no window opens again for it. */
    @ParameterizedTest
    @MethodSource("windows")
    void shouldNotOpenAWindowAgain_forWhatASplitThatWasIdleBrings(
            WindowSpec windows, List<String> first, List<Long> tooLate, List<String> then) {
        SideOutput<Long> late = SideOutput.of("late", Long.class);
        Topology topology = Topology.named("idle");
        Stream<WindowResult<String, Long>> counts = source(topology, "a")
                .union(source(topology, "b"))
                .keyBy(n -> "all")
                .window(windows)
                .lateTo(late)
                .aggregate(Aggregates.count());
        counts.map(each -> each.start() + ": " + each.value()).to(Sinks.discard());
        counts.side(late).to(Sinks.discard()).name("late");

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.prepare("a", 1L).prepare("b", 2L).run();
            tester.advanceClock(LONGER).add("a", 25L);
            assertThat(tester.newRecords("sink")).isEqualTo(first);

            tester.add("b", 5L, 15L);
            assertThat(tester.records("late")).isEqualTo(tooLate);
            assertThat(tester.newRecords("sink")).isEmpty();

            tester.add("b", 25L).prepare("a", 50L).prepare("b", 50L).run();
            assertThat(tester.newRecords("sink")).startsWith(then.toArray());
        }
    }

    /** Records of the source that one of them filters out are none to it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetTimeGoOnForOneOfTwoBranches_whereTheOtherIsIdle(boolean bothMayBe) {
        Topology topology = Topology.named("branches");
        Stream<Long> numbers = topology.from(Sources.of(1L)).name("a");
        counted(
                bothMayBe
                        ? numbers.eventTime(n -> n, Duration.ZERO, IDLE_AFTER)
                        : numbers.eventTime(n -> n, Duration.ZERO),
                "all");
        counted(numbers.filter(n -> n < 10).eventTime(n -> n, Duration.ZERO, IDLE_AFTER), "small");

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("a", 1L, 20L);
            assertThat(tester.newRecords("all"))
                    .as("the small ones are awaited")
                    .isEmpty();

            tester.advanceClock(LONGER).add("a", 21L, 40L);
            assertThat(tester.newRecords("all")).containsExactly(10L, 30L);
            assertThat(tester.newRecords("small")).containsExactly(10L);
        }
    }

    private static void counted(Stream<Long> stream, String sink) {
        stream.window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .map(WindowResult::end)
                .as(Long.class)
                .to(Sinks.discard())
                .name(sink);
    }

    private static void joined(Topology topology, WindowSpec windows) {
        source(topology, "a")
                .join(source(topology, "b"))
                .where(n -> n % 16 == 0 ? null : n % 8)
                .equalTo(n -> n % 16 == 0 ? null : n % 8)
                .window(windows)
                .coGroup(all -> List.of(all.start() + ": " + all.left() + " " + all.right()))
                .as(String.class)
                .to(Sinks.discard());
    }
}
