// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.OperatorSupplier;
import java.time.Duration;

/**
 * Options of requests with state per key; see {@link KeyedStream#async}. Each option method returns a new object; {@link #process} adds
 * the operator. Failures of a request are those of {@link AsyncStream}; it is not retried.
 *
 * @param <K> keys
 * @param <T> records
 */
public final class KeyedAsyncStream<K, T> {
    private final KeyedStream<K, T> stream;
    private final AsyncStream<T> options;

    KeyedAsyncStream(KeyedStream<K, T> stream, AsyncStream<T> options) {
        this.stream = stream;
        this.options = options;
    }

    /** Emits results as they arrive, in any order; see {@link AsyncStream#unordered}. */
    public KeyedAsyncStream<K, T> unordered() {
        return new KeyedAsyncStream<>(stream, options.unordered());
    }

    /**
     * Limits how many records each task holds; see {@link AsyncStream#concurrency}.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public KeyedAsyncStream<K, T> concurrency(int records) {
        return new KeyedAsyncStream<>(stream, options.concurrency(records));
    }

    /**
     * Limits how long a request may take; see {@link AsyncStream#timeout}.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public KeyedAsyncStream<K, T> timeout(Duration timeout) {
        return new KeyedAsyncStream<>(stream, options.timeout(timeout));
    }

    /**
     * Adds a user's operator. Its results are of the type that its class declares; declare that with {@link Stream#as} if it has none.
     *
     * @param supplier makes one operator for each task; also called while the topology is described
     */
    public <A, R> Stream<R> process(
            OperatorSupplier<? extends KeyedAsyncOperator<? super K, ? super T, A, R>> supplier) {
        AsyncMap.Options chosen = options.options();
        return stream.records()
                .add(
                        new KeyedAsyncMap(stream.key(), Stream.cast(supplier), chosen),
                        Stream.emitted(supplier, KeyedAsyncOperator.class, 3));
    }
}
