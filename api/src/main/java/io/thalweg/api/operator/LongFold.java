// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;

/** An aggregate whose accumulator is one long that begins at 0 and is the result: count, sum. */
interface LongFold<T> extends FlatAggregate<T, LongCell, Long> {
    long fold(long sofar, T value) throws Exception;

    long join(long sofar, long other);

    @Override
    default int longs() {
        return 1;
    }

    @Override
    default void add(long[] longs, int at, T value) throws Exception {
        longs[at] = fold(longs[at], value);
    }

    @Override
    default void merge(long[] longs, int at, long[] others, int atOthers) {
        longs[at] = join(longs[at], others[atOthers]);
    }

    @Override
    default boolean associative() {
        return true;
    }

    @Override
    default Long result(long[] longs, int at) {
        return longs[at];
    }

    @Override
    default LongCell accumulator(long[] longs, int at) {
        LongCell cell = new LongCell();
        cell.value = longs[at];
        return cell;
    }

    @Override
    default void set(long[] longs, int at, LongCell accumulator) {
        longs[at] = accumulator.value;
    }

    @Override
    default LongCell create() {
        return new LongCell();
    }

    @Override
    default void add(LongCell accumulator, T value) throws Exception {
        accumulator.value = fold(accumulator.value, value);
    }

    @Override
    default void merge(LongCell accumulator, LongCell other) {
        accumulator.value = join(accumulator.value, other.value);
    }

    @Override
    default Long result(LongCell accumulator) {
        return accumulator.value;
    }

    @Override
    default Type<LongCell> accumulatorType() {
        return Type.of(LongCell.class);
    }

    @Override
    default Type<Long> resultType() {
        return Type.of(Long.class);
    }
}
