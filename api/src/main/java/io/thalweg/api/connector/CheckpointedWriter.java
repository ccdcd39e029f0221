// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A writer whose output continues exactly where a checkpoint was, also after the process was killed. It implements a
 * two-phase commit: {@link #save} makes durable what was written before a barrier (prepare), still invisible or
 * distinguishable from what follows; {@link #commit} makes it visible once the checkpoint is complete. Called by one
 * thread at a time, between writes.
 *
 * <pre>
 *  write … write, save(1), write … write, commit(1), save(2), write … commit(2) … save(0), finish
 *                    │ killed anywhere from here on: another process opens a writer, then
 *                    └─► restore(what save(1) returned): what save(1) made durable is committed, what came after it is rolled back
 * </pre>
 *
 * @param <T> records
 */
public interface CheckpointedWriter<T> extends SinkWriter<T> {
    /**
     * Makes durable what was written so far, so that it survives this process.
     *
     * @param checkpoint its number; 0 after the last record, when {@link #finish} follows
     * @return what {@link #restore} needs to find it, in a format of the writer's own; never null
     * @throws Exception fails the checkpoint, and with it the job
     */
    byte[] save(long checkpoint) throws Exception;

    /**
     * As {@link #save}, which the embedded engine calls through this method: for a writer whose state is so large that to copy it into one
     * array costs more than to write it. Override both, or only {@link #save}.
     *
     * @param checkpoint as for {@link #save}
     * @return buffers that have arrays; together they hold what {@link #save} returns. They are read by another thread, and must not change
     *     until {@link #commit} is called for this checkpoint or a later one; those of checkpoint 0, never
     * @throws Exception as for {@link #save}
     */
    default List<ByteBuffer> saveParts(long checkpoint) throws Exception {
        return List.of(ByteBuffer.wrap(save(checkpoint)));
    }

    /**
     * Makes visible what was saved up to a checkpoint, for sinks whose output appears before the end. Called once the
     * checkpoint is complete; not at all if the job fails first, in which case {@link #restore} commits.
     */
    default void commit(long checkpoint) throws Exception {}

    /**
     * Continues from a checkpoint; called before the first write. Must commit what belongs to the checkpoint, which may
     * have been committed already, and roll back what was written after it. Must be idempotent: a job may be restored
     * from the same checkpoint several times.
     *
     * @param saved what {@link #save} returned in the tasks that this one takes over: one element; several if there are
     *     fewer tasks now; or none
     */
    void restore(List<byte[]> saved) throws Exception;
}
