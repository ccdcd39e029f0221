// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TopologyTesterTest {
    // region topology
    record Trip(String city, long atMs) {}

    private static Topology trips() {
        Topology topology = Topology.named("trips");
        SideOutput<Trip> late = SideOutput.of("late", Trip.class);
        Stream<WindowResult<String, Long>> counts = topology.from(Sources.of(new Trip("Oslo", 0)))
                .name("trips")
                .eventTime(Trip::atMs, Duration.ZERO)
                .keyBy(Trip::city)
                .window(Windows.tumbling(Duration.ofSeconds(1)))
                .lateTo(late)
                .aggregate(Aggregates.count());
        counts.to(Sinks.print()).name("counts");
        counts.side(late).to(Sinks.print()).name("late");
        return topology;
    }
    // endregion

    @Test
    // region test
    void shouldCountTripsByCityAndSecond() {
        try (TopologyTester tester = TopologyTester.of(trips())) {
            tester.add("trips", new Trip("Oslo", 100), new Trip("Rome", 200), new Trip("Oslo", 999));
            assertThat(tester.records("counts")).isEmpty(); // the second is not over

            tester.add("trips", new Trip("Rome", 1_000));
            assertThat(tester.newRecords("counts"))
                    .containsExactlyInAnyOrder(
                            new WindowResult<>("Oslo", 0, 1_000, 2L), new WindowResult<>("Rome", 0, 1_000, 1L));

            tester.add("trips", new Trip("Oslo", 500)); // too late
            assertThat(tester.records("late")).containsExactly(new Trip("Oslo", 500));

            tester.end();
            assertThat(tester.newRecords("counts")).containsExactly(new WindowResult<>("Rome", 1_000, 2_000, 1L));
        }
    }
    // endregion

    @Test
    void shouldComeToTheSameWithoutTheHardCases() {
        TopologyTester.Options easy =
                TopologyTester.Options.defaults().parallelism(1).seed(7);
        for (HardCase hard : HardCase.values()) {
            easy = easy.without(hard);
        }
        try (TopologyTester tester = TopologyTester.of(trips(), easy)) {
            tester.add("trips", new Trip("Oslo", 100), new Trip("Oslo", 1_000));
            assertThat(tester.records("counts")).containsExactly(new WindowResult<>("Oslo", 0, 1_000, 1L));
            assertThat(tester.stats().windowsOpen()).isEqualTo(1);
        }
    }

    @Test
    void shouldLeaveACopyItsTimeWhereTheOneBeforeUpdatedAWindow() {
        Topology topology = Topology.named("updates");
        topology.from(Sources.of(0L))
                .eventTime(n -> n, Duration.ZERO)
                .flatMap(n -> List.of(n, n))
                .as(Long.class)
                .keyBy(n -> 1L)
                .window(Windows.sliding(Duration.ofMillis(10), Duration.ofMillis(5)))
                .allowedLateness(Duration.ofSeconds(1))
                .aggregate(Aggregates.count())
                .to(Sinks.discard());
        TopologyTester.Options fused = TopologyTester.Options.defaults().parallelism(1);
        for (HardCase hard : HardCase.values()) {
            fused = fused.without(hard);
        }

        try (TopologyTester tester = TopologyTester.of(topology, fused)) {
            tester.add("source", 7L, 30L);
            assertThat(tester.newRecords("sink"))
                    .containsExactlyInAnyOrder(new WindowResult<>(1L, 0, 10, 2L), new WindowResult<>(1L, 5, 15, 2L));

            tester.add("source", 7L); // late, but allowed, and twice
            assertThat(tester.newRecords("sink"))
                    .containsExactlyInAnyOrder(
                            new WindowResult<>(1L, 0, 10, 3L),
                            new WindowResult<>(1L, 5, 15, 3L),
                            new WindowResult<>(1L, 0, 10, 4L),
                            new WindowResult<>(1L, 5, 15, 4L));
        }
    }

    @Test
    void shouldCallTheResultOfAWindowLateThatOpenedBehindTheWatermark() {
        Topology topology = Topology.named("cascade");
        topology.from(Sources.of(0L))
                .eventTime(n -> n, Duration.ZERO)
                .keyBy(n -> 1L)
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .allowedLateness(Duration.ofSeconds(1))
                .aggregate(Aggregates.count())
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .map(WindowResult::start)
                .as(Long.class)
                .to(Sinks.discard());

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("source", 30L, 7L, 40L).end();
            assertThat(tester.records("sink")).containsExactly(30L, 40L);
        }
    }

    @Test
    void shouldKeepBadRecords() {
        Topology topology = Topology.named("picky");
        topology.from(Sources.of(1L)).map(TopologyTesterTest::odd).to(Sinks.discard());

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("source", 1L, 2L, 3L);

            assertThat(tester.records("sink")).containsExactlyInAnyOrder(1L, 3L);
            assertThat(tester.bad())
                    .hasSize(1)
                    .first()
                    .satisfies(bad -> assertThat(bad.reason()).isEqualTo("not odd"));
        }
    }

    private static Long odd(Long number) {
        if (number % 2 == 0) {
            throw new BadRecordException("not odd", number.toString());
        }
        return number;
    }

    @Test
    void shouldThrowWhatEndsTheJob() {
        Topology topology = Topology.named("failing");
        topology.from(Sources.of(1L)).map(n -> 1 / n).name("inverse").to(Sinks.discard());

        try (TopologyTester tester = TopologyTester.of(topology)) {
            assertThatThrownBy(() -> tester.add("source", 1L, 0L))
                    .hasMessageContaining("topology 'failing', operator 'inverse'")
                    .hasMessageContaining("split '0', offset 1")
                    .hasMessageContaining("by zero");
        }
    }

    private static final class Unclosable implements Operator<Long, Long> {
        @Override
        public void process(Long number, Output<Long> output) {
            output.emit(1 / number);
        }

        @Override
        public void close() {
            throw new IllegalStateException("the device is gone");
        }
    }

    private static Topology unclosable() {
        Topology topology = Topology.named("unclosable");
        topology.from(Sources.of(1L)).process(Unclosable::new).name("device").to(Sinks.discard());
        return topology;
    }

    @Test
    void shouldThrowWhatFailsWhenItIsClosed() {
        TopologyTester tester = TopologyTester.of(unclosable()).add("source", 1L);

        assertThatThrownBy(tester::close)
                .hasMessageContaining("topology 'unclosable', operator 'device'")
                .hasMessageContaining("the device is gone");
    }

    @Test
    void shouldThrowAFailureOnce() {
        assertThatThrownBy(() -> {
                    try (TopologyTester tester = TopologyTester.of(unclosable())) {
                        tester.add("source", 0L);
                    }
                })
                .hasMessageContaining("by zero")
                .hasNoSuppressedExceptions();
    }

    @Test
    void shouldLetSilentSourcesGoByTheClock() {
        Topology topology = Topology.named("idle");
        Stream<Long> a =
                topology.from(Sources.of(1L)).name("a").eventTime(n -> n, Duration.ZERO, Duration.ofSeconds(5));
        Stream<Long> b =
                topology.from(Sources.of(1L)).name("b").eventTime(n -> n, Duration.ZERO, Duration.ofSeconds(5));
        a.union(b)
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .map(WindowResult::value)
                .as(Long.class)
                .to(Sinks.discard());

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.prepare("a", 1L).prepare("b", 2L).run().add("a", 20L);
            assertThat(tester.records("sink")).isEmpty();

            tester.advanceClock(Duration.ofSeconds(6)).add("a", 21L);
            assertThat(tester.records("sink")).containsExactly(2L);
        }
    }

    @Test
    void shouldGoOnWhereALimitHasEndedOneOfTheSources() {
        Topology topology = Topology.named("limited");
        topology.from(Sources.of(1L)).name("few").limit(2).to(Sinks.discard()).name("first");
        topology.from(Sources.of(1L)).name("all").to(Sinks.discard()).name("each");

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("few", LongStream.range(0, 100).boxed().toArray());
            assertThat(tester.records("first")).hasSize(2);

            tester.add("few", 100L).add("all", 7L);
            assertThat(tester.records("first")).hasSize(2);
            assertThat(tester.records("each")).containsExactly(7L);
        }
    }

    /** Emits every ten milliseconds for a key that has had a record. */
    private static final class Periodic implements KeyedOperator<Long, Long, Long> {
        private @Nullable KeyedContext context;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
        }

        @Override
        public void process(Long key, Long number, Output<Long> output) {
            Objects.requireNonNull(context).setTimer(number + 10);
        }

        @Override
        public void onTimer(Long key, long time, Output<Long> output) {
            output.emit(time);
            KeyedContext timers = Objects.requireNonNull(context);
            if (timers.watermark() != Long.MAX_VALUE) {
                timers.setTimer(time + 10);
            }
        }
    }

    @Test
    void shouldEndWhereATimerThatSetsTheNextStopsAtTheEnd() {
        Topology topology = Topology.named("periodic");
        topology.from(Sources.of(1L))
                .eventTime(n -> n, Duration.ZERO)
                .keyBy(n -> 1L)
                .process(Periodic::new)
                .to(Sinks.discard());

        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("source", 1L, 25L).end();
            assertThat(tester.records("sink")).containsExactly(11L, 21L, 31L, 35L);
            assertThat(tester.stats().state()).isEqualTo(JobState.FINISHED);
        }
    }

    @Test
    void shouldNameWhatThereIs() {
        try (TopologyTester tester = TopologyTester.of(trips())) {
            assertThatThrownBy(() -> tester.add("cars", 1L)).hasMessage("there is no 'cars', but [trips]");
            assertThatThrownBy(() -> tester.records("cars")).hasMessage("there is no 'cars', but [counts, late]");
        }
    }

    /** Does to its states what the record says; emits what they hold then. */
    private static final class Obeying implements KeyedOperator<String, Order, String> {
        private @Nullable ListState<String> list;
        private @Nullable MapState<String, String> map;

        @Override
        public void open(KeyedContext context) {
            list = context.listState("list", Type.of(String.class));
            map = context.mapState("map", Type.of(String.class), Type.of(String.class));
        }

        @Override
        @SuppressWarnings("NullAway") // as a user writes who does not check for nulls
        public void process(String key, Order order, Output<String> output) {
            ListState<String> texts = Objects.requireNonNull(list);
            MapState<String, String> entries = Objects.requireNonNull(map);
            String what = order.what();
            switch (order.action()) {
                case "add" -> texts.add(what);
                case "add null" -> texts.add(null);
                case "set" -> texts.set(List.of(what.split(",")));
                case "set none" -> texts.set(List.of());
                case "clear" -> texts.clear();
                case "put" -> entries.put(what, what + "!");
                case "put null" -> entries.put(what, null);
                case "remove" -> entries.remove(what);
                case "remove all" -> {
                    for (Iterator<Map.Entry<String, String>> each = entries.iterator(); each.hasNext(); ) {
                        each.next();
                        each.remove();
                    }
                }
                default -> throw new IllegalArgumentException(order.action());
            }
            TreeMap<String, String> sorted = new TreeMap<>();
            entries.forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
            assertThat(entries.isEmpty()).isEqualTo(sorted.isEmpty());
            assertThat(entries.contains(what)).isEqualTo(sorted.containsKey(what));
            StringJoiner joined = new StringJoiner(" ");
            texts.forEach(joined::add);
            assertThat(texts.isEmpty()).isEqualTo(joined.length() == 0);
            output.emit(key + ": " + joined + " " + sorted);
        }
    }

    record Order(String key, String action, String what) {}

    private static TopologyTester obeying() {
        Topology topology = Topology.named("states");
        topology.from(Sources.of(new Order("", "", "")))
                .keyBy(Order::key)
                .process(Obeying::new)
                .to(Sinks.discard());
        return TopologyTester.of(topology);
    }

    @Test
    void shouldKeepListsAndMapsOfEachKey() {
        try (TopologyTester tester = obeying()) {
            List<Order> orders = List.of(
                    new Order("a", "add", "x"),
                    new Order("a", "add", "y"),
                    new Order("b", "put", "x"),
                    new Order("a", "set", "p,q"),
                    new Order("a", "put", "k"),
                    new Order("a", "put", "l"),
                    new Order("a", "remove", "k"),
                    new Order("a", "clear", "l"),
                    new Order("a", "remove all", "l"),
                    new Order("a", "set none", ""),
                    new Order("b", "remove", "x"),
                    new Order("b", "add", "z"));
            orders.forEach(order -> tester.add("source", order));
            tester.end();
            assertThat(tester.records("sink"))
                    .containsExactlyInAnyOrder(
                            "a: x {}",
                            "a: x y {}",
                            "b:  {x=x!}",
                            "a: p q {}",
                            "a: p q {k=k!}",
                            "a: p q {k=k!, l=l!}",
                            "a: p q {l=l!}",
                            "a:  {l=l!}",
                            "a:  {}",
                            "a:  {}",
                            "b:  {}",
                            "b: z {}");
        }
    }

    @Test
    void shouldRefuseNullsInListsAndMaps() {
        for (String action : List.of("add null", "put null")) {
            try (TopologyTester tester = obeying()) {
                assertThatThrownBy(() -> {
                            tester.add("source", new Order("a", action, "x"));
                            tester.end();
                        })
                        .hasMessageContaining("was given null");
            }
        }
    }

    record Payment(Instant at) {}

    @Test
    void shouldReadEventTimesOfInstants() {
        Topology topology = Topology.named("instants");
        topology.from(Sources.of(new Payment(Instant.EPOCH)))
                .eventInstant(payment -> payment.at(), Duration.ZERO)
                .keyBy(payment -> "all")
                .window(Windows.tumbling(Duration.ofSeconds(1)))
                .aggregate(Aggregates.count())
                .to(Sinks.discard());
        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("source", new Payment(Instant.ofEpochMilli(1_500)), new Payment(Instant.ofEpochMilli(1_999)));
            tester.add("source", new Payment(Instant.MAX));
            tester.end();
            assertThat(tester.records("sink")).containsExactly(new WindowResult<>("all", 1_000, 2_000, 2L));
            assertThat(tester.stats().recordsBad()).isEqualTo(1);
        }
    }
}
