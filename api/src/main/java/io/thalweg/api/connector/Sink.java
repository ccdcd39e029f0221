// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.io.Serializable;
import java.util.List;

/**
 * A destination of records. Serializable, because it is sent to a cluster; every task opens a writer of its own.
 *
 * <p>A sink for exactly-once output returns a {@link CheckpointedWriter}. A sink that sends each record at once, and
 * may send some again after a failure, declares itself {@link #immediate}. In a job with checkpoints, any other sink is
 * rejected.
 *
 * @param <T> records
 */
public interface Sink<T> extends Serializable {
    /**
     * What the sink writes to, for messages. Saved in checkpoints: state is restored only into a sink with the same
     * name.
     */
    String name();

    /** The sink as shown by {@code --explain}: its name and any relevant options. Must not contain a secret. */
    default String describe() {
        return name();
    }

    /**
     * Waits, if need be, until the system that the sink writes to answers. Called as {@link Source#awaitReady} is, before any
     * task is made.
     *
     * @throws ConnectorException if it does not answer in time, or never will
     */
    default void awaitReady(StartContext context) throws Exception {}

    /**
     * Opens the writer of one task. Called before any source starts, on the thread that will write, so that an output
     * that cannot be opened ends the job before it has begun.
     *
     * @throws ConnectorException ends the job; the user sees only the message
     */
    SinkWriter<T> open(SinkContext context) throws Exception;

    /**
     * Where the sink writes. Called while the topology is built, on the machine where it is built. A topology is rejected
     * in which two sinks write the same file or directory, or one of whose sources reads there ({@link Source#reads}). In a
     * directory the sink may use any name that begins with {@code part-} or a dot. Several sinks may write one topic; that
     * a source of the job reads it is warned of when the job starts.
     */
    default List<WriteTarget> writes() {
        return List.of();
    }

    /** The parallelism that the sink requires, such as 1 for a single file; 0 for any. */
    default int requiredParallelism() {
        return 0;
    }

    /**
     * True if a record is durably written when {@link SinkWriter#write} returns, at least in a job
     * without checkpoints whose guarantee is {@link Guarantee#ACKED}. A job with checkpoints accepts a writer only if its sink declares
     * this, which means that some records may appear again after a failure, or if it is a {@link CheckpointedWriter};
     * any other writer would lose what it buffers.
     */
    default boolean immediate() {
        return false;
    }

    /** True if a write may block for long: each task of the sink then gets a thread of its own. */
    default boolean blocking() {
        return false;
    }
}
