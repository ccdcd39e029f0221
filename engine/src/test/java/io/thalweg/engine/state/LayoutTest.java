// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import static io.thalweg.api.operator.Aggregates.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.engine.chain.Specialiser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Accumulators in rows beside those that the same aggregates make as objects. */
final class LayoutTest {
    private static final double[] STRANGE = {
        0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.MIN_VALUE, -Double.MAX_VALUE
    };

    /** A record of each primitive type; any of them may be null. */
    record Row(
            @Nullable Long number,
            @Nullable Double fraction,
            @Nullable Integer small,
            @Nullable Float share,
            @Nullable Short shorter,
            @Nullable Byte least,
            @Nullable Character letter,
            @Nullable Boolean flag,
            String text) {
        static Row random(SplittableRandom random) {
            boolean numbers = random.nextInt(4) > 0;
            double fraction = random.nextBoolean() ? STRANGE[random.nextInt(STRANGE.length)] : random.nextInt(9) / 8.0;
            long[] edges = {Long.MIN_VALUE, Long.MAX_VALUE, random.nextInt(99), -random.nextInt(99)};
            long number = edges[random.nextInt(4)];
            return new Row(
                    numbers ? number : null,
                    numbers ? fraction : null,
                    random.nextBoolean() ? (int) number : null,
                    random.nextBoolean() ? (float) fraction : null,
                    random.nextBoolean() ? (short) random.nextInt() : null,
                    random.nextBoolean() ? (byte) random.nextInt() : null,
                    random.nextBoolean() ? (char) random.nextInt() : null,
                    random.nextBoolean() ? random.nextBoolean() : null,
                    "text " + random.nextInt(5));
        }

        /** Not so great that a sum of some of them could overflow. */
        @Nullable Long moderate() {
            return number == null ? null : number % 1_000;
        }

        long always() {
            return text.length();
        }

        /** Not both infinities, of whose sum the bits depend on the machine. */
        @Nullable Double lower() {
            return fraction == null || fraction == Double.POSITIVE_INFINITY ? null : fraction;
        }

        double lowerOrNothing() {
            Double lower = lower();
            return lower == null ? -0.0 : lower;
        }
    }

    record Figures(
            @Nullable Double highest,
            List<Row> top,
            long count,
            @Nullable String text,
            @Nullable Double mean,
            @Nullable String last,
            long sum) {}

    record Longs(long count, long sum, long known) {}

    static Stream<Arguments> aggregates() {
        Stream.Builder<Aggregate<Row, ?, ?>> all = Stream.builder();
        all.add(Aggregates.count()).add(Aggregates.countNonNull(Row::number)).add(Aggregates.sum(Row::always));
        all.add(Aggregates.sumDouble(Row::lowerOrNothing)).add(Aggregates.sumOfLongs(Row::moderate));
        all.add(Aggregates.sumOfDoubles(Row::lower)).add(Aggregates.mean(Row::lower));
        all.add(Aggregates.mean(Row::small)).add(Aggregates.min(Row::number)).add(Aggregates.max(Row::number));
        all.add(Aggregates.min(Row::fraction)).add(Aggregates.max(Row::fraction));
        all.add(Aggregates.min(Row::small)).add(Aggregates.max(Row::small));
        all.add(Aggregates.min(Row::share)).add(Aggregates.max(Row::share));
        all.add(Aggregates.min(Row::shorter)).add(Aggregates.max(Row::shorter));
        all.add(Aggregates.min(Row::least)).add(Aggregates.max(Row::least));
        all.add(Aggregates.min(Row::letter)).add(Aggregates.max(Row::letter));
        all.add(Aggregates.min(Row::flag)).add(Aggregates.max(Row::flag));
        all.add(Aggregates.max(Row::text));
        all.add(Aggregates.first(Type.of(Row.class)));
        all.add(Aggregates.into(
                Longs.class, Aggregates.count(), Aggregates.sum(Row::always), Aggregates.countNonNull(Row::letter)));
        all.add(Aggregates.into(
                Figures.class,
                named("sum", Aggregates.sum(Row::always)),
                named("top", Aggregates.top(2, Row.class, Row::number)),
                named("count", Aggregates.count()),
                named("text", Aggregates.min(Row::text)),
                named("highest", Aggregates.max(Row::fraction)),
                named("last", Aggregates.max(Row::text)),
                named("mean", Aggregates.mean(Row::number))));
        return all.build().map(aggregate -> Arguments.of(aggregate.toString(), aggregate));
    }

    @SuppressWarnings("unchecked") // an aggregate meets the records and the accumulators that it is for
    private static Aggregate<Object, Object, Object> untyped(Aggregate<?, ?, ?> aggregate) {
        return (Aggregate<Object, Object, Object>) aggregate;
    }

    private static byte[] saved(Aggregate<Object, Object, Object> aggregate, Object accumulator) {
        ByteWriter out = new ByteWriter(64);
        aggregate.accumulatorType().codec().encode(accumulator, out);
        return out.toByteArray();
    }

