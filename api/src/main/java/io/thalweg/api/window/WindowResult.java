// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.time.Instant;

/**
 * What one window of one key came to.
 *
 * @param start epoch milliseconds, inclusive; {@code Long.MIN_VALUE} of {@link Windows#whole()}, 0 of {@link Windows#count}
 * @param end epoch milliseconds, exclusive; {@code Long.MAX_VALUE} of {@link Windows#whole()}, the number of records of {@link
 *     Windows#count}
 */
public record WindowResult<K, R>(K key, long start, long end, R value) {
    /** The start as an instant, inclusive; of {@link Windows#whole()} long before any time. */
    public Instant startTime() {
        return Instant.ofEpochMilli(start);
    }

    /** The end as an instant, exclusive; of {@link Windows#whole()} long after any time. */
    public Instant endTime() {
        return Instant.ofEpochMilli(end);
    }
}
