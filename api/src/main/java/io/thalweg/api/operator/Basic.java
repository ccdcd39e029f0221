// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates over numbers. Each has one constructor, which takes its fields in order: an engine makes a copy of the class
 * for one use of it, whose call to the user's function then meets one function only.
 */
final class Basic {
    private Basic() {}

    /** A function that is to return a number met a null: the number itself, or something on the way to it. */
    static NullValueException nullIn(Object aggregate, String lenient, Object record, NullPointerException cause) {
        return new NullValueException(
                aggregate + " met a null in record " + NullValueException.shown(record) + ": use " + lenient
                        + ", which leaves nulls out, or have the function return 0 instead",
                cause);
    }

    static final class Count<T> implements Aggregate<T, LongCell, Long>, LongFold<T> {
        private static final long serialVersionUID = 1L;

        @Override
        public LongCell create() {
            return new LongCell();
        }

        @Override
        public void add(LongCell accumulator, T value) {
            accumulator.value++;
        }

        @Override
        public long fold(long sofar, T value) {
            return sofar + 1;
        }

        @Override
        public long join(long sofar, long other) {
            return sofar + other;
        }

        @Override
        public void merge(LongCell accumulator, LongCell other) {
            accumulator.value += other.value;
        }

        @Override
        public Long result(LongCell accumulator) {
            return accumulator.value;
        }

        @Override
        public Type<LongCell> accumulatorType() {
            return Type.of(LongCell.class);
        }

        @Override
        public Type<Long> resultType() {
            return Type.of(Long.class);
        }
    }

    static final class CountNonNull<T> implements Aggregate<T, LongCell, Long>, LongFold<T> {
        private static final long serialVersionUID = 1L;

        private final NullableFunction<T, ?> field;

        CountNonNull(NullableFunction<T, ?> field) {
            this.field = field;
        }

        @Override
        public LongCell create() {
            return new LongCell();
        }

        @Override
        public void add(LongCell accumulator, T value) throws Exception {
            accumulator.value = fold(accumulator.value, value);
        }

        @Override
        public long fold(long sofar, T value) throws Exception {
            return field.apply(value) == null ? sofar : sofar + 1;
        }

        @Override
        public long join(long sofar, long other) {
            return sofar + other;
        }

        @Override
        public void merge(LongCell accumulator, LongCell other) {
            accumulator.value += other.value;
        }

        @Override
        public Long result(LongCell accumulator) {
            return accumulator.value;
        }

        @Override
        public Type<LongCell> accumulatorType() {
            return Type.of(LongCell.class);
        }

        @Override
        public Type<Long> resultType() {
            return Type.of(Long.class);
        }
    }

    static final class SumLong<T> implements Aggregate<T, LongCell, Long>, LongFold<T> {
        private static final long serialVersionUID = 1L;

        private final ToLong<T> field;

        SumLong(ToLong<T> field) {
            this.field = field;
        }

        @Override
        public LongCell create() {
            return new LongCell();
        }

        @Override
        public void add(LongCell accumulator, T value) throws Exception {
            accumulator.value = fold(accumulator.value, value);
        }

        @Override
        public long fold(long sofar, T value) throws Exception {
            long next;
            try {
                next = field.apply(value);
            } catch (NullPointerException e) {
                throw nullIn(this, "sumOfLongs", value, e);
            }
            return Math.addExact(sofar, next);
        }

        @Override
        public long join(long sofar, long other) {
            return Math.addExact(sofar, other);
        }

        @Override
        public void merge(LongCell accumulator, LongCell other) {
            accumulator.value = Math.addExact(accumulator.value, other.value);
        }

        @Override
        public Long result(LongCell accumulator) {
            return accumulator.value;
        }

        @Override
        public Type<LongCell> accumulatorType() {
            return Type.of(LongCell.class);
        }

        @Override
        public Type<Long> resultType() {
            return Type.of(Long.class);
        }

        @Override
        public String toString() {
            return "sum(" + Signatures.describe(field) + ")";
        }
    }

    static final class SumOfLongs<T> implements Aggregate<T, LongCell, Long>, OfNullable {
        private static final long serialVersionUID = 1L;

        private final NullableFunction<T, Long> field;

        SumOfLongs(NullableFunction<T, Long> field) {
            this.field = field;
        }

        @Override
        public LongCell create() {
            return new LongCell();
        }

        @Override
        public void add(LongCell accumulator, T value) throws Exception {
            Long next = field.apply(value);
            if (next != null) {
                accumulator.value = Math.addExact(accumulator.value, next);
                accumulator.present = true;
            }
        }

