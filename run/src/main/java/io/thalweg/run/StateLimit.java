// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.Serializable;

/**
 * How much memory the state of all operators of a job may take before the job fails, with a line that names the largest
 * of them. State is estimated periodically; see {@link io.thalweg.api.stats.StateStats}.
 *
 * @param bytes {@link Long#MAX_VALUE} means no limit
 * @param chosen false if it is the default
 */
public record StateLimit(long bytes, boolean chosen) implements Serializable {
    private static final double SHARE_OF_HEAP = 0.8;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it is less than 1 byte
     */
    public StateLimit {
        if (bytes < 1) {
            throw new IllegalArgumentException("a state limit is at least 1 byte, not " + bytes);
        }
    }

    /**
     * The default: 80 % of the maximum heap. A job with more state would run out of memory, or spend its time on
     * garbage collection.
     */
    public static StateLimit ofHeap() {
        return new StateLimit((long) (SHARE_OF_HEAP * Runtime.getRuntime().maxMemory()), false);
    }

    /** A limit in bytes. */
    public static StateLimit bytes(long bytes) {
        return new StateLimit(bytes, true);
    }

    /** No limit. */
    public static StateLimit none() {
        return new StateLimit(Long.MAX_VALUE, true);
    }
}
