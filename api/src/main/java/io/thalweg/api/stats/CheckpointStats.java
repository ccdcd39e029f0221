// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * What was measured of a checkpoint.
 *
 * @param number counts on from checkpoint to checkpoint of a directory, restarts included
 * @param beganMs in epoch milliseconds
 * @param tookMs from asking for it until all of it was on the disk
 * @param alignedMs longest barrier alignment of any task: how long it held inputs back until the barrier came from the others
 * @param pausedMs longest pause of any task while it serialized its state
 * @param last true if the job's whole input is in it
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
