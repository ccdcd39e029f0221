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

/**
 * A stream grouped by key: records of equal keys meet in one task. Made by
 * {@link Stream#keyBy}.
 *
 * @param <K> keys; never null
 * @param <T> records
 */
public final class KeyedStream<K, T> {
    private final Stream<T> stream;
    private final KeySpec key;

    KeyedStream(Stream<T> stream, KeySpec key) {
        this.stream = stream;
        this.key = key;
    }

    /**
     * Divides the records of each key into windows.
     *
     * @param window one of {@link io.thalweg.api.window.Windows}
     */
    public WindowedStream<K, T> window(WindowSpec window) {
        return new WindowedStream<>(stream, key, window, 0);
    }

    /**
     * A running aggregate: emits the result so far after every record. State is kept for every key there ever was.
     *
     * <pre>{@code orders.keyBy(Order::customer).aggregate(Aggregates.sum(Order::cents))}</pre>
     */
    public <R> Stream<Keyed<K, R>> aggregate(Aggregate<? super T, ?, R> aggregate) {
        Type<R> result = aggregate.resultType();
        return stream.add(
                new NodeSpec.Running(key, Stream.cast(aggregate)),
                result == null ? null : Type.<Keyed<K, R>>of(Keyed.class, key.type(), result));
    }

    /**
     * A running reduction: emits the value so far after every record. State is kept for every key there ever was.
     *
     * @throws IllegalStateException if the type of the records is not known; declare it with {@link Stream#as}
     */
    public Stream<Keyed<K, T>> reduce(ReduceFunction<T> function) {
        return aggregate(Aggregates.reduce(stream.recordType(), function));
    }

    /** Passes the first record of each key and drops the others. Remembers every key, so state grows without bound. */
    public Stream<T> distinct() {
        return stream.add(new NodeSpec.Distinct(key), stream.type());
    }

    /**
     * Adds a user's operator with state per key and timers.
     *
     * <pre>{@code clicks.keyBy(Click::user).process(Sessions::new)}</pre>
     *
     * @param supplier makes one operator for each task; also called while the topology is described
     */
    public <R> Stream<R> process(OperatorSupplier<? extends KeyedOperator<? super K, ? super T, R>> supplier) {
        return stream.add(
                new NodeSpec.KeyedProcess(key, Stream.cast(supplier)),
                Stream.emitted(supplier, KeyedOperator.class, 2));
    }

    /**
     * Begins requests to a service or a process outside, with many in flight and state per key.
     *
     * <pre>{@code orders.keyBy(Order::user).async().process(Vetted::new)}</pre>
     */
    public KeyedAsyncStream<K, T> async() {
        return new KeyedAsyncStream<>(this, stream.async());
    }

    /**
     * Connects this stream with one of another type, for an operator that receives both: records of equal keys meet in
     * one task, whichever stream they come from, and share state and timers.
     *
     * <pre>{@code orders.keyBy(Order::id).connect(payments.keyBy(Payment::order)).process(Payments::new)}</pre>
     *
     * @param second its records go to {@code processSecond}, those of this stream to {@code processFirst}
     * @throws io.thalweg.api.graph.TopologyException if the types of the two keys differ: an {@code int} and a {@code
     *     long} are never equal
     */
    public <U> ConnectedKeyedStreams<K, T, U> connect(KeyedStream<K, U> second) {
        JoinKeys.check(stream.builder(), key, second.key);
        return new ConnectedKeyedStreams<>(this, second);
    }

    /**
     * Connects this stream with one that every task receives in full, such as rules that change while the job runs.
     *
     * <pre>{@code readings.keyBy(Reading::sensor).withBroadcast(limits).process(TooHot::new)}</pre>
     *
     * @param second its records go to {@code processBroadcast}, those of this stream to {@code process}
     */
    public <U> KeyedBroadcastStreams<K, T, U> withBroadcast(Stream<U> second) {
        return new KeyedBroadcastStreams<>(this, second.broadcast());
    }

    /** The records themselves, still grouped by key: for an operator that needs the grouping but no state per key. */
    public Stream<T> records() {
        return stream;
    }

    KeySpec key() {
        return key;
    }
}
