// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static io.thalweg.api.operator.Aggregates.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.KeyedStream;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.testkit.FaultySource;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules for null keys, null values and bad rows of a table, for any runner. */
@SuppressWarnings("NullAway") // like user code without null checks
@Timeout(900)
public abstract class NullRulesContract {
    private static final Duration TEN_MS = Duration.ofMillis(10);

    /** A way to run topologies; at a parallelism of more than one it tests more. */
    protected abstract TestRunner road();

    record Reading(
            @Nullable String sensor, long time, @Nullable Long value) implements Serializable {}

    record Place(@Nullable String sensor, String room) implements Serializable {}

    record Placed(String room, long time) implements Serializable {}

    record Figures(
            long count,
            long known,
            @Nullable Long greatest,
            @Nullable Long sum) implements Serializable {}

    record Figure(long greatest) implements Serializable {}

    record Sensor(String sensor, Figures figures) implements Serializable {}

    private static final List<Reading> READINGS = List.of(
            new Reading("a", 1, 5L),
            new Reading("a", 2, null),
            new Reading("b", 3, null),
            new Reading("a", 4, 7L),
            new Reading("c", 5, 3L));

    private final Topology topology = Topology.named("nulls");

    private Stream<Reading> readings(Reading... more) {
        List<Reading> all = new ArrayList<>(READINGS);
        all.addAll(Arrays.asList(more));
        return topology.from(new FaultySource<>(Type.of(Reading.class), all))
                .name("readings")
                .eventTime(Reading::time, TEN_MS);
    }

    private Outcome run() throws Exception {
        return road().run(topology.graph());
    }

    @Test
    void shouldLeaveNullsOutOfAggregates() throws Exception {
        readings()
                .keyBy(Reading::sensor)
                .window(Windows.tumbling(TEN_MS))
                .aggregate(Aggregates.into(
                        Figures.class,
                        named("count", Aggregates.count()),
                        named("known", Aggregates.countNonNull(Reading::value)),
                        named("greatest", Aggregates.max(Reading::value)),
                        named("sum", Aggregates.sumOfLongs(Reading::value))))
                .map(result -> new Sensor(result.key(), result.value()))
                .to(Sinks.discard())
                .name("sink");

        assertThat(run().sink("sink"))
                .containsExactlyInAnyOrder(
                        new Sensor("a", new Figures(3, 2, 7L, 12L)),
                        new Sensor("b", new Figures(1, 0, null, null)),
                        new Sensor("c", new Figures(1, 1, 3L, 3L)));
    }

    private static @Nullable String sensorOf(Place place) {
        if (place.room().isEmpty()) {
            throw new BadRecordException("a place without a room", place.toString());
        }
        return place.sensor();
    }

    private static Placed placed(Reading reading, @Nullable Place place) {
        return new Placed(place == null ? "nowhere" : place.room(), reading.time());
    }

    @Test
    void shouldJoinWithATableAsSqlDoesAndCountItsBadRowsOnce() throws Exception {
        FaultySource<Place> places = new FaultySource<>(
                Type.of(Place.class),
                Arrays.asList(
                        new Place("a", "attic"),
                        null,
                        new Place(null, "limbo"),
                        new Place("b", ""),
                        new Place("a", "kitchen"),
                        null));
        readings(new Reading(null, 6, 1L), new Reading("b", 7, 1L))
                .shuffle()
                .join(places, NullRulesContract::sensorOf, Reading::sensor, NullRulesContract::placed)
                .to(Sinks.discard())
                .name("sink");

        Outcome outcome = run();

        assertThat(outcome.sink("sink"))
                .containsExactlyInAnyOrder(
                        new Placed("kitchen", 1),
                        new Placed("kitchen", 2),
                        new Placed("nowhere", 3),
                        new Placed("kitchen", 4),
                        new Placed("nowhere", 5),
                        new Placed("nowhere", 6),
                        new Placed("nowhere", 7));
        assertThat(outcome.bad()).isEqualTo(3);
    }

    /** What stands behind keyBy. */
    enum Behind {
        TUMBLING,
        SLIDING,
        SESSION,
        WHOLE,
        RUNNING,
        DISTINCT,
        OPERATOR,
        MAP
    }