    private static Adder adder(Layout layout) {
        return Adder.of(layout, new Specialiser(true));
    }

    /** Also what is saved: so what was saved before there were rows can be restored into them. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("aggregates")
    void shouldHoldWhatAccumulatorsHold(String name, Aggregate<?, ?, ?> typed) throws Exception {
        Aggregate<Object, Object, Object> aggregate = untyped(typed);
        SplittableRandom random = new SplittableRandom(name.hashCode());
        Layout layout = new Layout(aggregate);
        Adder adder = adder(layout);
        Results results = results(layout);
        KeyTable table = new KeyTable(layout);
        Map<Integer, Object> expected = new HashMap<>();
        for (int step = 0; step < 3_000; step++) {
            Integer key = random.nextInt(1 + step / 4);
            Row row = Row.random(random);
            int entry = table.find(key, KeyHash.PLAIN.of(key));
            if (entry < 0) {
                entry = table.add(key, KeyHash.PLAIN.of(key));
            }
            adder.add(table, entry, row);
            Object accumulator = expected.computeIfAbsent(key, k -> aggregate.create());
            aggregate.add(accumulator, row);
            assertThat(results.of(table, entry)).isEqualTo(aggregate.result(accumulator));
        }
        assertThat(table.size()).isEqualTo(expected.size());
        for (int entry = 0; entry < table.size(); entry++) {
            Object accumulator = expected.get((Integer) table.key(entry));
            assertThat(accumulator).isNotNull();
            assertThat(saved(aggregate, table.read(entry))).isEqualTo(saved(aggregate, accumulator));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("aggregates")
    void shouldRestoreWhatWasSavedAndMergeIt(String name, Aggregate<?, ?, ?> typed) throws Exception {
        Aggregate<Object, Object, Object> aggregate = untyped(typed);
        SplittableRandom random = new SplittableRandom(name.hashCode());
        Layout layout = new Layout(aggregate);
        Results results = results(layout);
        Codec<Object> codec = aggregate.accumulatorType().codec();
        for (int round = 0; round < 300; round++) {
            Object first = filled(aggregate, random);
            Object second = filled(aggregate, random);
            KeyTable table = new KeyTable(layout);
            table.restore("first", KeyHash.PLAIN.of("first"), codec.decode(new ByteReader(saved(aggregate, first))));
            table.restore("second", KeyHash.PLAIN.of("second"), codec.decode(new ByteReader(saved(aggregate, second))));
            assertThat(saved(aggregate, table.read(0))).isEqualTo(saved(aggregate, first));

            layout.merge(table, 0, table, 1);
            aggregate.merge(first, second);

            assertThat(saved(aggregate, table.read(0))).isEqualTo(saved(aggregate, first));
            assertThat(saved(aggregate, table.read(1))).isEqualTo(saved(aggregate, second));
            if (!name.startsWith("Reduced")) {
                assertThat(results.of(table, 0)).isEqualTo(aggregate.result(first));
            }
        }
    }

    private static @Nullable Object result(Rows rows, int row) throws Exception {
        return results(rows.layout).of(rows, row);
    }

    /** By a handle and as an array, which must be the same. */
    private static Results results(Layout layout) {
        Results byHandle = Results.of(layout, new Specialiser(true));
        Results asAnArray = Results.of(layout, new Specialiser(false));
        return (rows, row) -> {
            Object result = byHandle.of(rows, row);
            assertThat(result).isEqualTo(asAnArray.of(rows, row));
            return result;
        };
    }

    private static Object filled(Aggregate<Object, Object, Object> aggregate, SplittableRandom random)
            throws Exception {
        Object accumulator = aggregate.create();
        for (int left = random.nextInt(4); left > 0; left--) {
            aggregate.add(accumulator, Row.random(random));
        }
        return accumulator;
    }

    @ParameterizedTest
    @MethodSource("values")
    void shouldKeepTheFirstAndLastOfPrimitivesInLongs(List<Object> values) throws Exception {
        @SuppressWarnings("unchecked") // the class of the values
        Type<Object> type = (Type<Object>) (Type<?>) Type.of(values.get(0).getClass());
        for (Aggregate<Object, ?, Object> each : List.of(Aggregates.first(type), Aggregates.last(type))) {
            Layout layout = new Layout(untyped(each));
            KeyTable table = new KeyTable(layout);
            Adder adder = adder(layout);
            int entry = table.add("key", 0);
            for (Object value : values) {
                adder.add(table, entry, value);
            }
            assertThat(layout.objects()).isZero();
            assertThat(each.describe()).as("as checkpoints call it").isEqualTo("Reduced");
            assertThat(result(table, entry)).isIn(values.get(0), values.get(values.size() - 1));
        }
        KeyTable firsts = new KeyTable(new Layout(untyped(Aggregates.first(type))));
        firsts.restore("key", KeyHash.PLAIN.of("key"), firstOf(type, values));
        assertThat(result(firsts, 0)).isEqualTo(values.get(0));
    }

