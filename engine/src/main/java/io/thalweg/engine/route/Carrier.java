// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

/**
 * Takes what leaves a task that somebody else runs, and brings it to the tasks behind, from one to another in the order it was
 * given.
 */
public interface Carrier {
    /**
     * @param link number of the edge in the graph
     * @param target number of the task among those of the operator behind
     */
    void record(int link, int target, Object value, long time, long stamp);

    /** To all tasks behind this one on the link; {@link io.thalweg.engine.queue.Batch#IDLE} if it counts for nothing. */
    void watermark(int link, long watermark);

    void barrier(int link, long checkpoint);

    void end(int link, boolean cancelled);
}
