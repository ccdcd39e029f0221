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

/** A stream whose records of equal keys meet in one task. */
public final class KeyedStream<K, T> {
    private final Stream<T> stream;
    private final KeySpec key;

    KeyedStream(Stream<T> stream, KeySpec key) {
        this.stream = stream;
        this.key = key;
    }

    public WindowedStream<K, T> window(WindowSpec window) {
        return new WindowedStream<>(stream, key, window, 0);
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
        return aggregate(Aggregates.reduce(stream.recordType(), function));
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

    /**
     * This stream and another one, of records of a different type, for one operator that is handed both: records of equal keys
     * meet in one task, whichever stream they come from, and share state and timers.
     *
     * <pre>{@code orders.keyBy(Order::id).connect(payments.keyBy(Payment::order)).process(Payments::new)}</pre>
     *
     * @param second its records come to {@code processSecond}, those of this stream to {@code processFirst}
     * @throws io.thalweg.api.graph.TopologyException if the types of the two keys differ, an {@code int} and a {@code long} never
     *     being equal
     */
    public <U> ConnectedKeyedStreams<K, T, U> connect(KeyedStream<K, U> second) {
        JoinKeys.check(stream.builder(), key, second.key);
        return new ConnectedKeyedStreams<>(this, second);
    }

    /**
     * This stream and another one, all of which every task is handed, such as rules that change while the job runs.
     *
     * <pre>{@code readings.keyBy(Reading::sensor).withBroadcast(limits).process(TooHot::new)}</pre>
     *
     * @param second its records come to {@code processBroadcast}, those of this stream to {@code process}
     */
    public <U> KeyedBroadcastStreams<K, T, U> withBroadcast(Stream<U> second) {
        return new KeyedBroadcastStreams<>(this, second.broadcast());
    }

    /** Each record as it is; for groupings by key without a keyed operator. */
    public Stream<T> records() {
        return stream;
    }

    KeySpec key() {
        return key;
    }
}
