// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Type;
import java.io.Serializable;
import java.util.List;

/**
 * Where records come from. A source says what splits there are; the engine spreads them over its tasks, and each task
 * reads its splits side by side, each through a {@link SplitReader}. Serializable, so that it can be sent to a cluster.
 *
 * @param <T> records
 */
public interface Source<T> extends Serializable {
    /** What the source reads, for plans and messages: {@code quakes.jsonl}. */
    String name();

    Type<T> type();

    /**
     * The splits, named: called once for a run, before it starts.
     *
     * @param parallelism how many tasks will read; a hint that a source of fixed splits ignores
     * @throws ConnectorException if the input is missing or cannot be read
     */
    List<String> splits(int parallelism) throws Exception;

    /**
     * Called instead of {@link #splits} in a job that goes on from a checkpoint, with the splits that it reads on: those that
     * the source named when the job began.
     *
     * @throws ConnectorException if one of them is not part of what the source reads now, with both in words
     */
    default void checkSplits(List<String> splits) throws Exception {}

    /** Called on the thread that will poll. A {@link ConnectorException} ends the job with its message alone. */
    SplitReader<T> open(String split, SourceContext context) throws Exception;

    /**
     * True if a split that is opened again can be read from any {@link SplitReader#position}, by {@link SplitReader#seek}:
     * what a job needs that goes on from a checkpoint.
     */
    default boolean replayable() {
        return false;
    }

    /** True if each poll may hand out the same object with other contents: whoever keeps a record copies it. */
    default boolean reusesRecords() {
        return false;
    }

    /**
     * True if opening or a poll may block, however long (standard input, a socket, a database): each split is then
     * opened, polled and closed on a thread of its own, and a job that is cancelled does not wait for it.
     */
    default boolean blocking() {
        return false;
    }

    /**
     * True if a reader has what it reads decoded by other threads too, where there are some to spare: see
     * {@link SourceContext#decodingThreads}. What it gives, and in which order, is the same.
     */
    default boolean decodesInPieces() {
        return false;
    }

    /**
     * What the source takes in that nobody can read a second time, such as standard input or a pipe; two sources that name
     * the same read from the same. Asked while the topology is built, and on the machine that it is built on: two operators
     * that name the same are refused, and so are a table and a run on a cluster elsewhere. Empty for all that can be opened
     * more than once.
     */
    default List<String> readOnce() {
        return List.of();
    }
}
