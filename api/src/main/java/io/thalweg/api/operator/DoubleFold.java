// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;
import org.jspecify.annotations.Nullable;

/** An aggregate whose accumulator is a sum of doubles, as its bits, and how many there were: sum, mean. */
interface DoubleFold<T> extends FlatAggregate<T, DoubleCell, Double> {
    /** The next value; null if there is none. */
    @Nullable Double next(T value) throws Exception;

    /** The result of one value or more. */
    double result(double sum, long count);

    @Override
    default int longs() {
        return 2;
    }

    @Override
    default void add(long[] longs, int at, T value) throws Exception {
        Double next = next(value);
        if (next != null) {
            longs[at] = Double.doubleToRawLongBits(Double.longBitsToDouble(longs[at]) + next);
            longs[at + 1]++;
        }
    }

    @Override
    default void merge(long[] longs, int at, long[] others, int atOthers) {
        double sum = Double.longBitsToDouble(longs[at]) + Double.longBitsToDouble(others[atOthers]);
        longs[at] = Double.doubleToRawLongBits(sum);
        longs[at + 1] += others[atOthers + 1];
    }

    @Override
    default @Nullable Double result(long[] longs, int at) {
        return longs[at + 1] == 0 ? null : result(Double.longBitsToDouble(longs[at]), longs[at + 1]);
    }

    @Override
    default DoubleCell accumulator(long[] longs, int at) {
        DoubleCell cell = new DoubleCell();
        cell.value = Double.longBitsToDouble(longs[at]);
        cell.count = longs[at + 1];
        return cell;
    }

    @Override
    default void set(long[] longs, int at, DoubleCell accumulator) {
        longs[at] = Double.doubleToRawLongBits(accumulator.value);
        longs[at + 1] = accumulator.count;
    }

    @Override
    default DoubleCell create() {
        return new DoubleCell();
    }

    @Override
    default void add(DoubleCell accumulator, T value) throws Exception {
        Double next = next(value);
        if (next != null) {
            accumulator.value += next;
            accumulator.count++;
        }
    }

    @Override
    default void merge(DoubleCell accumulator, DoubleCell other) {
        accumulator.value += other.value;
        accumulator.count += other.count;
    }

    @Override
    default @Nullable Double result(DoubleCell accumulator) {
        return accumulator.count == 0 ? null : result(accumulator.value, accumulator.count);
    }

    @Override
    default Type<DoubleCell> accumulatorType() {
        return Type.of(DoubleCell.class);
    }

    @Override
    default Type<Double> resultType() {
        return Type.of(Double.class);
    }
}
