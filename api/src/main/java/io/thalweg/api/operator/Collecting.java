// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Aggregates that keep records or values. */
final class Collecting {
    private Collecting() {}

    record Distinct<T, V>(NullableFunction<T, V> field, Type<V> type) implements Aggregate<T, Set<V>, Long> {
        @Override
        public Set<V> create() {
            return new HashSet<>();
        }

        @Override
        public void add(Set<V> accumulator, T value) throws Exception {
            V next = field.apply(value);
            if (next != null) {
                accumulator.add(next);
            }
        }

        @Override
        public void merge(Set<V> accumulator, Set<V> other) {
            accumulator.addAll(other);
        }

        @Override
        public Long result(Set<V> accumulator) {
            return (long) accumulator.size();
        }

        @Override
        public Type<Set<V>> accumulatorType() {
            return Type.set(type);
        }

        @Override
        public Type<Long> resultType() {
            return Type.of(Long.class);
        }

        /** A value that may change is part of the record. */
        @Override
        public boolean keepsRecords() {
            return !type.codec().immutable();
        }
    }

    /** Keeps the list sorted, greatest first. */
    record Top<T>(int n, Type<T> type, OrderFunction<? super T> order) implements Aggregate<T, List<T>, List<T>> {
        @Override
        public String describe() {
            return "Top " + n;
        }

        @Override
        public List<T> create() {
            return new ArrayList<>();
        }

        @Override
        public void add(List<T> accumulator, T value) {
            int size = accumulator.size();
            if (size == n && order.compare(value, accumulator.get(size - 1)) <= 0) {
                return;
            }
            int low = 0;
            int high = size;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (order.compare(value, accumulator.get(middle)) > 0) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            accumulator.add(low, value);
            if (size == n) {
                accumulator.remove(n);
            }
        }

        @Override
        public void merge(List<T> accumulator, List<T> other) {
            other.forEach(value -> add(accumulator, value));
        }

        @Override
        public List<T> result(List<T> accumulator) {
            return List.copyOf(accumulator);
        }

        @Override
        public Type<List<T>> accumulatorType() {
            return Type.list(type);
        }

        @Override
        public Type<List<T>> resultType() {
            return Type.list(type);
        }

        @Override
        public boolean keepsRecords() {
            return true;
        }
    }

    record All<T>(Type<T> type) implements Aggregate<T, List<T>, List<T>> {
        @Override
        public List<T> create() {
            return new ArrayList<>();
        }

        @Override
        public void add(List<T> accumulator, T value) {
            accumulator.add(value);
        }

        @Override
        public void merge(List<T> accumulator, List<T> other) {
            accumulator.addAll(other);
        }

        @Override
        public List<T> result(List<T> accumulator) {
            return List.copyOf(accumulator);
        }

        @Override
        public Type<List<T>> accumulatorType() {
            return Type.list(type);
        }

        @Override
        public Type<List<T>> resultType() {
            return Type.list(type);
        }

        @Override
        public boolean keepsRecords() {
            return true;
        }
    }

    record Reduced<T>(Type<T> type, ReduceFunction<T> function) implements Aggregate<T, ValueCell<T>, T> {
        @Override
        public ValueCell<T> create() {
            return new ValueCell<>();
        }

        @Override
        public void add(ValueCell<T> accumulator, T value) throws Exception {
            T known = accumulator.value;
            accumulator.value = known == null ? value : joined(known, value);
        }

        private T joined(T a, T b) throws Exception {
            T joined = function.reduce(a, b);
            if (joined == null) {
                throw new NullValueException(Signatures.describe(function) + ", given to reduce, returned null for "
                        + NullValueException.shown(a) + " and " + NullValueException.shown(b)
                        + "; it must return a record");
            }
            return joined;
        }

        @Override
        public void merge(ValueCell<T> accumulator, ValueCell<T> other) throws Exception {
            if (other.value != null) {
                add(accumulator, other.value);
            }
        }

        @Override
        public T result(ValueCell<T> accumulator) {
            if (accumulator.value == null) {
                throw new IllegalStateException("no record was added");
            }
            return accumulator.value;
        }

        @Override
        public Type<ValueCell<T>> accumulatorType() {
            return Type.of(ValueCell.class, type);
        }

        @Override
        public Type<T> resultType() {
            return type;
        }

        @Override
        public boolean keepsRecords() {
            return true;
        }
    }
}
