// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import org.jspecify.annotations.Nullable;

/**
 * Joins the values that a function reads and that are not null: min, max, sums of decimals. As with {@link Basic},
 * the constructor takes the fields in order.
 */
final class OfValues<T, V> implements Aggregate<T, ValueCell<V>, V>, OfNullable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final NullableFunction<T, V> field;
    private final Type<V> type;
    private final ReduceFunction<V> join;

    OfValues(String name, NullableFunction<T, V> field, Type<V> type, ReduceFunction<V> join) {
        this.name = name;
        this.field = field;
        this.type = type;
        this.join = join;
    }

    @Override
    public ValueCell<V> create() {
        return new ValueCell<>();
    }

    @Override
    public void add(ValueCell<V> accumulator, T value) throws Exception {
        V next = field.apply(value);
        if (next != null) {
            V known = accumulator.value;
            accumulator.value = known == null ? next : join.reduce(known, next);
        }
    }

    @Override
    public void merge(ValueCell<V> accumulator, ValueCell<V> other) throws Exception {
        V next = other.value;
        if (next != null) {
            V known = accumulator.value;
            accumulator.value = known == null ? next : join.reduce(known, next);
        }
    }

    @Override
    public @Nullable V result(ValueCell<V> accumulator) {
        return accumulator.value;
    }

    @Override
    public Type<ValueCell<V>> accumulatorType() {
        return Type.of(ValueCell.class, type);
    }

    @Override
    public Type<V> resultType() {
        return type;
    }

    /** A value that may change is part of the record. */
    @Override
    public boolean keepsRecords() {
        return !type.codec().immutable();
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public NullableFunction<T, V> field() {
        return field;
    }

    @Override
    public String toString() {
        return name + "(" + Signatures.describe(field) + ")";
    }
}
