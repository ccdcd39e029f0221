// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.operator.NullableFunction;

/**
 * Two streams to be joined: {@code a.join(b).where(keyOfLeft).equalTo(keyOfRight)}, and then {@code between(…)} or {@code window(…)}.
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
     * The key of a left record; null if it matches nothing, not even another null, as in SQL. A key function that throws {@link
     * io.thalweg.api.operator.BadRecordException} has the record counted and kept as a bad one.
     */
    public <K> Where<K, A, B> where(NullableFunction<? super A, ? extends K> key) {
        return new Where<>(this, key);
    }

    /** Two streams, of which the key of the left one is known. */
    public static final class Where<K, A, B> {
        private final StreamJoin<A, B> streams;
        private final NullableFunction<? super A, ? extends K> leftKey;

        Where(StreamJoin<A, B> streams, NullableFunction<? super A, ? extends K> leftKey) {
            this.streams = streams;
            this.leftKey = leftKey;
        }

        /** The key of a right record, of the same type: an {@code int} and a {@code long} are never equal. */
        public KeyedJoin<K, A, B> equalTo(NullableFunction<? super B, ? extends K> key) {
            return new KeyedJoin<>(streams.left, streams.right, leftKey, key);
        }
    }
}
