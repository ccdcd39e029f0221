// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that were changed between a checkpoint and a restore: state goes to its owner as what it is, or is refused. */
@Timeout(300)
final class StateIdentityTest {
    private static final long RECORDS = 1_000;

    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();

    private RunSettings settings(UnaryOperator<CheckpointSettings> how) {
        return RunSettings.defaults()
                .withParallelism(2)
                .withThreads(0)
                .withSteps(10, 2, 16)
                .withWarnings(warnings::add)
                .withGuarantee(Guarantee.EXACTLY_ONCE, how.apply(CheckpointSettings.in(folder)));
    }

    private static Topology topology(Consumer<Topology> definition) {
        Topology topology = Topology.named("job");
        definition.accept(topology);
        return topology;
    }

    private void begin(Consumer<Topology> definition) {
        Job job = new EmbeddedRunner(settings(now -> now))
                .start(topology(definition).graph());
        for (int step = 0; step < 50; step++) {
            job.step();
        }
        job.cancel();
        while (job.step()) {
            // to the end
        }
        assertThat(job.stats().recordsIn()).isBetween(100L, RECORDS - 100);
    }

    private void goOn(Topology topology, UnaryOperator<CheckpointSettings> how) throws InterruptedException {
        Job job = new EmbeddedRunner(settings(now -> how.apply(now).restoringLatest())).start(topology.graph());
        while (job.step()) {
            // to the end
        }
        job.await();
    }

    private void goOn(Consumer<Topology> definition) throws InterruptedException {
        goOn(topology(definition), now -> now);
    }

    private void shouldBeRefused(Consumer<Topology> definition, String... words) {
        assertThatThrownBy(() -> goOn(definition))
                .message()
                .doesNotContain("\n")
                .contains("topology 'job'")
                .contains(words);
    }

    private static Stream<Long> numbers(Topology topology) {
        return topology.from(Sources.generate(RECORDS, i -> i)).name("numbers");
    }

    // ---- owners

    private static void twoStages(Topology topology) {
        numbers(topology).keyBy(i -> i % 7).distinct().to(Sinks.each(i -> {})).name("sink");
    }

    private static void oneMoreBefore(Topology topology) {
        numbers(topology)
                .keyBy(i -> i % 50)
                .distinct()
                .keyBy(i -> i % 7)
                .distinct()
                .to(Sinks.each(i -> {}))
                .name("sink");
    }

    @Test
    void shouldRefuseStateWithoutAName_ifAnOperatorWasInserted() throws Exception {
        begin(StateIdentityTest::twoStages);
        shouldBeRefused(
                StateIdentityTest::oneMoreBefore,
                "the topology is not what it was",
                ".name(\"distinct\") behind the step that was (distinct)");
        goOn(StateIdentityTest::twoStages);
    }

    @Test
    void shouldFindStateByItsName_whateverWasInserted() throws Exception {
        begin(StateIdentityTest::twoStages);
        CollectSink<Long> passed = CollectSink.of(Long.class);
        goOn(topology -> {
            // region named
            topology.from(Sources.generate(RECORDS, i -> i))
                    .name("numbers")
                    .keyBy(i -> i % 50)
                    .distinct()
                    .name("first") // inserted since the checkpoint: it begins without state
                    .keyBy(i -> i % 7)
                    .distinct()
                    .name("distinct") // finds what the operator of this name remembered
                    .to(passed)
                    .name("sink");
            // endregion
        });
        assertThat(passed.records()).as("all keys had passed before").isEmpty();
    }

    private static final int FEW = 5;

    /** Numbers that end long before the rest. */
    private static Stream<Long> few(Topology topology, String name, long from) {
        return topology.from(Sources.generate(FEW, i -> from + i))
                .name(name)
                .eventTime(i -> i, Duration.ZERO)
                .name(name + " times");
    }

    private static Stream<Long> sumsOf(Stream<Long> stream, String name) {
        return stream.keyBy(i -> 0L)
                .window(Windows.tumbling(Duration.ofMillis(FEW)))
                .aggregate(Aggregates.sum(i -> i))
                .name(name)
                .map(WindowResult::value)
                .as(Long.class);
    }

