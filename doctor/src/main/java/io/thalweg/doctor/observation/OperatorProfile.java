// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of an operator went, from samples of the threads that run it.
 *
 * @param operator its name
 * @param samples of threads that were running within it, user code and libraries included
 * @param handOverSamples of threads that passed its records to other tasks, or took its input from a queue
 * @param ackSamples of threads that tracked which records are done, in neither of the others; those in no operator's call count for
 *     the one that has the most; null if unknown
 * @param copySamples of the samples within it and of those that passed records, those in which a record or a key was copied, because its
 *     source uses the object again; null if unknown
 * @param blockedNs in which it stood still within a call: asleep, or waiting for a lock, a disk or a network
 * @param allocatedBytes that it allocated, estimated; null if unknown
 * @param hot where samples were taken, the most frequent first
 * @param blocked calls that it stood still in, the longest first
 * @param python what its processes in Python did; null if it has none
 * @param fetches what its Kafka consumers did; null if it has none
 * @param sends what its Kafka producers did; null if it has none
 */
public record OperatorProfile(
        String operator,
        long samples,
        long handOverSamples,
        @Nullable Long ackSamples,
        @Nullable Long copySamples,
        long blockedNs,
        @Nullable Long allocatedBytes,
        List<HotSpot> hot,
        List<BlockedCall> blocked,
        @Nullable PythonWork python,
        @Nullable KafkaFetches fetches,
        @Nullable KafkaSends sends) {
    public OperatorProfile {
        hot = List.copyOf(hot);
        blocked = List.copyOf(blocked);
    }
}
