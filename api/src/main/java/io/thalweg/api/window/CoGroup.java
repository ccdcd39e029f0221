// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All records of one key and window, of two streams. Records of each stream are in the order of their event times, those of the
 * same time in the order of arrival, which may differ from run to run; without event time all are in the order of arrival. A
 * record may be in several windows, so it must not be changed.
 *
 * @param key null if the record has none: a record without a key is a group of its own
 * @param start epoch milliseconds, inclusive; {@code Long.MIN_VALUE} of {@link Windows#whole()}
 * @param end epoch milliseconds, exclusive; {@code Long.MAX_VALUE} of {@link Windows#whole()}
 * @param left of the left stream; may be empty if {@code right} is not
 * @param right of the right stream; may be empty if {@code left} is not
 */
public record CoGroup<K, A, B>(@Nullable K key, long start, long end, List<A> left, List<B> right) {
    public CoGroup {
        left = List.copyOf(left);
        right = List.copyOf(right);
    }

    /** The start as an instant, inclusive; of {@link Windows#whole()} long before any time. */
    public Instant startTime() {
        return Instant.ofEpochMilli(start);
    }

    /** The end as an instant, exclusive; of {@link Windows#whole()} long after any time. */
    public Instant endTime() {
        return Instant.ofEpochMilli(end);
    }
}