    private static void sumsOfFew(Topology topology) {
        numbers(topology).to(Sinks.each(i -> {})).name("rest");
        sumsOf(few(topology, "few", 0), "sums").to(Sinks.each(i -> {})).name("out");
    }

    @Test
    void shouldRefuseASource_beforeAnOperatorWhoseInputHadEnded() throws Exception {
        begin(StateIdentityTest::sumsOfFew);
        shouldBeRefused(
                topology -> {
                    numbers(topology).to(Sinks.each(i -> {})).name("rest");
                    sumsOf(few(topology, "few", 0).union(few(topology, "more", FEW)), "sums")
                            .to(Sinks.each(i -> {}))
                            .name("out");
                },
                "source 'more' leads to operator 'sums', whose input had ended in it",
                "give 'more' operators of its own");
        assertThatThrownBy(() -> goOn(topology(StateIdentityTest::sumsOfFew), now -> now.discarding(Set.of("few"))))
                .hasMessageContaining("source 'few' leads to operator 'sums'");
        goOn(StateIdentityTest::sumsOfFew);
    }

    @Test
    void shouldReadANewSource_besideOperatorsWhoseInputHadEnded() throws Exception {
        begin(StateIdentityTest::sumsOfFew);
        CollectSink<Long> sums = CollectSink.of(Long.class);
        goOn(topology -> {
            sumsOfFew(topology);
            sumsOf(few(topology, "more", FEW), "more sums").to(sums).name("more out");
        });
        assertThat(sums.records()).containsExactly(5L + 6 + 7 + 8 + 9);
    }

    @Test
    void shouldRefuseAnotherTopology_unlessToldThatItIsTheSame() throws Exception {
        begin(StateIdentityTest::twoStages);
        Topology other = Topology.named("other");
        twoStages(other);
        assertThatThrownBy(() -> goOn(other, now -> now))
                .hasMessageContaining("it is of topology 'job'")
                .hasMessageContaining("--accept-topology 'job'");
        goOn(other, now -> now.acceptingTopology("job"));
    }

    @Test
    void shouldRefuseStateThatNobodyOwns() throws Exception {
        begin(StateIdentityTest::twoStages);
        Consumer<Topology> without =
                topology -> numbers(topology).to(Sinks.each(i -> {})).name("sink");
        shouldBeRefused(without, "it holds state of operator 'distinct' (distinct)", "--discard-state 'distinct'");
        goOn(topology(without), now -> now.discarding(Set.of("distinct")));
    }

    @Test
    void shouldRefuseAnotherKindOfOperatorOfTheSameName() {
        begin(topology ->
                numbers(topology).keyBy(i -> i % 7).distinct().name("seen").to(Sinks.each(i -> {})));
        shouldBeRefused(
                topology -> numbers(topology)
                        .keyBy(i -> i % 7)
                        .aggregate(Aggregates.count())
                        .name("seen")
                        .to(Sinks.each(i -> {}))
                        .name("sink"),
                "operator 'seen' was a distinct (distinct), and is a running (running Count)");
    }

    private static Consumer<Topology> window(WindowSpec window, boolean sum) {
        return topology -> {
            Stream<Long> timed =
                    numbers(topology).eventTime(i -> i, Duration.ZERO).name("time");
            (sum
                            ? timed.keyBy(i -> i % 7).window(window).aggregate(Aggregates.sum(i -> i))
                            : timed.keyBy(i -> i % 7).window(window).aggregate(Aggregates.count()))
                    .name("window")
                    .to(Sinks.each(i -> {}))
                    .name("sink");
        };
    }

    @Test
    void shouldRefuseAnotherWindowOrAggregate() throws Exception {
        WindowSpec hours = Windows.tumbling(Duration.ofHours(1));
        begin(window(hours, false));
        shouldBeRefused(
                window(Windows.tumbling(Duration.ofHours(2)), false),
                "state 'aggregate' of operator 'window'",
                "'tumbling 3600000 ms: Count' there",
                "'tumbling 7200000 ms: Count' in this job");
        shouldBeRefused(window(hours, true), "'tumbling 3600000 ms: SumLong' in this job");
        goOn(window(hours, false));
    }

