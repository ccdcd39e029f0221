// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

/**
 * An operator without keys whose fields belong to a checkpoint: implement {@link CheckpointedOperator} or {@link
 * CheckpointedTwoInputOperator}. What can be kept by key is better kept in a {@link ValueState}, which finds its task by itself
 * when there are more tasks, or fewer.
 */
public sealed interface Checkpointed permits CheckpointedOperator, CheckpointedTwoInputOperator {
    /** What {@link #restore} needs; called between two records. */
    byte[] save() throws Exception;

    /**
     * Goes on from a checkpoint; called after {@code open} and before the first record.
     *
     * @param saved what {@link #save} gave in the tasks that this one takes over: one, several if there are fewer tasks
     *     now, or none if there are more, even if all tasks had saved the same because their input is broadcast
     */
    void restore(List<byte[]> saved) throws Exception;
}
