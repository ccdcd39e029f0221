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

    /** Not private: copies of the classes below call it. */
    static long sum(Object aggregate, long sofar, long next) {
        long sum = sofar + next;
        if (((sofar ^ sum) & (next ^ sum)) < 0) {
            throw new ArithmeticException("long overflow: " + aggregate
                    + " is more than a long holds; use sumOfDecimals, or sumDouble if it need not be exact");
        }
        return sum;
    }

    static final class Count<T> implements LongFold<T> {
        private static final long serialVersionUID = 1L;

        @Override
        public long fold(long sofar, T value) {
            return sofar + 1;
        }

        @Override
        public long join(long sofar, long other) {
            return sofar + other;
        }
    }

    static final class CountNonNull<T> implements LongFold<T> {
        private static final long serialVersionUID = 1L;

        private final NullableFunction<T, ?> field;

        CountNonNull(NullableFunction<T, ?> field) {
            this.field = field;
        }

        @Override
        public long fold(long sofar, T value) throws Exception {
            return field.apply(value) == null ? sofar : sofar + 1;
        }

        @Override
        public long join(long sofar, long other) {
            return sofar + other;
        }
    }

    static final class SumLong<T> implements LongFold<T> {
        private static final long serialVersionUID = 1L;

        private final ToLong<T> field;

        SumLong(ToLong<T> field) {
            this.field = field;
        }

        @Override
        public long fold(long sofar, T value) throws Exception {
            long next;
            try {
                next = field.apply(value);
            } catch (NullPointerException e) {
                throw nullIn(this, "sumOfLongs", value, e);
            }
            return sum(this, sofar, next);
        }

        @Override
        public long join(long sofar, long other) {
            return sum(this, sofar, other);
        }

        @Override
        public String toString() {
            return "sum(" + Signatures.describe(field) + ")";
        }
    }

    /** Its longs: the sum, and 1 if a value went into it. */
    static final class SumOfLongs<T> implements FlatAggregate<T, LongCell, Long>, OfNullable {
        private static final long serialVersionUID = 1L;

        private final NullableFunction<T, Long> field;

        SumOfLongs(NullableFunction<T, Long> field) {
            this.field = field;
        }

        @Override
        public int longs() {
            return 2;
        }

        @Override
        public void add(long[] longs, int at, T value) throws Exception {
            Long next = field.apply(value);
            if (next != null) {
                longs[at] = sum(this, longs[at], next);
                longs[at + 1] = 1;
            }
        }

        @Override
        public void merge(long[] longs, int at, long[] others, int atOthers) {
            longs[at] = sum(this, longs[at], others[atOthers]);
            longs[at + 1] |= others[atOthers + 1];
        }

        @Override
        public boolean associative() {
            return true;
        }

        @Override
        public @Nullable Long result(long[] longs, int at) {
            return longs[at + 1] == 0 ? null : longs[at];
        }

        @Override
        public LongCell accumulator(long[] longs, int at) {
            LongCell cell = new LongCell();
            cell.value = longs[at];
            cell.present = longs[at + 1] != 0;
            return cell;
        }

        @Override
        public void set(long[] longs, int at, LongCell accumulator) {
            longs[at] = accumulator.value;
            longs[at + 1] = accumulator.present ? 1 : 0;
        }

        @Override
        public LongCell create() {
            return new LongCell();
        }

        @Override
        public void add(LongCell accumulator, T value) throws Exception {
            Long next = field.apply(value);
            if (next != null) {
                accumulator.value = sum(this, accumulator.value, next);
                accumulator.present = true;
            }
        }

        @Override
        public void merge(LongCell accumulator, LongCell other) {
            accumulator.value = sum(this, accumulator.value, other.value);
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

    static final class SumOfDoubles<T> implements DoubleFold<T>, OfNullable {
        private static final long serialVersionUID = 1L;

        private final NullableFunction<T, Double> field;

        SumOfDoubles(NullableFunction<T, Double> field) {
            this.field = field;
        }

        @Override
        public @Nullable Double next(T value) throws Exception {
            return field.apply(value);
        }

        @Override
        public double result(double sum, long count) {
            return sum;
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

    /** One long, the bits of the sum. */
    static final class SumDouble<T> implements FlatAggregate<T, DoubleCell, Double> {
        private static final long serialVersionUID = 1L;

        private final ToDouble<T> field;

        SumDouble(ToDouble<T> field) {
            this.field = field;
        }

        private double next(T value) throws Exception {
            try {
                return field.apply(value);
            } catch (NullPointerException e) {
                throw nullIn(this, "sumOfDoubles", value, e);
            }
        }

        @Override
        public int longs() {
            return 1;
        }

        @Override
        public void add(long[] longs, int at, T value) throws Exception {
            longs[at] = Double.doubleToRawLongBits(Double.longBitsToDouble(longs[at]) + next(value));
        }

        @Override
        public void merge(long[] longs, int at, long[] others, int atOthers) {
            double sum = Double.longBitsToDouble(longs[at]) + Double.longBitsToDouble(others[atOthers]);
            longs[at] = Double.doubleToRawLongBits(sum);
        }

        @Override
        public Double result(long[] longs, int at) {
            return Double.longBitsToDouble(longs[at]);
        }

        @Override
        public DoubleCell accumulator(long[] longs, int at) {
            DoubleCell cell = new DoubleCell();
            cell.value = Double.longBitsToDouble(longs[at]);
            return cell;
        }

        @Override
        public void set(long[] longs, int at, DoubleCell accumulator) {
            longs[at] = Double.doubleToRawLongBits(accumulator.value);
        }

        @Override
        public DoubleCell create() {
            return new DoubleCell();
        }

        @Override
        public void add(DoubleCell accumulator, T value) throws Exception {
            accumulator.value += next(value);
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

    static final class Mean<T> implements DoubleFold<T>, OfNullable {
        private static final long serialVersionUID = 1L;

        private final NullableFunction<T, ? extends Number> field;

        Mean(NullableFunction<T, ? extends Number> field) {
            this.field = field;
        }

        @Override
        public @Nullable Double next(T value) throws Exception {
            Number number = field.apply(value);
            return number == null ? null : number.doubleValue();
        }

        @Override
        public double result(double sum, long count) {
            return sum / count;
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
