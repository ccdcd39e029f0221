// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * What one task did so far. Busy, waiting and held back add up to about the time since the job was started, apart from
 * the time it waited for a thread.
 *
 * @param task {@code source+map+sink[0]}: the operators fused into it, and its number
 * @param operators names of the operators, in order
 * @param index from 0 to parallelism - 1
 * @param recordsIn records polled from splits or taken from queues
 * @param recordsOut records put into queues or written by sinks
 * @param recordsBad bad records of its operators
 * @param recordsLate late records of its operators
 * @param busyNs nanoseconds in calls that made progress
 * @param waitingNs nanoseconds without input, also while it and others are opened
 * @param heldBackNs nanoseconds in which an output had no room (backpressure); 0 on Storm
 * @param queueDepth batches waiting in its input queues now; 0 on Flink and Storm
 * @param longestCallNs longest single run of the task on a thread, in nanoseconds, after it was opened; 0 on Flink and Storm
 * @param slowCalls runs that occupied their thread for more than 100 ms, after it was opened; 0 on Flink and Storm
 * @param alignment watermark alignment of the splits that it reads
 * @param connections systems that its operators lost
 * @param input what its source says of its input
 * @param state of its operators, as last measured while records came in; empty on Flink
 * @param splitTimes event times of the splits that its watermark waits for, those that are least far first, updated about once a
 *     second; of many splits the first ones and the last one. Without splits that have ended or are idle; empty on Flink
 * @param batchesIn batches of records that it took from queues, or how often it read records of a source; 0 on Flink
 * @param overdueUs microseconds for which records of a source that keeps a rate were due before they were read, of all its records
 *     together; 0 on Flink
 * @param late its late records, by operator; empty on Flink, which tells only how many they are
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
        List<ConnectionStats> connections,
        InputStats input,
        List<StateStats> state,
        List<SplitTime> splitTimes,
        long batchesIn,
        long overdueUs,
        List<LateRecords> late) {
    public TaskStats {
        connections = List.copyOf(connections);
        state = List.copyOf(state);
        splitTimes = List.copyOf(splitTimes);
        late = List.copyOf(late);
    }

    /** Records in per second of busy time: what the task could do if it were never waiting (the true rate of DS2). */
    public double trueRate() {
        return busyNs == 0 ? 0 : recordsIn * 1e9 / busyNs;
    }
}
