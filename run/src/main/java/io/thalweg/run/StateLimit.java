// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.Serializable;

/**
 * How much memory the operators of a job may keep, before the job fails with a line that names the largest of them. What they
 * keep is estimated now and then, see {@link io.thalweg.api.stats.StateStats}.
 *
 * @param bytes {@link Long#MAX_VALUE} for no limit
 * @param chosen false if it is the default
 */
public record StateLimit(long bytes, boolean chosen) implements Serializable {
    private static final double SHARE_OF_HEAP = 0.8;

    public StateLimit {
        if (bytes < 1) {
            throw new IllegalArgumentException("a state limit is at least 1 byte, not " + bytes);
        }
    }

    /** The default: 80 % of the greatest heap. A job with more would run out of memory, or spend its time in garbage collections. */
    public static StateLimit ofHeap() {
        return new StateLimit((long) (SHARE_OF_HEAP * Runtime.getRuntime().maxMemory()), false);
    }

    public static StateLimit bytes(long bytes) {
        return new StateLimit(bytes, true);
    }

    public static StateLimit none() {
        return new StateLimit(Long.MAX_VALUE, true);
    }
}
