// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.time.Instant;

/**
 * The result of one window for one key.
 *
 * @param <K> keys
 * @param <R> results
 * @param key of the records
 * @param start epoch milliseconds, inclusive; {@code Long.MIN_VALUE} for {@link Windows#whole()}, 0 for {@link
 *     Windows#count(long, long)}
 * @param end epoch milliseconds, exclusive; {@code Long.MAX_VALUE} for {@link Windows#whole()}, the number of records
 *     for {@link Windows#count(long, long)}
 * @param value what the aggregate returned
 */
public record WindowResult<K, R>(K key, long start, long end, R value) {
    /** The start as an instant, inclusive; for {@link Windows#whole()} long before any time. */
    public Instant startTime() {
        return Instant.ofEpochMilli(start);
    }

    /** The end as an instant, exclusive; for {@link Windows#whole()} long after any time. */
    public Instant endTime() {
        return Instant.ofEpochMilli(end);
    }
}
