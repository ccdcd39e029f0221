// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

/**
 * An operator without keys whose fields are saved in checkpoints: implement {@link CheckpointedOperator} or {@link
 * CheckpointedTwoInputOperator}. What can be kept by key is better kept in a {@link ValueState}, which moves to the
 * right task by itself when the parallelism changes.
 */
public sealed interface Checkpointed permits CheckpointedOperator, CheckpointedTwoInputOperator {
    /**
     * Serializes the operator's fields for a checkpoint, in a format of the operator's own. Called between two records,
     * on the task's thread; records wait for it.
     *
     * @return what {@link #restore} needs; never null
     */
    byte[] save() throws Exception;

    /**
     * Restores the operator from a checkpoint. Called after {@code open} and before the first record, only if the job
     * starts from a checkpoint.
     *
     * @param saved what {@link #save} returned in the tasks that this one takes over: one element; several if there are
     *     fewer tasks now; none if there are more, even if all tasks saved the same because their input is broadcast
     */
    void restore(List<byte[]> saved) throws Exception;
}
