// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * What Flink tells of the buffers and the stacks of a vertex. Counts are of all its tasks, from the first look at which Flink told them.
 *
 * @param vertex its name, that of an operator of the plan
 * @param inPool share of the input buffers that is in use, in the task that uses the most, on average; those of inputs from the same
 *     TaskManager are not counted. Null for a source, or if unknown
 * @param outPool share of the output buffers that is in use, in the task that uses the most, on average; null if it has no output,
 *     or if unknown
 * @param buffersIn that were received, full or not; null for a source, or if unknown
 * @param bufferBytesIn bytes in them; null for a source, or if unknown
 * @param remoteBytesIn of these, from other TaskManagers; null for a source, or if unknown
 * @param samples of the stacks of its tasks; null if there are none
 * @param watermark the least that had come to one of its tasks by the last look; null if there was none yet, for a source, or if
 *     unknown
 * @param watermarkStill share of the looks, the newest ones, for which it stood there; null if there is none
 */
public record FlinkVertex(
        String vertex,
        @Nullable Double inPool,
        @Nullable Double outPool,
        @Nullable Long buffersIn,
        @Nullable Long bufferBytesIn,
        @Nullable Long remoteBytesIn,
        @Nullable FlinkSamples samples,
        @Nullable Long watermark,
        @Nullable Double watermarkStill) {}
