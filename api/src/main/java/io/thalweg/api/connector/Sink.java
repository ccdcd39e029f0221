// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;

/**
 * Where records go. Serializable; every task opens a writer of its own.
 *
 * @param <T> records
 */
public interface Sink<T> extends Serializable {
    /** What the sink writes, for messages. A checkpoint holds it, and goes on only in a sink that is called the same. */
    String name();

    /** What a plan says of the sink; its name, and what else is worth knowing of how it writes. Never a secret. */
    default String describe() {
        return name();
    }

    /**
     * Called before any source starts, on the thread that will write, so that an output that cannot be opened ends the
     * job before it has begun.
     */
    SinkWriter<T> open(SinkContext context) throws Exception;

    /**
     * Files and directories that nobody but this sink may write while the job runs, made or not. A topology in which two sinks
     * have the same one is refused. In a directory the sink may take any name that begins with {@code part-} or a dot.
     */
    default List<Path> outputs() {
        return List.of();
    }

    /** The parallelism the sink must have, such as 1 for a single file; 0 if any will do. */
    default int requiredParallelism() {
        return 0;
    }

    /**
     * True if a record is out for good when {@link SinkWriter#write} returns, at least in a job that takes no checkpoints and whose
     * guarantee is {@link Guarantee#ACKED}. In a job that takes checkpoints a writer is
     * either of a sink that says so, and shows some records again after a failure, or a {@link CheckpointedWriter}; any other
     * would lose what it holds back.
     */
    default boolean immediate() {
        return false;
    }

    /** True if a write may block for long: the task then gets a thread of its own. */
    default boolean blocking() {
        return false;
    }
}
