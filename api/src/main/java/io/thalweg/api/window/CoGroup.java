// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All records of one key and window, of two streams. The records of each stream are ordered by event time, and those
 * with equal times by arrival, which may differ from run to run; for {@link Windows#whole()} all are in the order of
 * arrival. A record may be in several windows, so it must not be changed.
 *
 * @param <K> keys
 * @param <A> records of the left stream
 * @param <B> records of the right stream
 * @param key null if the record has none: a record without a key is a group of its own
 * @param start epoch milliseconds, inclusive; {@code Long.MIN_VALUE} for {@link Windows#whole()}
 * @param end epoch milliseconds, exclusive; {@code Long.MAX_VALUE} for {@link Windows#whole()}
 * @param left records of the left stream; may be empty if {@code right} is not
 * @param right records of the right stream; may be empty if {@code left} is not
 */
public record CoGroup<K, A, B>(@Nullable K key, long start, long end, List<A> left, List<B> right) {
    /** Copies both lists. */
    public CoGroup {
        left = List.copyOf(left);
        right = List.copyOf(right);
    }

    /** The start as an instant, inclusive; for {@link Windows#whole()} long before any time. */
    public Instant startTime() {
        return Instant.ofEpochMilli(start);
    }

    /** The end as an instant, exclusive; for {@link Windows#whole()} long after any time. */
    public Instant endTime() {
        return Instant.ofEpochMilli(end);
    }
}