    @Test
    void shouldRefuseKeysOfAnotherType() {
        begin(topology -> numbers(topology)
                .keyBy(i -> i % 7)
                .distinct()
                .name("seen")
                .to(Sinks.each(i -> {}))
                .name("sink"));
        shouldBeRefused(
                topology -> numbers(topology)
                        .keyBy(i -> "key " + i % 7)
                        .distinct()
                        .name("seen")
                        .to(Sinks.each(i -> {}))
                        .name("sink"),
                "its keys were Long, and are String in this job");
    }

    static Long sevenths(Long number) {
        return number % 7;
    }

    static Long fifths(Long number) {
        return number % 5;
    }

    @Test
    void shouldWarnIfAKeyIsReadByAnotherMethod() throws Exception {
        begin(topology -> numbers(topology)
                .keyBy(StateIdentityTest::sevenths)
                .distinct()
                .name("seen")
                .to(Sinks.each(i -> {}))
                .name("sink"));
        goOn(topology -> numbers(topology)
                .keyBy(StateIdentityTest::fifths)
                .distinct()
                .name("seen")
                .to(Sinks.each(i -> {}))
                .name("sink"));
        assertThat(warnings)
                .anyMatch(warning -> warning.contains("operator 'seen'")
                        && warning.contains("its key was StateIdentityTest::sevenths in the checkpoint, and is"
                                + " StateIdentityTest::fifths"));
    }

    // ---- schemas

    /** What is remembered of each key, version by version. */
    interface Before {
        record Totals(long count, Before.Level level) {}

        enum Level {
            LOW,
            HIGH
        }
    }

    interface Added {
        record Totals(@Nullable String note, long count, Added.Level level, int more) {}

        enum Level {
            NONE,
            HIGH,
            LOW
        }
    }

    interface Removed {
        record Totals(long count) {}
    }

    interface Retyped {
        record Totals(int count, Before.Level level) {}
    }

    interface Next<S> extends Serializable {
        S after(@Nullable S old);
    }

    private static final class Keeping<S> implements KeyedOperator<Long, Long, String> {
        private final Type<S> type;
        private final Next<S> next;
        private @Nullable ValueState<S> state;

        Keeping(Type<S> type, Next<S> next) {
            this.type = type;
            this.next = next;
        }

        @Override
        public void open(KeyedContext context) {
            state = context.state("totals", type);
        }

        @Override
        public void process(Long key, Long value, Output<String> output) throws Exception {
            ValueState<S> kept = Objects.requireNonNull(state);
            kept.set(next.after(kept.get()));
            output.emit(String.valueOf(kept.get()));
        }
    }

    private static void before(Topology topology) {
        numbers(topology)
                .keyBy(i -> i % 3)
                .process(() -> new Keeping<>(
                        Type.of(Before.Totals.class),
                        old -> new Before.Totals(old == null ? 1 : old.count() + 1, Before.Level.HIGH)))
                .as(String.class)
                .name("keep")
                .to(Sinks.each(i -> {}))
                .name("sink");
    }

    @Test
    void shouldGiveDefaultsToFieldsThatWereAdded() throws Exception {
        begin(StateIdentityTest::before);
        CollectSink<String> seen = CollectSink.of(String.class);
        goOn(topology -> numbers(topology)
                .keyBy(i -> i % 3)
                .process(() -> new Keeping<>(
                        Type.of(Added.Totals.class),
                        old -> old == null
                                ? new Added.Totals("new", 0, Added.Level.NONE, -1)
                                : new Added.Totals(old.note(), old.count() + 1, old.level(), old.more())))
                .as(String.class)
                .name("keep")
                .to(seen)
                .name("sink"));
        assertThat(seen.records())
                .contains("Totals[note=null, count=334, level=HIGH, more=0]")
                .noneMatch(text -> text.contains("new"));
    }

