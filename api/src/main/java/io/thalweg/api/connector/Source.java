// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Type;
import java.io.Serializable;
import java.util.List;

/**
 * A source of records. A source names its splits; the engine assigns them to its tasks, and each task reads its splits
 * concurrently, each through a {@link SplitReader}. Serializable, because it is sent to a cluster. To read all splits
 * of a task over one connection, implement {@link LiveSource}.
 *
 * <pre>{@code
 * record Countdown(int from) implements Source<Integer> {
 *     public String name() {
 *         return "countdown from " + from;
 *     }
 *     public Type<Integer> type() {
 *         return Type.of(Integer.class);
 *     }
 *     public List<String> splits(int parallelism) {
 *         return List.of("all");
 *     }
 *     public SplitReader<Integer> open(String split, SourceContext context) {
 *         return new CountdownReader(from);
 *     }
 * }
 * }</pre>
 *
 * @param <T> records
 */
public interface Source<T> extends Serializable {
    /** What the source reads, for plans and messages: {@code quakes.jsonl}. Must not contain a secret. */
    String name();

    /** The source as shown by {@code --explain}: its name and any relevant options. Must not contain a secret. */
    default String describe() {
        return name();
    }

    /** The type of the records. */
    Type<T> type();

    /**
     * Waits, if need be, until the system that the source reads from answers. Called on the thread that starts the job, before
     * {@link #splits}, where the runner has the job's tasks in this process; on a cluster elsewhere, and when a job restarts
     * after a failure, it is not called, and the source waits in its other methods as long as it says itself.
     *
     * @throws ConnectorException if it does not answer in time, or never will
     */
    default void awaitReady(StartContext context) throws Exception {}

    /**
     * Names the splits. Called once for a run, before it starts.
     *
     * @param parallelism number of tasks that will read; a hint, which a source with fixed splits ignores
     * @return unique names
     * @throws ConnectorException if the input is missing or cannot be read
     */
    List<String> splits(int parallelism) throws Exception;

    /**
     * Called instead of {@link #splits} in a job that continues from a checkpoint, with the splits that it was reading:
     * those that the source named when the job began.
     *
     * @throws ConnectorException if one of them is not part of what the source reads now; the message names both
     */
    default void checkSplits(List<String> splits) throws Exception {}

    /**
     * Opens a split. Called on the thread that will poll.
     *
     * @throws ConnectorException ends the job; the user sees only the message
     */
    SplitReader<T> open(String split, SourceContext context) throws Exception;

    /**
     * True if a split can be opened again and read from any {@link SplitReader#position}, by {@link SplitReader#seek}:
     * what a job needs to continue from a checkpoint.
     */
    default boolean replayable() {
        return false;
    }

    /** True if each poll may return the same object with new contents; whoever keeps a record then copies it. */
    default boolean reusesRecords() {
        return false;
    }

    /**
     * True if opening or polling may block, however long (standard input, a socket, a database): each split is then
     * opened, polled and closed on a thread of its own, and a job that is cancelled does not wait for it.
     */
    default boolean blocking() {
        return false;
    }

    /**
     * True if a reader can have its input decoded by other threads too, if there are idle ones: see {@link
     * SourceContext#decodingThreads}. The records and their order are the same either way.
     */
    default boolean decodesInPieces() {
        return false;
    }

    /**
     * True if the source never ends by itself. Commands that compare runs of a job, such as {@code thalweg tune}, read only a
     * recorded stretch of it.
     */
    default boolean endless() {
        return false;
    }

    /**
     * What the source consumes that nobody can read a second time, such as standard input or a pipe; two sources that
     * return the same name read from the same. Called while the topology is built, on the machine where it is built.
     * Two operators that consume the same are rejected, and so are a table and a run on a remote cluster. Empty for
     * everything that can be opened more than once.
     */
    default List<String> readOnce() {
        return List.of();
    }

    /**
     * True if what is written to the place is read by the source, in this run or when the job is run again. Such a
     * topology would read its own results, so it is rejected if one of its sinks writes there, and a run is if its dead
     * letters or checkpoints go there; of a topic it is only warned. Called on the machine where the topology is built. A
     * source of one file returns {@code place.has(file)}.
     */
    default boolean reads(WriteTarget place) {
        return false;
    }
}
