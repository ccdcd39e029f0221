// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import static io.thalweg.api.operator.Aggregates.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AggregatesTest {
    enum Size {
        SMALL,
        LARGE
    }

    record Row(
            String name,
            long number,
            @Nullable Long amount,
            @Nullable Double share,
            @Nullable BigDecimal cost,
            @Nullable LocalDate day,
            @Nullable Size size) {

        static Row of(String name, @Nullable Long amount) {
            Double share = amount == null ? null : amount / 4.0;
            BigDecimal cost = amount == null ? null : BigDecimal.valueOf(amount, 2);
            LocalDate day = amount == null ? null : LocalDate.ofEpochDay(amount);
            return new Row(
                    name,
                    7,
                    amount,
                    share,
                    cost,
                    day,
                    amount == null ? null : amount % 2 == 0 ? Size.SMALL : Size.LARGE);
        }
    }

    record Longs(long least, long greatest) {}

    record Figures(
            long count, @Nullable Long greatest, @Nullable Double mean) {}

    private static final List<Row> SOME =
            List.of(Row.of("a", 4L), Row.of("bb", null), Row.of("c", 9L), Row.of("d", 2L));
    private static final List<Row> NULLS = List.of(Row.of("a", null), Row.of("b", null));

    /** In one go, and in two halves that pass through their codec and are merged. */
    private static <A, R> @Nullable R resultOf(Aggregate<Row, A, R> aggregate, List<Row> rows) throws Exception {
        A whole = aggregate.create();
        A first = aggregate.create();
        A second = aggregate.create();
        for (int i = 0; i < rows.size(); i++) {
            aggregate.add(whole, rows.get(i));
            aggregate.add(i < rows.size() / 2 ? first : second, rows.get(i));
        }
        A merged = copied(aggregate, first);
        aggregate.merge(merged, copied(aggregate, second));
        R result = aggregate.result(whole);
        assertThat(aggregate.result(merged)).isEqualTo(result);
        if (aggregate instanceof FlatAggregate<Row, A, R> flat) {
            assertThat(resultInLongs(flat, rows)).isEqualTo(result);
        }
        return result;
    }

    /** The same in an array where others stand too, which must stay as they are. */
    private static <A, R> @Nullable R resultInLongs(FlatAggregate<Row, A, R> aggregate, List<Row> rows)
            throws Exception {
        int each = aggregate.longs();
        long[] longs = new long[4 * each];
        Arrays.fill(longs, each, 2 * each, 99);
        for (int i = 0; i < rows.size(); i++) {
            aggregate.add(longs, i < rows.size() / 2 ? 0 : 2 * each, rows.get(i));
        }
        aggregate.set(longs, 3 * each, copied(aggregate, aggregate.accumulator(longs, 0)));
        aggregate.merge(longs, 3 * each, longs, 2 * each);
        assertThat(longs)
                .containsSequence(LongStream.generate(() -> 99).limit(each).toArray());
        return aggregate.result(longs, 3 * each);
    }

    private static <A> A copied(Aggregate<Row, A, ?> aggregate, A accumulator) {
        Codec<A> codec = aggregate.accumulatorType().codec();
        ByteWriter out = new ByteWriter(64);
        codec.encode(accumulator, out);
        return codec.decode(new ByteReader(out.toByteArray()));
    }

    @Test
    void shouldLeaveNullsOutAsSqlDoes() throws Exception {
        assertThat(resultOf(Aggregates.count(), SOME)).isEqualTo(4);
        assertThat(resultOf(Aggregates.countNonNull(Row::amount), SOME)).isEqualTo(3);
        assertThat(resultOf(Aggregates.sumOfLongs(Row::amount), SOME)).isEqualTo(15);
        assertThat(resultOf(Aggregates.sumOfDoubles(Row::share), SOME)).isEqualTo(3.75);
        assertThat(resultOf(Aggregates.sumOfDecimals(Row::cost), SOME)).isEqualTo(new BigDecimal("0.15"));
        assertThat(resultOf(Aggregates.mean(Row::amount), SOME)).isEqualTo(5.0);
        assertThat(resultOf(Aggregates.min(Row::amount), SOME)).isEqualTo(2);
        assertThat(resultOf(Aggregates.max(Row::day), SOME)).isEqualTo(LocalDate.ofEpochDay(9));
        assertThat(resultOf(Aggregates.distinct(Row::size), SOME)).isEqualTo(2);
    }

    @Test
    void shouldGiveNullForNothingButNullsAsSqlDoes() throws Exception {
        assertThat(resultOf(Aggregates.count(), NULLS)).isEqualTo(2);
        assertThat(resultOf(Aggregates.countNonNull(Row::amount), NULLS)).isZero();
        assertThat(resultOf(Aggregates.sumOfLongs(Row::amount), NULLS)).isNull();
        assertThat(resultOf(Aggregates.sumOfDoubles(Row::share), NULLS)).isNull();
        assertThat(resultOf(Aggregates.sumOfDecimals(Row::cost), NULLS)).isNull();
        assertThat(resultOf(Aggregates.mean(Row::amount), NULLS)).isNull();
        assertThat(resultOf(Aggregates.min(Row::amount), NULLS)).isNull();
        assertThat(resultOf(Aggregates.max(Row::day), NULLS)).isNull();
        assertThat(resultOf(Aggregates.distinct(Row::size), NULLS)).isZero();
    }

    @Test
    void shouldFindTheLeastAndGreatestByAnOrder() throws Exception {
        assertThat(resultOf(Aggregates.max(Row::name, Comparator.<String>reverseOrder()), SOME))
                .isEqualTo("a");
        assertThat(resultOf(Aggregates.min(Row::name, Comparator.<String>reverseOrder()), SOME))
                .isEqualTo("d");
        assertThat(resultOf(Aggregates.max(Row::name, (a, b) -> a.length() - b.length()), SOME))
                .isEqualTo("bb");
        assertThat(resultOf(Aggregates.min(Row::name, OrderFunction.by(String::length)), SOME))
                .isEqualTo("a");
    }

    @Test
    void shouldGiveTheTopRecordsByAValueOrAnOrder() throws Exception {
        assertThat(resultOf(Aggregates.top(2, Row.class, Row::amount), SOME)).containsExactly(SOME.get(2), SOME.get(0));
        assertThat(resultOf(Aggregates.top(9, Row.class, Row::amount), SOME))
                .containsExactly(SOME.get(2), SOME.get(0), SOME.get(3), SOME.get(1));
        assertThat(resultOf(
                        Aggregates.top(
                                2, Row.class, OrderFunction.by(Row::amount).reversed()),
                        SOME))
                .containsExactly(SOME.get(1), SOME.get(3));
        OrderFunction<Row> longest = OrderFunction.<Row, Long>by(Row::number)
                .thenBy(row -> row.name().length());
        assertThat(resultOf(Aggregates.top(2, Row.class, longest), SOME)).containsExactly(SOME.get(1), SOME.get(0));
        assertThat(resultOf(Aggregates.top(1, Row.class, (a, b) -> b.name().compareTo(a.name())), SOME))
                .containsExactly(SOME.get(0));
    }

    @Test
    void shouldSayHowToWriteAnOrderThatCanBeSerialized() {
        Comparator<Row> comparator = Comparator.comparing(Row::name);

        assertThatThrownBy(() -> Aggregates.top(3, Row.class, comparator))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be serialized")
                .hasMessageContaining("top(3, Reading.class, Reading::celsius)")
                .hasMessageContaining("OrderFunction.by");
    }

    @Test
    void shouldFillComponentsByName() throws Exception {
        Aggregate<Row, ?, Figures> figures = Aggregates.into(
                Figures.class,
                named("mean", Aggregates.mean(row -> row.amount())),
                named("count", Aggregates.count()),
                named("greatest", Aggregates.max(row -> row.amount())));

        assertThat(resultOf(figures, SOME)).isEqualTo(new Figures(4, 9L, 5.0));
        assertThat(resultOf(figures, NULLS)).isEqualTo(new Figures(2, null, null));
    }

    @Test
    void shouldKeepSumsAndCountsInLongsWhereverTheyAreNamed() {
        Aggregate<Row, ?, Longs> longs = Aggregates.into(
                Longs.class,
                named("greatest", Aggregates.countNonNull(Row::amount)),
                named("least", Aggregates.sum(Row::number)));

        assertThat(longs).isInstanceOf(CombinedLongs.class);
    }

    @Test
    void shouldRefuseNamesThatDoNotFit() {
        assertThatThrownBy(() -> Aggregates.into(Longs.class, named("least", Aggregates.<Row>count())))
                .hasMessage("component 'greatest' of record Longs has no aggregate; add named(\"greatest\", …)");
        assertThatThrownBy(() -> Aggregates.into(
                        Longs.class,
                        named("least", Aggregates.<Row>count()),
                        named("greatest", Aggregates.<Row>count()),
                        named("biggest", Aggregates.<Row>count())))
                .hasMessage("record Longs has no component 'biggest', but least, greatest");
        assertThatThrownBy(() -> Aggregates.into(
                        Longs.class, named("least", Aggregates.<Row>count()), named("least", Aggregates.<Row>count())))
                .hasMessage("component 'least' of record Longs is named twice");
        assertThatThrownBy(() -> Aggregates.into(
                        Longs.class,
                        named("least", Aggregates.<Row>count()),
                        named("greatest", Aggregates.mean(Row::amount))))
                .hasMessageContaining(
                        "component 'greatest' of record Longs is a Long, but its aggregate gives a Double");
    }

    @Test
    void shouldRefuseAPrimitiveForWhatIsMarkedNullable() {
        assertThatThrownBy(() -> Aggregates.into(Longs.class, Aggregates.min(Row::amount), Aggregates.<Row>count()))
                .hasMessage(
                        "component 'least' of record Longs is a long, but min(Row::amount) is null if all its values are;"
                                + " make the component a Long");
    }

    @Test
    void shouldNameTheComponentThatCannotTakeANull() throws Exception {
        Aggregate<Row, ?, Longs> longs =
                Aggregates.into(Longs.class, Aggregates.min(row -> row.amount()), Aggregates.<Row>count());

        assertThat(resultOf(longs, SOME)).isEqualTo(new Longs(2, 4));
        assertThatThrownBy(() -> resultOf(longs, NULLS))
                .isInstanceOf(NullValueException.class)
                .hasMessage(
                        "min(a lambda in AggregatesTest.shouldNameTheComponentThatCannotTakeANull) is null, because all"
                                + " its values were, and component 'least' of record Longs is a long: make it a Long");
    }

    /** @param combined the sum alone, or among several longs */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNameTheFunctionAndTheRecordOfANullInASum(boolean combined) {
        Aggregate<Row, ?, ?> sum = combined
                ? Aggregates.into(Longs.class, Aggregates.<Row>count(), Aggregates.sum(Row::amount))
                : Aggregates.sum(Row::amount);

        assertThatThrownBy(() -> resultOf(sum, SOME))
                .isInstanceOf(NullValueException.class)
                .hasMessage("sum(Row::amount) met a null in record " + SOME.get(1)
                        + ": use sumOfLongs, which leaves nulls out, or have the function return 0 instead");
        assertThatThrownBy(() -> resultOf(Aggregates.sumDouble(row -> row.share()), SOME))
                .hasMessageStartingWith("sumDouble(a lambda in AggregatesTest.")
                .hasMessageContaining("use sumOfDoubles");
    }

    @Test
    void shouldNameTheRecordsThatReduceMadeNullOf() {
        Aggregate<Row, ?, Row> reduced = Aggregates.reduce(
                io.thalweg.api.codec.Type.of(Row.class),
                (a, b) -> Arrays.asList((Row) null).get(0));

        assertThatThrownBy(() -> resultOf(reduced, SOME))
                .isInstanceOf(NullValueException.class)
                .hasMessageContaining("given to reduce, returned null for " + SOME.get(0) + " and " + SOME.get(1));
    }
}
