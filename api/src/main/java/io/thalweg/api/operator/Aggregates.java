// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Equality;
import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The ready-made aggregates. Nulls are treated as in SQL: an aggregate that reads a value through a {@link NullableFunction}
 * leaves nulls out; if all values are null, a sum, minimum, maximum or mean is null and a count is 0. {@link #sum} and {@link
 * #sumDouble} read primitives, which cannot be null: a null on the way to one fails the job with a message that names the
 * function and the record.
 *
 * <p>Where it matters which record came first, as for {@link #first}, {@link #list} or equal values, that is the order of
 * arrival. Sliding windows and sessions may be merged from parts: then it is the order of arrival within each part, and
 * the parts come one after the other.
 *
 * <pre>{@code
 * readings.keyBy(Reading::sensor)
 *         .window(Windows.tumbling(Duration.ofMinutes(1)))
 *         .aggregate(Aggregates.max(reading -> reading.celsius()))
 * }</pre>
 */
public final class Aggregates {
    private Aggregates() {}

    /** The number of records, as {@code count(*)} in SQL. */
    public static <T> Aggregate<T, LongCell, Long> count() {
        return new Basic.Count<>();
    }

    /** The number of values that are not null, as {@code count(column)} in SQL. */
    public static <T> Aggregate<T, LongCell, Long> countNonNull(NullableFunction<T, ?> field) {
        return new Basic.CountNonNull<>(field);
    }

    /**
     * The sum of whole numbers that are never null; for a {@code Long} that may be null use {@link #sumOfLongs}.
     *
     * <pre>{@code orders.keyBy(Order::customer).aggregate(Aggregates.sum(Order::cents))}</pre>
     *
     * @throws ArithmeticException at run time, which fails the job, if the sum overflows a {@code long}
     */
    public static <T> Aggregate<T, LongCell, Long> sum(ToLong<T> field) {
        return new Basic.SumLong<>(field);
    }

    /**
     * The sum of doubles that are never null; for a {@code Double} that may be null use {@link #sumOfDoubles}. Plain
     * addition in the order of arrival: the last bits of the result depend on that order.
     */
    public static <T> Aggregate<T, DoubleCell, Double> sumDouble(ToDouble<T> field) {
        return new Basic.SumDouble<>(field);
    }

    /** The sum of the values that are not null; null if there were none. An overflow fails the job. */
    public static <T> Aggregate<T, LongCell, Long> sumOfLongs(NullableFunction<T, Long> field) {
        return new Basic.SumOfLongs<>(field);
    }

    /**
     * The sum of the values that are not null; null if there were none. The last bits depend on the order of arrival.
     */
    public static <T> Aggregate<T, DoubleCell, Double> sumOfDoubles(NullableFunction<T, Double> field) {
        return new Basic.SumOfDoubles<>(field);
    }

    /** The exact sum of the values that are not null; null if there were none. */
    public static <T> Aggregate<T, ValueCell<BigDecimal>, BigDecimal> sumOfDecimals(
            NullableFunction<T, BigDecimal> field) {
        return new OfValues<>("sumOfDecimals", field, Type.of(BigDecimal.class), BigDecimal::add);
    }

    /**
     * The minimum of the values that are not null; null if there were none.
     *
     * @param field its values must be comparable with each other: numbers of one class, texts, dates, enums
     */
    @SuppressWarnings("unchecked") // values of one function are comparable with each other
    public static <T, V extends Comparable<?>> Aggregate<T, ValueCell<V>, V> min(NullableFunction<T, V> field) {
        Type<V> type = valueType(field);
        return PrimitiveBits.holds(type.raw())
                ? new OfPrimitives<>(OfPrimitives.Choice.MIN, field, type)
                : new OfValues<>("min", field, type, (a, b) -> ((Comparable<Object>) b).compareTo(a) < 0 ? b : a);
    }

    /** The least, by an order, of the values that are not null; of equal ones the first. Null if there was none. */
    public static <T, V> Aggregate<T, ValueCell<V>, V> min(
            NullableFunction<T, V> field, OrderFunction<? super V> order) {
        return new OfValues<>("min", field, valueType(field), (a, b) -> order.compare(b, a) < 0 ? b : a);
    }

    /**
     * The same as {@link #min(NullableFunction, OrderFunction)}, for a comparator.
     *
     * @throws IllegalArgumentException if the comparator cannot be serialized, as one made by {@code
     *     Comparator.comparing}; use {@link OrderFunction#by} instead
     */
    public static <T, V> Aggregate<T, ValueCell<V>, V> min(NullableFunction<T, V> field, Comparator<? super V> order) {
        return min(field, Orders.serializable(order));
    }

    /**
     * The maximum of the values that are not null; null if there were none.
     *
     * @param field its values must be comparable with each other: numbers of one class, texts, dates, enums
     */
    @SuppressWarnings("unchecked") // values of one function are comparable with each other
    public static <T, V extends Comparable<?>> Aggregate<T, ValueCell<V>, V> max(NullableFunction<T, V> field) {
        Type<V> type = valueType(field);
        return PrimitiveBits.holds(type.raw())
                ? new OfPrimitives<>(OfPrimitives.Choice.MAX, field, type)
                : new OfValues<>("max", field, type, (a, b) -> ((Comparable<Object>) b).compareTo(a) > 0 ? b : a);
    }

    /** The greatest, by an order, of the values that are not null; of equal ones the first. Null if there was none. */
    public static <T, V> Aggregate<T, ValueCell<V>, V> max(
            NullableFunction<T, V> field, OrderFunction<? super V> order) {
        return new OfValues<>("max", field, valueType(field), (a, b) -> order.compare(b, a) > 0 ? b : a);
    }

    /**
     * The same as {@link #max(NullableFunction, OrderFunction)}, for a comparator.
     *
     * @throws IllegalArgumentException if the comparator cannot be serialized, as one made by {@code
     *     Comparator.comparing}; use {@link OrderFunction#by} instead
     */
    public static <T, V> Aggregate<T, ValueCell<V>, V> max(NullableFunction<T, V> field, Comparator<? super V> order) {
        return max(field, Orders.serializable(order));
    }

    /** The arithmetic mean of the values that are not null; null if there were none. */
    public static <T> Aggregate<T, DoubleCell, Double> mean(NullableFunction<T, ? extends Number> field) {
        return new Basic.Mean<>(field);
    }

    /**
     * The number of distinct values that are not null. Exact: keeps each distinct value in memory.
     *
     * @throws CodecException if values with the same content are not equal, as arrays are
     */
    public static <T, V> Aggregate<T, Set<V>, Long> distinct(NullableFunction<T, V> field) {
        Type<V> type = valueType(field);
        Equality.check(type);
        return new Collecting.Distinct<>(field, type);
    }

    /**
     * The {@code n} records with the greatest values, greatest first; of equal ones those that came first. A null value
     * is less than any other. For the smallest records, or for several values: {@code top(3, Reading.class,
     * OrderFunction.by(Reading::celsius).thenBy(Reading::sensor).reversed())}.
     *
     * @param n at least 1
     * @throws IllegalArgumentException if {@code n} is less than 1
     */
    public static <T, V extends Comparable<?>> Aggregate<T, List<T>, List<T>> top(
            int n, Class<T> type, NullableFunction<? super T, V> value) {
        return top(n, Type.of(type), OrderFunction.<T, V>by(value));
    }

    /** The same as {@link #top(int, Class, NullableFunction)}, for a generic type. */
    public static <T, V extends Comparable<?>> Aggregate<T, List<T>, List<T>> top(
            int n, Type<T> type, NullableFunction<? super T, V> value) {
        return top(n, type, OrderFunction.<T, V>by(value));
    }

    /**
     * The {@code n} greatest records by an order, greatest first; of equal ones those that came first.
     *
     * @param n at least 1
     * @throws IllegalArgumentException if {@code n} is less than 1
     */
    public static <T> Aggregate<T, List<T>, List<T>> top(int n, Class<T> type, OrderFunction<? super T> order) {
        return top(n, Type.of(type), order);
    }

    /** The same as {@link #top(int, Class, OrderFunction)}, for a generic type. */
    public static <T> Aggregate<T, List<T>, List<T>> top(int n, Type<T> type, OrderFunction<? super T> order) {
        if (n < 1) {
            throw new IllegalArgumentException("top needs n of at least 1, not " + n);
        }
        return new Collecting.Top<>(n, type, order);
    }

    /**
     * The same as {@link #top(int, Class, OrderFunction)}, for a comparator.
     *
     * @throws IllegalArgumentException if the comparator cannot be serialized, as one made by {@code
     *     Comparator.comparing}; use {@link OrderFunction#by} instead
     */
    public static <T> Aggregate<T, List<T>, List<T>> top(int n, Class<T> type, Comparator<? super T> order) {
        return top(n, Type.of(type), Orders.serializable(order));
    }

    /** The same as {@link #top(int, Class, Comparator)}, for a generic type. */
    public static <T> Aggregate<T, List<T>, List<T>> top(int n, Type<T> type, Comparator<? super T> order) {
        return top(n, type, Orders.serializable(order));
    }

    /**
     * The record that came first. If records of a window come from several splits or tasks, that may be a different one
     * on each run.
     */
    public static <T> Aggregate<T, ValueCell<T>, T> first(Type<T> type) {
        return PrimitiveBits.holds(type.raw())
                ? new OfPrimitives<>(OfPrimitives.Choice.FIRST, value -> value, type)
                : new Collecting.Reduced<>(type, (a, b) -> a);
    }

    /**
     * The record that came last. If records of a window come from several splits or tasks, that may be a different one
     * on each run.
     */
    public static <T> Aggregate<T, ValueCell<T>, T> last(Type<T> type) {
        return PrimitiveBits.holds(type.raw())
                ? new OfPrimitives<>(OfPrimitives.Choice.LAST, value -> value, type)
                : new Collecting.Reduced<>(type, (a, b) -> b);
    }

    /**
     * Combines two values into one, repeatedly.
     *
     * @param function must be associative, and must not return null: that fails the job with a message that names the
     *     two records
     */
    public static <T> Aggregate<T, ValueCell<T>, T> reduce(Type<T> type, ReduceFunction<T> function) {
        return new Collecting.Reduced<>(type, function);
    }

    /** All records, in the order of arrival. Keeps them all in memory. */
    public static <T> Aggregate<T, List<T>, List<T>> list(Type<T> type) {
        return new Collecting.All<>(type);
    }

    /**
     * Several aggregates at once, each filling one component of a record, by position. If two adjacent components have
     * the same type, the topology warns, because swapping them would go unnoticed; {@link #into(Class,
     * NamedAggregate...)} assigns them by name.
     *
     * <p>A component that may have no value must not be a primitive: a minimum of values that are all null fails the
     * job there.
     *
     * @param result a record with as many components as there are aggregates, of their result types, in their order
     * @throws IllegalArgumentException if number or types do not match, or if a primitive component would be filled
     *     from a method that is marked {@code @Nullable}
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T, R extends Record> Aggregate<T, ?, R> into(Class<R> result, Aggregate<T, ?, ?>... aggregates) {
        return Combined.into(new RecordMaker<>(result, List.of(aggregates), true), List.of(aggregates));
    }

    /**
     * Several aggregates at once, each filling the component of a record that it names, in any order:
     *
     * <pre>{@code
     * Aggregates.into(Figures.class,
     *         Aggregates.named("count", Aggregates.count()),
     *         Aggregates.named("hottest", Aggregates.max(Reading::celsius)))
     * }</pre>
     *
     * @param result a record; each component must be named once
     * @throws IllegalArgumentException if names or types do not match, or if a primitive component would be filled from
     *     a method that is marked {@code @Nullable}
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T, R extends Record> Aggregate<T, ?, R> into(Class<R> result, NamedAggregate<T>... aggregates) {
        List<Aggregate<T, ?, ?>> inOrder = RecordMaker.inOrder(result, List.of(aggregates));
        return Combined.into(new RecordMaker<>(result, inOrder, false), inOrder);
    }

    /** An aggregate and the record component it fills, for {@link #into(Class, NamedAggregate...)}. */
    public static <T> NamedAggregate<T> named(String component, Aggregate<T, ?, ?> aggregate) {
        return new NamedAggregate<>(component, aggregate);
    }

    private static <V> Type<V> valueType(Serializable field) {
        Type<?> type = Signatures.resultOf(field, NullableFunction.class);
        if (type == null) {
            throw new CodecException("the type of the value cannot be read from " + Signatures.describe(field)
                    + ", which was given to the aggregate; use a method reference or a function that names its type");
        }
        @SuppressWarnings("unchecked") // what the function returns is V
        Type<V> value = (Type<V>) type;
        return value;
    }
}
