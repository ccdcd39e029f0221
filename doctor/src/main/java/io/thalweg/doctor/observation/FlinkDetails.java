// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Flink's REST API tells of a job that other engines do not have.
 *
 * @param objectReuse chained operators hand on the records themselves, and not copies; null if unknown
 * @param stateBackend name of its class, such as {@code HashMapStateBackend}; null if unknown, as for a job without checkpoints
 * @param bufferTimeoutMs after which buffers are sent that are not full, as the cluster's configuration says: 0 for after each
 *     record, -1 for never; null if it says nothing. A job may say otherwise in its code, which Flink does not tell
 * @param bufferDebloat the configuration makes buffers smaller while tasks are held back; null if it says nothing
 * @param flameGraphs the cluster samples stacks when it is asked; null if it did not answer, or no task was busy enough to ask
 * @param networkRequested percent of its network memory that tasks of a TaskManager ask for, the most that was seen of any; null if
 *     unknown
 * @param waitingForSlots tasks that had no slot at the last look, of a job of which no task runs; null if some do, or if unknown
 * @param checkpointWritesMs how long a checkpoint is written, in the task that writes longest, once its barrier has come there; on
 *     average. Null if there was none, or if unknown
 * @param vertices one for each
 */
public record FlinkDetails(
        @Nullable Boolean objectReuse,
        @Nullable String stateBackend,
        @Nullable Long bufferTimeoutMs,
        @Nullable Boolean bufferDebloat,
        @Nullable Boolean flameGraphs,
        @Nullable Long networkRequested,
        @Nullable Long waitingForSlots,
        @Nullable Double checkpointWritesMs,
        List<FlinkVertex> vertices) {
    public FlinkDetails {
        vertices = List.copyOf(vertices);
    }
}
