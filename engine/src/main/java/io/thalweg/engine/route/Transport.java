// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

/**
 * Transports the output of a task that another engine runs to the downstream tasks. Must keep the order from one task
 * to another.
 */
public interface Transport {
    /**
     * @param link number of the edge in the graph
     * @param target number of the task among those of the downstream operator
     */
    void record(int link, int target, Object value, long time, long stamp);

    /**
     * Sends a watermark to all downstream tasks of the link; {@link io.thalweg.engine.queue.Batch#IDLE} if this task is
     * idle.
     */
    void watermark(int link, long watermark);

    void barrier(int link, long checkpoint);

    void end(int link, boolean cancelled);
}
