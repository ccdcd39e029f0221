// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

/** The checkpoints of a job as its tasks see them. */
public interface Barriers {
    /** True if tasks align barriers: they block an input at a barrier until it has arrived on all inputs (exactly-once). */
    boolean aligned();

    /** The last checkpoint that was requested. */
    long asked();

    /** The last checkpoint that was completed. */
    long completed();

    /** Checkpoints up to this one that are not complete were aborted: no task waits for their barriers. */
    default long abandoned() {
        return 0;
    }

    /** Sources stop behind the barrier of this one. */
    long stopAt();

    /**
     * Hands over the state of a task at a barrier. Alignment took {@code heldNs}, and saving the state took {@code tookNs}.
     */
    void save(int task, TaskState state, long heldNs, long tookNs);

    /** Hands over the last state of a task, which has nothing more to do but to commit. */
    void end(int task, TaskState state);
}
