// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.Keyed;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.ReduceFunction;
import io.thalweg.api.window.WindowSpec;
import org.jspecify.annotations.Nullable;

/** A stream whose records of equal keys meet in one task. */
public final class KeyedStream<K, T> {
    private final Stream<T> stream;
    private final KeySpec key;

    KeyedStream(Stream<T> stream, KeySpec key) {
        this.stream = stream;
        this.key = key;
    }

    public WindowedStream<K, T> window(WindowSpec window) {
        return new WindowedStream<>(stream, key, window);
    }

    /** Emits the result so far after every record; state is kept for every key there ever was. */
    public <R> Stream<Keyed<K, R>> aggregate(Aggregate<? super T, ?, R> aggregate) {
        Type<R> result = aggregate.resultType();
        return stream.add(
                new NodeSpec.Running(key, Stream.cast(aggregate)),
                result == null ? null : Type.<Keyed<K, R>>of(Keyed.class, key.type(), result));
    }

    /** Emits the value so far after every record. */
    public Stream<Keyed<K, T>> reduce(ReduceFunction<T> function) {
        return aggregate(Aggregates.reduce(recordType(), function));
    }

    /** Lets the first record of each key pass; remembers every key. */
    public Stream<T> distinct() {
        return stream.add(new NodeSpec.Distinct(key), stream.type());
    }

    /** A user's operator with state per key and timers; the supplier makes one for every task. */
    public <R> Stream<R> process(OperatorSupplier<? extends KeyedOperator<? super K, ? super T, R>> supplier) {
        return stream.add(
                new NodeSpec.KeyedProcess(key, Stream.cast(supplier)),
                Stream.emitted(supplier, KeyedOperator.class, 2));
    }

    /** Each record as it is; for groupings by key without a keyed operator. */
    public Stream<T> records() {
        return stream;
    }

    private Type<T> recordType() {
        @Nullable Type<Object> type = stream.type();
        if (type == null) {
            throw new IllegalStateException("the type of the records is not known yet; say it with .as(Type.of(…))");
        }
        return Stream.cast(type);
    }
}
