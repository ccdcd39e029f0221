// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;

/** The ready-made aggregates. Those that read a nullable value leave nulls out, as SQL does. */
public final class Aggregates {
    private Aggregates() {}

    public static <T> Aggregate<T, LongCell, Long> count() {
        return new Basic.Count<>();
    }

    /** @throws ArithmeticException while running, where the sum leaves the range of long */
    public static <T> Aggregate<T, LongCell, Long> sum(ToLong<T> field) {
        return new Basic.SumLong<>(field);
    }

    /** Plain addition in the order of arrival: the last bits may differ where that order does. */
    public static <T> Aggregate<T, DoubleCell, Double> sumDouble(ToDouble<T> field) {
        return new Basic.SumDouble<>(field);
    }

    /** Sum of the values that are there; null where there was none. */
    public static <T> Aggregate<T, LongCell, Long> sumOfLongs(NullableFunction<T, Long> field) {
        return new Basic.SumOfLongs<>(field);
    }

    /** Sum of the values that are there; null where there was none. */
    public static <T> Aggregate<T, DoubleCell, Double> sumOfDoubles(NullableFunction<T, Double> field) {
        return new Basic.SumOfDoubles<>(field);
    }

    /** Sum of the values that are there; null where there was none. */
    public static <T> Aggregate<T, ValueCell<BigDecimal>, BigDecimal> sumOfDecimals(
            NullableFunction<T, BigDecimal> field) {
        return new OfValues<>(field, Type.of(BigDecimal.class), BigDecimal::add, "Sum");
    }

    /** The least of the values that are there; null where there was none. */
    public static <T, V extends Comparable<? super V>> Aggregate<T, ValueCell<V>, V> min(NullableFunction<T, V> field) {
        return new OfValues<>(field, valueType(field), (a, b) -> b.compareTo(a) < 0 ? b : a, "Min");
    }

    /** The greatest of the values that are there; null where there was none. */
    public static <T, V extends Comparable<? super V>> Aggregate<T, ValueCell<V>, V> max(NullableFunction<T, V> field) {
        return new OfValues<>(field, valueType(field), (a, b) -> b.compareTo(a) > 0 ? b : a, "Max");
    }

    /** Arithmetic mean of the values that are there; null where there was none. */
    public static <T> Aggregate<T, DoubleCell, Double> mean(NullableFunction<T, ? extends Number> field) {
        return new Basic.Mean<>(field);
    }

    /** How many different values there were; keeps each of them. */
    public static <T, V> Aggregate<T, Set<V>, Long> distinct(NullableFunction<T, V> field) {
        return new Collecting.Distinct<>(field, valueType(field));
    }

    /** The {@code n} greatest records, greatest first; of equal ones those that came first. */
    public static <T> Aggregate<T, List<T>, List<T>> top(int n, Type<T> type, OrderFunction<T> order) {
        if (n < 1) {
            throw new IllegalArgumentException("top needs n of at least 1, not " + n);
        }
        return new Collecting.Top<>(n, type, order);
    }

    public static <T> Aggregate<T, List<T>, List<T>> top(int n, Class<T> type, OrderFunction<T> order) {
        return top(n, Type.of(type), order);
    }

    /** The record that came first: with several paths to the window, whichever was first on this run. */
    public static <T> Aggregate<T, ValueCell<T>, T> first(Type<T> type) {
        return new Collecting.Reduced<>(type, (a, b) -> a);
    }

    /** The record that came last: with several paths to the window, whichever was last on this run. */
    public static <T> Aggregate<T, ValueCell<T>, T> last(Type<T> type) {
        return new Collecting.Reduced<>(type, (a, b) -> b);
    }

    public static <T> Aggregate<T, ValueCell<T>, T> reduce(Type<T> type, ReduceFunction<T> function) {
        return new Collecting.Reduced<>(type, function);
    }

    /** All records, in the order of arrival. */
    public static <T> Aggregate<T, List<T>, List<T>> list(Type<T> type) {
        return new Collecting.All<>(type);
    }

    /**
     * Several aggregates at once, each filling one component of a record.
     *
     * @param result a record with as many components as there are aggregates, of their result types, in their order
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T, R extends Record> Aggregate<T, ?, R> into(Class<R> result, Aggregate<T, ?, ?>... aggregates) {
        return Combined.into(result, List.of(aggregates));
    }

    private static <V> Type<V> valueType(NullableFunction<?, V> field) {
        Type<?> type = Signatures.resultOf(field, NullableFunction.class);
        if (type == null) {
            throw new CodecException("the type of the value cannot be read from the function given to the aggregate;"
                    + " use a method reference or a function that names its type");
        }
        @SuppressWarnings("unchecked") // what the function returns is V
        Type<V> value = (Type<V>) type;
        return value;
    }
}
