// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * A partition that a consumer group reads, or has read.
 *
 * @param topic that it belongs to
 * @param partition its number
 * @param member that reads it; null if none does
 * @param committedBefore the offset that was committed at the first look; null if none was
 * @param committed the same at the last look
 * @param begin the first offset that is still there, at the last look
 * @param endBefore the offset of the next record to be written, at the first look
 * @param end the same at the last look
 */
public record GroupPartition(
        String topic,
        int partition,
        @Nullable String member,
        @Nullable Long committedBefore,
        @Nullable Long committed,
        long begin,
        long endBefore,
        long end) {
    /** Records that are there and not committed; 0 if nothing was committed. */
    public long lag() {
        Long at = committed;
        return at == null ? 0 : Math.max(0, end - Math.max(at, begin));
    }

    /** {@code orders-3}. */
    public String name() {
        return topic + "-" + partition;
    }
}
