// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.util.List;

/**
 * A writer whose output goes on exactly where a checkpoint was, also after the process was killed. It writes in two phases:
 * what was written before a barrier is made safe by {@link #save}, still unseen or told apart from what follows, and becomes
 * visible by {@link #commit}, once the checkpoint is complete. Called by one thread at a time, between writes.
 *
 * <pre>
 *  write … write, save(1), write … write, commit(1), save(2), write … commit(2) … save(0), finish
 *                    │ killed anywhere from here on: another process opens, then
 *                    └─► restore(what save(1) gave): what save(1) made safe is committed, what came after it is gone
 * </pre>
 *
 * @param <T> records
 */
public interface CheckpointedWriter<T> extends SinkWriter<T> {
    /**
     * Makes safe what was written so far, so that it survives this process, and says what {@link #restore} needs to find it.
     *
     * @param checkpoint its number; 0 after the last record, when {@link #finish} follows
     */
    byte[] save(long checkpoint) throws Exception;

    /** Makes visible what was saved up to a checkpoint, for sinks that show it before the end. */
    default void commit(long checkpoint) throws Exception {}

    /**
     * Goes on from a checkpoint; called before the first write. What belongs to it is made visible where {@link #commit} would
     * have done so, which may have happened already; what was written after it is taken back.
     *
     * @param saved what {@link #save} gave in the tasks that this one takes over: one, several if there are fewer tasks
     *     now, or none
     */
    void restore(List<byte[]> saved) throws Exception;
}
