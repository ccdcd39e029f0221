// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads all splits of one task of a {@link LiveSource}. One thread calls all methods except {@link #wakeUp}. An
 * exception fails the job; of a {@link ConnectorException} the user sees only the message, so it should name the split.
 *
 * @param <T> records
 */
public interface LiveReader<T> {
    /**
     * Starts reading a split, from where the source was told to start. As soon as the reader knows where that is, it
     * returns a batch of the split, which may be empty: a job that fails before the first record continues from its
     * {@link RecordBatch#position}.
     */
    void add(String split) throws Exception;

    /**
     * Starts reading a split that was discovered while the job ran: from its beginning, so that no record is skipped.
     */
    default void addFound(String split) throws Exception {
        add(split);
    }

    /**
     * Starts reading a split at a position that one of its batches returned.
     *
     * @throws UnsupportedOperationException if the source is not replayable
     */
    default void addAt(String split, long position) throws Exception {
        throw new UnsupportedOperationException("this source cannot be replayed");
    }

    /**
     * Compares a split with its fingerprint from a checkpoint, before {@link #addAt}.
     *
     * @param fingerprint as returned by {@link RecordBatch#fingerprint}
     * @return as in {@link SplitReader#changed}; null if nothing has changed
     */
    default @Nullable String changed(String split, byte[] fingerprint) throws Exception {
        return null;
    }

    /**
     * Returns what has arrived for the splits that are not paused. Waits if there is nothing, but no longer than {@code
     * atMost}, and not after {@link #wakeUp}.
     *
     * @return batches, those of one split in order; empty if there is nothing
     */
    List<RecordBatch<T>> fetch(Duration atMost) throws Exception;

    /**
     * Ends a {@link #fetch} that waits, or else the next one immediately. Any thread may call this, also after {@link
     * #close}.
     */
    void wakeUp();

    /**
     * Backpressure: no more of this split is returned until {@link #resume}, apart from what has already been fetched.
     */
    void pause(String split) throws Exception;

    /** Continues with a split that was paused. */
    void resume(String split) throws Exception;

    /**
     * All records of a split before this position have been processed, and their results are durable: in a job with
     * checkpoints, in a complete one. For the information of others, such as a broker that shows the lag of a consumer
     * group. Positions of one split never decrease. Not called in a job with neither checkpoints nor acks.
     */
    default void confirm(String split, long position) throws Exception {}

    /** Releases connections. Called once, last, also after a failure. */
    default void close() throws Exception {}
}
