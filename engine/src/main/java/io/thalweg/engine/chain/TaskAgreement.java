// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** How the tasks of a job coordinate. */
public interface TaskAgreement {
    void opened();

    boolean allOpened();

    /** The outputs of this task are restored, which is when all tasks have opened. Called once, in a job that is restored. */
    void outputsRestored();

    /** True if the outputs of all tasks are restored. Asked only in a job that is restored. */
    boolean allOutputsRestored();

    boolean cancelled();

    /**
     * True if the source must end at the position that it has reached, as if its input ended there.
     *
     * @param source its number in the graph
     */
    boolean draining(int source);

    /**
     * A limit is reached. May be called more than once.
     *
     * @param limit its number in the graph
     */
    void reached(int limit);

    /**
     * True if records in flight are to be dropped: the job was cancelled, has no guarantee for them, and the timeout
     * has passed.
     */
    default boolean dropping() {
        return false;
    }

    /** Reports records that were dropped in front of this task. */
    default void dropped(String task, long records) {}

    /**
     * This task has processed all its input and is about to save its last state; called once.
     *
     * @throws RuntimeException if the job fails because of its counts, such as too many bad records
     */
    void ending();

    /** This task has saved its last state. */
    void drained();

    /** True if all tasks have saved their last state, and all sinks before this task's in the graph have committed. */
    boolean mayCommit(ChainTask task);

    void committed(ChainTask task);
}
