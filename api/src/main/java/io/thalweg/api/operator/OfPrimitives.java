// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One of the values that a function reads and that are not null: the least or greatest by their own order, the first or the last.
 * They are of a primitive type, boxed. Its longs: 1 if there is a value, and that as {@link PrimitiveBits}. As with {@link
 * Basic}, the constructor takes the fields in order.
 */
final class OfPrimitives<T, V> implements FlatAggregate<T, ValueCell<V>, V>, OfNullable {
    private static final long serialVersionUID = 1L;

    enum Choice {
        MIN,
        MAX,
        FIRST,
        LAST
    }

    private final Choice choice;
    private final NullableFunction<T, V> field;
    private final Type<V> type;

    /**
     * @param type one that {@link PrimitiveBits#holds}
     */
    OfPrimitives(Choice choice, NullableFunction<T, V> field, Type<V> type) {
        this.choice = choice;
        this.field = field;
        this.type = type;
    }

    @Override
    public int longs() {
        return 2;
    }

    @Override
    public void add(long[] longs, int at, T value) throws Exception {
        V next = field.apply(value);
        if (next != null) {
            add(longs, at, PrimitiveBits.of(next));
        }
    }

    private void add(long[] longs, int at, long next) {
        if (longs[at] == 0
                || (choice == Choice.MAX && next > longs[at + 1])
                || (choice == Choice.MIN && next < longs[at + 1])
                || choice == Choice.LAST) {
            longs[at] = 1;
            longs[at + 1] = next;
        }
    }

    @Override
    public void merge(long[] longs, int at, long[] others, int atOthers) {
        if (others[atOthers] != 0) {
            add(longs, at, others[atOthers + 1]);
        }
    }

    @Override
    public boolean associative() {
        return true;
    }

    @Override
    public @Nullable V result(long[] longs, int at) {
        return longs[at] == 0 ? null : value(longs[at + 1]);
    }

    @SuppressWarnings("unchecked") // of the type that went in
    private V value(long bits) {
        return (V) PrimitiveBits.value(bits, type.raw());
    }

    @Override
    public ValueCell<V> accumulator(long[] longs, int at) {
        ValueCell<V> cell = new ValueCell<>();
        cell.value = result(longs, at);
        return cell;
    }

    @Override
    public void set(long[] longs, int at, ValueCell<V> accumulator) {
        V value = accumulator.value;
        longs[at] = value == null ? 0 : 1;
        longs[at + 1] = value == null ? 0 : PrimitiveBits.of(value);
    }

    @Override
    public ValueCell<V> create() {
        return new ValueCell<>();
    }

    @Override
    public void add(ValueCell<V> accumulator, T value) throws Exception {
        replace(accumulator, field.apply(value));
    }

    @Override
    public void merge(ValueCell<V> accumulator, ValueCell<V> other) {
        replace(accumulator, other.value);
    }

    @SuppressWarnings("unchecked") // boxes are comparable with those of their class
    private void replace(ValueCell<V> accumulator, @Nullable V next) {
        V known = accumulator.value;
        if (next == null) {
            return;
        }
        boolean replaces = known == null
                || switch (choice) {
                    case MIN -> ((Comparable<V>) next).compareTo(known) < 0;
                    case MAX -> ((Comparable<V>) next).compareTo(known) > 0;
                    case FIRST -> false;
                    case LAST -> true;
                };
        if (replaces) {
            accumulator.value = next;
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

    /** First and last are called what they were when checkpoints with them were written. */
    @Override
    public String describe() {
        return choice == Choice.FIRST || choice == Choice.LAST ? "Reduced" : name();
    }

    private String name() {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public NullableFunction<T, V> field() {
        return field;
    }

    @Override
    public String toString() {
        return name() + "(" + Signatures.describe(field) + ")";
    }
}
