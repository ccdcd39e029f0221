// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** What the tasks of a job agree on. */
public interface TaskAgreement {
    void opened();

    boolean allOpened();

    boolean cancelled();

    /**
     * The source ends where it has read to, as if its input ended there.
     *
     * @param source its number in the graph
     */
    boolean draining(int source);

    /**
     * A limit wants no more input. May be called more than once.
     *
     * @param limit its number in the graph
     */
    void reached(int limit);

    /** The job is to stop, promises nothing for the records in flight, and has had time for them: they are dropped. */
    default boolean dropping() {
        return false;
    }

    /** So many records were dropped before this task. */
    default void dropped(String task, long records) {}

    /**
     * This task has processed all its input and is about to save its last state; called once.
     *
     * @throws RuntimeException if the job fails for what its tasks have counted
     */
    void ending();

    /** This task has saved its last state. */
    void drained();

    /** All tasks have, and all sinks before this task's in the graph are committed. */
    boolean mayCommit(ChainTask task);

    void committed(ChainTask task);
}