        @Override
        public void merge(LongCell accumulator, LongCell other) {
            accumulator.value = Math.addExact(accumulator.value, other.value);
            accumulator.present |= other.present;
        }

        @Override
        public @Nullable Long result(LongCell accumulator) {
            return !accumulator.present ? null : accumulator.value;
        }

        @Override
        public Type<LongCell> accumulatorType() {
            return Type.of(LongCell.class);
        }

        @Override
        public Type<Long> resultType() {
            return Type.of(Long.class);
        }

        @Override
        public NullableFunction<T, Long> field() {
            return field;
        }

        @Override
        public String toString() {
            return "sumOfLongs(" + Signatures.describe(field) + ")";
        }
    }

    static final class SumOfDoubles<T> implements Aggregate<T, DoubleCell, Double>, OfNullable {
        private static final long serialVersionUID = 1L;

        private final NullableFunction<T, Double> field;

        SumOfDoubles(NullableFunction<T, Double> field) {
            this.field = field;
        }

        @Override
        public DoubleCell create() {
            return new DoubleCell();
        }

        @Override
        public void add(DoubleCell accumulator, T value) throws Exception {
            Double next = field.apply(value);
            if (next != null) {
                accumulator.value += next;
                accumulator.count++;
            }
        }

        @Override
        public void merge(DoubleCell accumulator, DoubleCell other) {
            accumulator.value += other.value;
            accumulator.count += other.count;
        }

        @Override
        public @Nullable Double result(DoubleCell accumulator) {
            return accumulator.count == 0 ? null : accumulator.value;
        }

        @Override
        public Type<DoubleCell> accumulatorType() {
            return Type.of(DoubleCell.class);
        }

        @Override
        public Type<Double> resultType() {
            return Type.of(Double.class);
        }

        @Override
        public NullableFunction<T, Double> field() {
            return field;
        }

        @Override
        public String toString() {
            return "sumOfDoubles(" + Signatures.describe(field) + ")";
        }
    }

    static final class SumDouble<T> implements Aggregate<T, DoubleCell, Double> {
        private static final long serialVersionUID = 1L;

        private final ToDouble<T> field;

        SumDouble(ToDouble<T> field) {
            this.field = field;
        }

        @Override
        public DoubleCell create() {
            return new DoubleCell();
        }

        @Override
        public void add(DoubleCell accumulator, T value) throws Exception {
            double next;
            try {
                next = field.apply(value);
            } catch (NullPointerException e) {
                throw nullIn(this, "sumOfDoubles", value, e);
            }
            accumulator.value += next;
        }

        @Override
        public void merge(DoubleCell accumulator, DoubleCell other) {
            accumulator.value += other.value;
        }

        @Override
        public Double result(DoubleCell accumulator) {
            return accumulator.value;
        }

        @Override
        public Type<DoubleCell> accumulatorType() {
            return Type.of(DoubleCell.class);
        }

        @Override
        public Type<Double> resultType() {
            return Type.of(Double.class);
        }

        @Override
        public String toString() {
            return "sumDouble(" + Signatures.describe(field) + ")";
        }
    }

    static final class Mean<T> implements Aggregate<T, DoubleCell, Double>, OfNullable {
        private static final long serialVersionUID = 1L;

        private final NullableFunction<T, ? extends Number> field;

        Mean(NullableFunction<T, ? extends Number> field) {
            this.field = field;
        }

        @Override
        public DoubleCell create() {
            return new DoubleCell();
        }

        @Override
        public void add(DoubleCell accumulator, T value) throws Exception {
            Number number = field.apply(value);
            if (number != null) {
                accumulator.value += number.doubleValue();
                accumulator.count++;
            }
        }

        @Override
        public void merge(DoubleCell accumulator, DoubleCell other) {
            accumulator.value += other.value;
            accumulator.count += other.count;
        }

        @Override
        public @Nullable Double result(DoubleCell accumulator) {
            return accumulator.count == 0 ? null : accumulator.value / accumulator.count;
        }

        @Override
        public Type<DoubleCell> accumulatorType() {
            return Type.of(DoubleCell.class);
        }

        @Override
        public Type<Double> resultType() {
            return Type.of(Double.class);
        }

        @Override
        public NullableFunction<T, ? extends Number> field() {
            return field;
        }

        @Override
        public String toString() {
            return "mean(" + Signatures.describe(field) + ")";
        }
    }
}