    private static Stream<?> behind(KeyedStream<String, Reading> keyed, Behind behind) {
        return switch (behind) {
            case TUMBLING -> keyed.window(Windows.tumbling(TEN_MS)).aggregate(Aggregates.count());
            case SLIDING ->
                keyed.window(Windows.sliding(TEN_MS, Duration.ofMillis(5))).aggregate(Aggregates.count());
            case SESSION -> keyed.window(Windows.session(TEN_MS)).aggregate(Aggregates.count());
            case WHOLE -> keyed.window(Windows.whole()).aggregate(Aggregates.count());
            case RUNNING -> keyed.aggregate(Aggregates.count());
            case DISTINCT -> keyed.distinct();
            case OPERATOR -> keyed.process(LastTime::new);
            case MAP -> keyed.records().map(Reading::time);
        };
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailAtANullKeyAndNameTheRecord(Behind behind) {
        Reading without = new Reading(null, 6, 1L);
        behind(readings(without).keyBy(Reading::sensor), behind)
                .name("behind")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(this::run)
                .hasMessageContaining("operator 'behind'")
                .hasMessageContaining("Reading::sensor, given to keyBy, returned null for record " + without);
    }

    @Test
    void shouldNameTheOperator_whoseKeyCannotBeComputed() {
        readings(new Reading(null, 6, 1L))
                .keyBy(reading -> reading.sensor().length())
                .distinct()
                .name("behind")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(this::run)
                .hasMessageContaining("operator 'behind'")
                .hasMessageContaining("NullPointerException");
    }

    /** Where an iterable fails that was given to flatMap. */
    enum Fails {
        ITERATOR,
        FIRST,
        LATER
    }

    /** Gives the time of each record twice, but for the one of time 4, where it fails. */
    private record Failing(Fails at, boolean bad) implements FlatMapFunction<Reading, Long> {
        private RuntimeException failure(Reading reading) {
            return bad
                    ? new BadRecordException("it is torn", reading.toString())
                    : new IllegalStateException("it is torn");
        }

        @Override
        public Iterable<Long> apply(Reading reading) {
            boolean fails = reading.time() == 4;
            return () -> {
                if (fails && at == Fails.ITERATOR) {
                    throw failure(reading);
                }
                return new Iterator<>() {
                    private int given;

                    @Override
                    public boolean hasNext() {
                        return given < 2;
                    }

                    @Override
                    public Long next() {
                        if (fails && given == (at == Fails.FIRST ? 0 : 1)) {
                            throw failure(reading);
                        }
                        given++;
                        return reading.time();
                    }
                };
            };
        }
    }

    private void flatMap(Fails at, boolean bad) {
        readings()
                .map(reading -> reading)
                .name("before")
                .flatMap(new Failing(at, bad))
                .as(Long.class)
                .name("torn")
                .to(Sinks.discard())
                .name("sink");
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameTheOperatorWhoseIterableFails(Fails at) {
        flatMap(at, false);

        assertThatThrownBy(this::run).hasMessageContaining("operator 'torn'").hasMessageContaining("it is torn");
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountABadRecordOfAnIterableAndGoOn(Fails at) throws Exception {
        flatMap(at, true);

        Outcome outcome = run();

        List<Long> times = new ArrayList<>(List.of(1L, 1L, 2L, 2L, 3L, 3L, 5L, 5L));
        times.addAll(at == Fails.LATER ? List.of(4L) : List.of());
        assertThat(outcome.sink("sink")).hasSameElementsAs(times).hasSize(times.size());
        assertThat(outcome.bad()).isEqualTo(1);
    }

    /** Goes on after it was refused to emit a null at a time far ahead. */
    private static final class Insisting implements Operator<Reading, Reading> {
        @Override
        public void process(Reading reading, Output<Reading> output) {
            try {
                output.emitAt(reading.time() + 1_000, null);
            } catch (RuntimeException e) {
                output.emit(reading);
            }
        }
    }

    @Test
    void shouldKeepTheTimeOfARecordAfterANullWasRefused() throws Exception {
        readings()
                .process(Insisting::new)
                .window(Windows.tumbling(TEN_MS))
                .aggregate(Aggregates.count())
                .map(result -> result.start() + ": " + result.value())
                .to(Sinks.discard())
                .name("sink");

        assertThat(run().sink("sink")).containsExactly("0: 5");
    }

    /** Catches what its own work throws, and with it what emitting does. */
    private static final class Catching implements Operator<Reading, Reading> {
        @Override
        public void process(Reading reading, Output<Reading> output) {
            try {
                output.emit(reading);
            } catch (RuntimeException e) {
                // the record is left out
            }
        }
    }

    @Test
    void shouldFailAtANull_thoughTheOperatorBeforeCatchesWhatEmittingThrows() {
        readings(new Reading(null, 6, 1L))
                .process(Catching::new)
                .map(reading -> reading.sensor().length())
                .name("behind")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(this::run).hasMessageContaining("operator 'behind'");
    }

    @Test
    void shouldNameTheComponentAndTheWindowOfANullWhereNoneCanBe() {
        readings()
                .filter(reading -> "b".equals(reading.sensor()))
                .keyBy(Reading::sensor)
                .window(Windows.tumbling(TEN_MS))
                .aggregate(Aggregates.into(Figure.class, Aggregates.max(reading -> reading.value())))
                .name("greatest")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(this::run)
                .hasMessageContaining("operator 'greatest'")
                .hasMessageContaining("component 'greatest' of record Figure is a long: make it a Long");
    }

    @Test
    void shouldNameTheRecordOfANullInASum() {
        readings()
                .keyBy(Reading::sensor)
                .window(Windows.tumbling(TEN_MS))
                .aggregate(Aggregates.sum(Reading::value))
                .name("sums")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(this::run)
                .hasMessageContaining("operator 'sums'")
                .hasMessageContaining("sum(Reading::value) met a null in record Reading[")
                .hasMessageContaining("use sumOfLongs");
    }

    @Test
    void shouldRefuseANullState() {
        readings()
                .filter(reading -> reading.value() == null)
                .keyBy(Reading::sensor)
                .process(LastValue::new)
                .name("last")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(this::run)
                .hasMessageContaining("operator 'last'")
                .hasMessageContaining("state 'last' was given null");
    }

    /** Whether anybody reads it or not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseANullThatIsEmittedToASideOutput(boolean read) {
        Stream<Long> times = readings().process(Aside::new).name("aside");
        times.to(Sinks.discard()).name("sink");
        if (read) {
            times.side(Aside.VALUES).to(Sinks.discard()).name("values");
        }

        assertThatThrownBy(this::run).hasMessageContaining("operator 'aside'").hasMessageContaining("emitted null");
    }

    private static final class Aside implements Operator<Reading, Long> {
        static final SideOutput<Long> VALUES = SideOutput.of("values", Long.class);

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(VALUES);
        }

        @Override
        public void process(Reading reading, Output<Long> output) {
            output.emit(VALUES, reading.value());
        }
    }

    /** It swallowed the failure, and the record was lost. */
    @Test
    void shouldFailBehindAnOperatorThatCatchesWhateverIsThrown() {
        readings()
                .process(CatchingAll::new)
                .map(Reading::value)
                .name("value")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(this::run).hasMessageContaining("operator 'value'");
    }

    private static final class CatchingAll implements Operator<Reading, Reading> {
        @Override
        public void process(Reading reading, Output<Reading> output) {
            try {
                output.emit(reading);
            } catch (Throwable e) {
                // on with the next
            }
        }
    }

    private static final class LastTime implements KeyedOperator<String, Reading, Long> {
        @Override
        public void process(String key, Reading reading, Output<Long> output) {
            output.emit(reading.time());
        }
    }

    private static final class LastValue implements KeyedOperator<String, Reading, Long> {
        private @Nullable ValueState<Long> last;

        @Override
        public void open(KeyedContext context) {
            last = context.state("last", Type.of(Long.class));
        }

        @Override
        public void process(String key, Reading reading, Output<Long> output) {
            last.set(reading.value());
        }
    }
}
