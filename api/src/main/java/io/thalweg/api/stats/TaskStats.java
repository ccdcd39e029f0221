// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * What one task did so far. Busy, waiting and held back add up to about the time the task has been open, less what it
 * waited for its turn on a thread.
 *
 * @param task {@code source+map+sink[0]}: the operators fused in it, and its number
 * @param operators names of the operators, in order
 * @param index from 0 to parallelism - 1
 * @param recordsIn records polled from splits or taken from queues
 * @param recordsOut records put into queues or written by sinks
 * @param busyNs nanoseconds in calls that got something done
 * @param waitingNs nanoseconds without input
 * @param heldBackNs nanoseconds in which an output had no room
 * @param queueDepth batches waiting in its input queues now
 * @param longestCallNs longest single turn of the task
 * @param slowCalls turns that held their thread for over 100 ms
 * @param alignment of the splits that it reads
 * @param state what its operators keep, as it was measured last, while input came; empty on Flink
 */
public record TaskStats(
        String task,
        List<String> operators,
        int index,
        long recordsIn,
        long recordsOut,
        long recordsBad,
        long recordsLate,
        long busyNs,
        long waitingNs,
        long heldBackNs,
        long queueDepth,
        long longestCallNs,
        long slowCalls,
        AlignmentStats alignment,
        List<StateStats> state) {
    public TaskStats {
        state = List.copyOf(state);
    }

    /** Records in per second of busy time: what the task could do if it were never waiting (the true rate of DS2). */
    public double trueRate() {
        return busyNs == 0 ? 0 : recordsIn * 1e9 / busyNs;
    }
}
