// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * A flame graph of a vertex in figures: samples of the threads of its tasks at even intervals, without those that wait for records,
 * or for room for them. One sample may be in several of the groups.
 *
 * @param all samples
 * @param copying in copying records from one chained operator to the next
 * @param kryo in Kryo, which copies and serializes what Flink knows no serializer for
 * @param sending in serializing records for other vertices, and putting them into buffers; without waiting for one
 * @param receiving in taking buffers of other vertices, and deserializing their records
 * @param state in the state backend for state that is not on the heap, with serializing it
 * @param writing in writers of sinks; null in what older versions have observed
 */
public record FlinkSamples(
        long all,
        long copying,
        long kryo,
        long sending,
        long receiving,
        long state,
        @Nullable Long writing) {}
