// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * What was measured of one checkpoint.
 *
 * @param topology name of the topology
 * @param number increases from checkpoint to checkpoint of a directory, restarts included
 * @param beganMs when it began, in epoch milliseconds
 * @param tookMs milliseconds from the trigger until all states were written; the last fsync follows
 * @param alignedMs longest barrier alignment of any task, in milliseconds: how long it held inputs back until the
 *     barrier arrived on all others
 * @param pausedMs longest pause of any task while it serialized its state, in milliseconds
 * @param last true if it covers the job's whole input
 * @param states sizes by state
 */
public record CheckpointStats(
        String topology,
        long number,
        long beganMs,
        long tookMs,
        long alignedMs,
        long pausedMs,
        boolean last,
        List<StateSize> states) {
    public CheckpointStats {
        states = List.copyOf(states);
    }

    /**
     * The serialized size of one state, over all tasks.
     *
     * @param operator name of the operator
     * @param name name of the state
     * @param bytes serialized size
     */
    public record StateSize(String operator, String name, long bytes) {}
}
