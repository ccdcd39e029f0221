// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.operator.NullableFunction;

/**
 * Two streams to be joined: {@code a.join(b).where(keyOfLeft).equalTo(keyOfRight)}, followed by {@code between(…)} or
 * {@code window(…)}. See {@link Stream#join(Stream)} for examples.
 *
 * @param <A> records of the left stream
 * @param <B> records of the right stream
 */
public final class StreamJoin<A, B> {
    private final Stream<A> left;
    private final Stream<B> right;

    StreamJoin(Stream<A> left, Stream<B> right) {
        this.left = left;
        this.right = right;
    }

    /**
     * Sets the key of a left record.
     *
     * @param key null matches nothing, not even another null, as in SQL. If it throws {@link
     *     io.thalweg.api.operator.BadRecordException}, the record is counted and kept as a bad one
     */
    public <K> Where<K, A, B> where(NullableFunction<? super A, ? extends K> key) {
        return new Where<>(this, key);
    }

    /**
     * Two streams, and the key of the left one.
     *
     * @param <K> keys
     * @param <A> records of the left stream
     * @param <B> records of the right stream
     */
    public static final class Where<K, A, B> {
        private final StreamJoin<A, B> streams;
        private final NullableFunction<? super A, ? extends K> leftKey;

        Where(StreamJoin<A, B> streams, NullableFunction<? super A, ? extends K> leftKey) {
            this.streams = streams;
            this.leftKey = leftKey;
        }

        /**
         * Sets the key of a right record.
         *
         * @param key of the same type as the left key: an {@code int} and a {@code long} are never equal. Null as in
         *     {@link StreamJoin#where}
         */
        public KeyedJoin<K, A, B> equalTo(NullableFunction<? super B, ? extends K> key) {
            return new KeyedJoin<>(streams.left, streams.right, leftKey, key);
        }
    }
}