    private static Object firstOf(Type<Object> type, List<Object> values) throws Exception {
        Aggregate<Object, Object, Object> first = untyped(Aggregates.first(type));
        Object accumulator = first.create();
        for (Object value : values) {
            first.add(accumulator, value);
        }
        return accumulator;
    }

    static Stream<List<Object>> values() {
        return Stream.of(
                List.of(3L, 4L),
                List.of(-0.0, 1.5),
                List.of(3, -4),
                List.of(2.5f, Float.NaN),
                List.of((short) 1, (short) -2),
                List.of((byte) -1, (byte) 2),
                List.of('a', '\uffff'),
                List.of(true, false));
    }

    @Test
    void shouldUseObjectsOnlyForWhatIsNoNumber() {
        Layout mixed = new Layout(untyped(Aggregates.into(
                Figures.class,
                named("sum", Aggregates.<Row>sum(Row::always)),
                named("top", Aggregates.<Row, Long>top(2, Row.class, Row::number)),
                named("count", Aggregates.<Row>count()),
                named("text", Aggregates.<Row, String>min(Row::text)),
                named("highest", Aggregates.<Row, Double>max(Row::fraction)),
                named("last", Aggregates.<Row, String>max(Row::text)),
                named("mean", Aggregates.<Row>mean(Row::number)))));

        assertThat(mixed.objects()).isEqualTo(3);
        assertThat(mixed.longs()).isEqualTo(6);
    }

    /** A row that could not be begun is not there, and the next one does not see anything of it. */
    @Test
    void shouldBeginARowAgainIfItsAccumulatorCannotBeMade() throws Exception {
        List<Object> made = new ArrayList<>();
        Aggregate<Object, Object, Object> list = untyped(Aggregates.list(Type.of(String.class)));
        Layout layout = new Layout(new Aggregate<>() {
            @Override
            public Object create() {
                made.add("one");
                if (made.size() == 1) {
                    throw new IllegalStateException("not now");
                }
                return list.create();
            }

            @Override
            public void add(Object accumulator, Object value) throws Exception {
                list.add(accumulator, value);
            }

            @Override
            public void merge(Object accumulator, Object other) throws Exception {
                list.merge(accumulator, other);
            }

            @Override
            public @Nullable Object result(Object accumulator) throws Exception {
                return list.result(accumulator);
            }

            @Override
            public Type<Object> accumulatorType() {
                return list.accumulatorType();
            }

            @Override
            public @Nullable Type<Object> resultType() {
                return list.resultType();
            }
        });
        KeyTable table = new KeyTable(layout);
        Spans spans = new Spans(layout);

        assertThatThrownBy(() -> table.add("a", 1)).hasMessage("not now");
        assertThat(table.size()).isZero();
        assertThat(table.find("a", 1)).isEqualTo(-1);
        assertThat(table.add("b", 1)).isZero();
        made.clear();
        assertThatThrownBy(() -> spans.add(0, 1, 2)).hasMessage("not now");
        assertThat(spans.add(0, 1, 2)).isZero();
        spans.remove(0);
        made.clear();
        assertThatThrownBy(() -> spans.add(0, 1, 2)).hasMessage("not now");
        assertThat(spans.add(0, 1, 2)).isZero();
        assertThat(spans.add(0, 1, 2)).isEqualTo(1);
    }

    @Test
    void shouldBeginASpanEmptyWhoseNumberWasInUse() throws Exception {
        Layout layout = new Layout(untyped(Aggregates.<Row, Long>max(Row::number)));
        Spans spans = new Spans(layout);
        int first = spans.add(0, 1, 2);
        adder(layout).add(spans, first, Row.random(new SplittableRandom(7)));
        spans.remove(first);

        assertThat(spans.add(5, 6, 7)).isEqualTo(first);
        assertThat(result(spans, first)).isNull();
    }

    record Primitives(long greatest, long total) {}

    record Refusing(@Nullable Long greatest) {
        Refusing {
            Objects.requireNonNull(greatest, "it wants a number");
        }
    }

    @Test
    void shouldNameThePrimitiveComponentWithoutAValue() {
        Layout layout = new Layout(untyped(Aggregates.into(
                Primitives.class, Aggregates.<Row, Long>max(Row::always), Aggregates.sum(Row::always))));
        assertThatThrownBy(() -> result(withoutRecords(layout), 0))
                .isInstanceOf(NullValueException.class)
                .hasMessageContaining("component 'greatest' of record Primitives is a long");
    }

    @Test
    void shouldThrowWhatTheConstructorOfTheRecordThrows() {
        Layout layout = new Layout(untyped(Aggregates.into(Refusing.class, Aggregates.<Row, Long>max(Row::number))));
        assertThatThrownBy(() -> result(withoutRecords(layout), 0))
                .isExactlyInstanceOf(NullPointerException.class)
                .hasMessage("it wants a number");
    }

    private static KeyTable withoutRecords(Layout layout) {
        KeyTable table = new KeyTable(layout);
        table.add("key", 0);
        return table;
    }
}
