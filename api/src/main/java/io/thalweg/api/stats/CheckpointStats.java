// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * What was measured of a checkpoint.
 *
 * @param number counts on from checkpoint to checkpoint of a directory, restarts included
 * @param beganMs in epoch milliseconds
 * @param tookMs from asking for it until all of it was on the disk
 * @param alignedMs how long the task waited longest that had to hold some of its inputs for the barrier of others
 * @param pausedMs how long the task was held up longest that had to turn what it remembers into bytes
 * @param last true where the job's whole input is in it
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

    /** What one state takes, over all tasks. */
    public record StateSize(String operator, String name, long bytes) {}
}
