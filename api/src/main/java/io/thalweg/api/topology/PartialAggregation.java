// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import org.jspecify.annotations.Nullable;

/** The parts of an aggregation in two steps: accumulators of each key in several tasks, which are then merged in one. */
final class PartialAggregation {
    private PartialAggregation() {}

    /** The second step, which is what the user sees. */
    static <K, T, A, R> Stream<WindowResult<K, R>> of(
            Stream<T> stream, KeySpec key, int parts, WindowSpec window, Aggregate<T, A, R> whole) {
        Type<K> keys = Stream.cast(key.type());
        Stream<WindowResult<Part<K>, A>> partial = stream.<Dealt<T>>process(() -> new Dealer<T>(parts))
                .as(Type.<Dealt<T>>of(Dealt.class, stream.recordType()))
                .keyBy(
                        dealt -> new Part<>(Stream.<K>cast(keyOf(key, dealt.value())), dealt.part()),
                        Type.<Part<K>>of(Part.class, keys))
                .window(window)
                .aggregate(new Partial<>(whole));
        Stream<WindowResult<K, R>> merged =
                partial.keyBy(part -> part.key().key(), keys).window(window).aggregate(new Merging<>(whole));
        partial.node().partOf(merged.node());
        return merged;
    }

    private static Object keyOf(KeySpec key, Object value) throws Exception {
        Object of = key.function().apply(value);
        if (of == null) {
            throw NullValueException.ofKey(key.function(), value);
        }
        return of;
    }

    /** A record, and which part of its key it counts for. */
    record Dealt<T>(T value, int part) {}

    /** One of several parts of a key. */
    record Part<K>(K key, int part) {}

    /** Deals records to the parts in turn. */
    static final class Dealer<T> implements Operator<T, Dealt<T>> {
        private final int parts;
        private int next;

        Dealer(int parts) {
            this.parts = parts;
        }

        @Override
        public void open(OperatorContext context) {
            next = context.task() % parts;
        }

        @Override
        public void process(T value, Output<Dealt<T>> output) {
            output.emit(new Dealt<>(value, next));
            next = next + 1 == parts ? 0 : next + 1;
        }
    }

    /** Its result is the accumulator. */
    record Partial<T, A>(Aggregate<T, A, ?> whole) implements Aggregate<Dealt<T>, A, A> {
        @Override
        public A create() {
            return whole.create();
        }

        @Override
        public void add(A accumulator, Dealt<T> dealt) throws Exception {
            whole.add(accumulator, dealt.value());
        }

        @Override
        public void merge(A accumulator, A other) throws Exception {
            whole.merge(accumulator, other);
        }

        @Override
        public A result(A accumulator) {
            return accumulator;
        }

        @Override
        public Type<A> accumulatorType() {
            return whole.accumulatorType();
        }

        @Override
        public Type<A> resultType() {
            return whole.accumulatorType();
        }

        @Override
        public boolean keepsRecords() {
            return whole.keepsRecords();
        }

        @Override
        public String describe() {
            return "part of " + whole.describe();
        }
    }

    /** Merges accumulators. */
    record Merging<K, A, R>(Aggregate<?, A, R> whole) implements Aggregate<WindowResult<Part<K>, A>, A, R> {
        @Override
        public A create() {
            return whole.create();
        }

        @Override
        public void add(A accumulator, WindowResult<Part<K>, A> part) throws Exception {
            whole.merge(accumulator, part.value());
        }

        @Override
        public void merge(A accumulator, A other) throws Exception {
            whole.merge(accumulator, other);
        }

        @Override
        public @Nullable R result(A accumulator) throws Exception {
            return whole.result(accumulator);
        }

        @Override
        public Type<A> accumulatorType() {
            return whole.accumulatorType();
        }

        @Override
        public @Nullable Type<R> resultType() {
            return whole.resultType();
        }

        @Override
        public String describe() {
            return whole.describe() + " of parts";
        }
    }
}
