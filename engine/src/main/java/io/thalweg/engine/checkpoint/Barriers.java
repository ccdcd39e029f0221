// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

/** What tasks see of the checkpoints of their job, and what they hand over. */
public interface Barriers {
    /** True if tasks hold what comes behind a barrier until it has come from all sides. */
    boolean aligned();

    /** The checkpoint that was asked for last. */
    long asked();

    /** The checkpoint that was completed last. */
    long completed();

    /** Checkpoints up to this one that are not complete never will be: nobody waits for their barriers. */
    default long abandoned() {
        return 0;
    }

    /** Sources stop behind the barrier of this one. */
    long stopAt();

    /**
     * The barrier has come to a task from all sides, the first of them {@code heldNs} before the last, and it took so long to
     * save what the task remembers.
     */
    void save(int task, TaskState state, long heldNs, long tookNs);

    /** A task has nothing more to do but to commit. */
    void end(int task, TaskState state);
}