    @Test
    void shouldRefuseFieldsThatAreGoneOrHaveAnotherType() {
        begin(StateIdentityTest::before);
        shouldBeRefused(
                topology -> numbers(topology)
                        .keyBy(i -> i % 3)
                        .process(() -> new Keeping<>(Type.of(Removed.Totals.class), old -> new Removed.Totals(1)))
                        .as(String.class)
                        .name("keep")
                        .to(Sinks.each(i -> {}))
                        .name("sink"),
                "state 'state totals' of operator 'keep'",
                "Totals.level (Level(LOW|HIGH)) is not there any more");
        shouldBeRefused(
                topology -> numbers(topology)
                        .keyBy(i -> i % 3)
                        .process(() -> new Keeping<>(
                                Type.of(Retyped.Totals.class), old -> new Retyped.Totals(1, Before.Level.LOW)))
                        .as(String.class)
                        .name("keep")
                        .to(Sinks.each(i -> {}))
                        .name("sink"),
                "Totals.count was Long, and is Integer");
    }

    // ---- lists and maps

    /** Keeps the last record of each key in a list and in a map. */
    private static final class Listing<S> implements KeyedOperator<Long, Long, String> {
        private final Type<S> type;
        private final Next<S> next;
        private @Nullable ListState<S> list;
        private @Nullable MapState<Long, S> map;

        Listing(Type<S> type, Next<S> next) {
            this.type = type;
            this.next = next;
        }

        @Override
        public void open(KeyedContext context) {
            list = context.listState("list", type);
            map = context.mapState("map", Type.of(Long.class), type);
        }

        @Override
        public void process(Long key, Long value, Output<String> output) throws Exception {
            ListState<S> inList = Objects.requireNonNull(list);
            MapState<Long, S> inMap = Objects.requireNonNull(map);
            S last = inMap.get(key);
            for (S each : inList) {
                assertThat(each).isEqualTo(last);
            }
            S after = next.after(last);
            inList.set(List.of(after));
            inMap.put(key, after);
            output.emit(String.valueOf(after));
        }
    }

    private static void listing(Topology topology) {
        numbers(topology)
                .keyBy(i -> i % 3)
                .process(() -> new Listing<>(
                        Type.of(Before.Totals.class),
                        old -> new Before.Totals(old == null ? 1 : old.count() + 1, Before.Level.HIGH)))
                .as(String.class)
                .name("keep")
                .to(Sinks.each(i -> {}))
                .name("sink");
    }

    @Test
    void shouldGiveDefaultsToFieldsThatWereAdded_inListsAndMaps() throws Exception {
        begin(StateIdentityTest::listing);
        CollectSink<String> seen = CollectSink.of(String.class);
        goOn(topology -> numbers(topology)
                .keyBy(i -> i % 3)
                .process(() -> new Listing<>(
                        Type.of(Added.Totals.class),
                        old -> old == null
                                ? new Added.Totals("new", 0, Added.Level.NONE, -1)
                                : new Added.Totals(old.note(), old.count() + 1, old.level(), old.more())))
                .as(String.class)
                .name("keep")
                .to(seen)
                .name("sink"));
        assertThat(seen.records())
                .contains("Totals[note=null, count=334, level=HIGH, more=0]")
                .noneMatch(text -> text.contains("new"));
    }

    @Test
    void shouldRefuseAListWhereThereWasAValue() {
        begin(StateIdentityTest::before);
        shouldBeRefused(
                topology -> numbers(topology)
                        .keyBy(i -> i % 3)
                        .process(TotalsInAList::new)
                        .as(String.class)
                        .name("keep")
                        .to(Sinks.each(i -> {}))
                        .name("sink"),
                "state 'state totals' of operator 'keep'",
                "and is List<Totals(");
    }

    private static final class TotalsInAList implements KeyedOperator<Long, Long, String> {
        @Override
        public void open(KeyedContext context) {
            context.listState("totals", Type.of(Before.Totals.class));
        }

        @Override
        public void process(Long key, Long value, Output<String> output) {}
    }
}
