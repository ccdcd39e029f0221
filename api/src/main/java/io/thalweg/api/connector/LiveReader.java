// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads all splits of one task of a {@link LiveSource}. One thread calls all methods but {@link #wakeUp}. What a method throws ends
 * the attempt; a {@link ConnectorException} shows its message alone, so it should name the split.
 *
 * @param <T> records
 */
public interface LiveReader<T> {
    /**
     * Reads this split too, from where the source was told to start. As soon as the reader knows where that is it hands over a
     * batch of the split, which may be empty: its {@link RecordBatch#position} is what a job goes on from that fails before the
     * first record.
     */
    void add(String split) throws Exception;

    /** Reads this split too, which was found while the job ran: from its beginning, so that nothing of it is left out. */
    default void addFound(String split) throws Exception {
        add(split);
    }

    /**
     * Reads this split too, from a position that a batch of it gave.
     *
     * @throws UnsupportedOperationException if the source cannot be replayed
     */
    default void addAt(String split, long position) throws Exception {
        throw new UnsupportedOperationException("this source cannot be replayed");
    }

    /**
     * Compares a split with what is known of it from a checkpoint, before {@link #addAt}.
     *
     * @param fingerprint as {@link RecordBatch#fingerprint} gave it
     * @return as {@link SplitReader#changed} has it; null if nothing has changed
     */
    default @Nullable String changed(String split, byte[] fingerprint) throws Exception {
        return null;
    }

    /**
     * What has come of the splits that are read and not paused. Waits if there is nothing, but for no longer than
     * {@code atMost}, and not after {@link #wakeUp}.
     *
     * @return batches, those of one split in their order; empty if there is nothing
     */
    List<RecordBatch<T>> fetch(Duration atMost) throws Exception;

    /** Ends a {@link #fetch} that waits, or the next one at once. Any thread may call, also after {@link #close}. */
    void wakeUp();

    /** The task has enough of a split: it is handed over no more of it until {@link #resume}, but for what has been fetched. */
    void pause(String split) throws Exception;

    void resume(String split) throws Exception;

    /**
     * All records of a split before this position are processed, and what came of them is safe: in a job with checkpoints, in one
     * that is complete. Called for the information of others, such as a broker that shows how far a group has read; positions of
     * one split never decrease. Not called in a job without checkpoints and acks.
     */
    default void confirm(String split, long position) throws Exception {}

    default void close() throws Exception {}
}
