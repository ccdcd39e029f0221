// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.io.Serializable;
import java.util.List;

/**
 * What the source of a task says of its input, updated about once a second. Empty and zero for sources that say nothing,
 * and in tasks without a source.
 *
 * @param lag of all splits
 * @param splits those whose end is known
 * @param bytes of the records that came in, with what frames them, decompressed
 * @param fetchMs how long a request for more took recently, on average, in milliseconds; includes waiting for new input
 * @param commitMs how long it took recently, on average, to commit positions for others to see, in milliseconds
 */
public record InputStats(long lag, List<SplitLag> splits, long bytes, double fetchMs, double commitMs)
        implements Serializable {
    public InputStats {
        splits = List.copyOf(splits);
    }

    /** Nothing was said. */
    public static final InputStats NONE = of(List.of(), 0, 0, 0);

    /** Adds the splits up. */
    public static InputStats of(List<SplitLag> splits, long bytes, double fetchMs, double commitMs) {
        long lag = splits.stream().mapToLong(SplitLag::lag).sum();
        return new InputStats(lag, splits, bytes, fetchMs, commitMs);
    }
}
