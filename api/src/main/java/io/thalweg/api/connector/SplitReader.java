// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import org.jspecify.annotations.Nullable;

/**
 * Reads one split; called by one thread at a time. Calls come in this order: {@link #changed} and {@link #seek} if the
 * job continues from a checkpoint, any number of {@link #poll}, and always {@link #close}.
 *
 * @param <T> records
 */
public interface SplitReader<T> {
    /**
     * The next record, or null if there is none now: see {@link #finished()}. Must not block for long, unless the
     * source is {@link Source#blocking}.
     */
    @Nullable T poll() throws Exception;

    /** Called after a poll that returned null: true if no record will ever come again. */
    boolean finished();

    /**
     * The position after the record polled last, in the source's own unit (bytes of a file, index of a generator);
     * before the first poll, the beginning of the split. A reader that seeks to it continues with the record that
     * follows.
     */
    long position();

    /**
     * Moves to a position that {@link #position()} returned, before the first poll.
     *
     * @throws UnsupportedOperationException if the source is not replayable
     */
    default void seek(long position) throws Exception {
        throw new UnsupportedOperationException("this source cannot be replayed");
    }

    /**
     * What the reader knows of the content of its split up to {@link #position()}, or a little further, such as a
     * checksum: bytes that are saved with the position, in a versioned format of the reader's own. A job that continues
     * passes them to {@link #changed}, so that it does not silently read on in a different input. Called at each
     * checkpoint if {@link SourceContext#checkpoints} is true; empty if the reader cannot tell.
     */
    default byte[] fingerprint() throws Exception {
        return new byte[0];
    }

    /**
     * Compares the split with a saved fingerprint, before the first poll. If something has changed and the user accepts
     * that, {@link #seek} is called nevertheless, possibly with a position that no longer exists: the reader then
     * continues with the first record that begins at or after it.
     *
     * @param fingerprint as returned by {@link #fingerprint}, possibly taken further on than the position that {@link
     *     #seek} receives
     * @return what was expected and what was found, in words that follow a colon; null if what was read is still the
     *     same. What follows it may have changed
     * @throws ConnectorException if the split cannot be read, or a newer version wrote the fingerprint
     */
    default @Nullable String changed(byte[] fingerprint) throws Exception {
        return null;
    }

    /** Line of the record polled last, from 1; 0 if the source has no lines. For messages. */
    default long line() {
        return 0;
    }

    /**
     * Offset at which the record polled last begins, in the unit of {@link #position()}; if a poll threw, of the record
     * that it was reading. For messages.
     */
    default long recordOffset() {
        return position();
    }

    /**
     * When the record that the next poll returns is, or was, due, by {@link SourceContext#nowNs()}; for sources that
     * keep a rate. Latency is measured from there, and the engine need not poll much before. 0 if unknown, and always
     * for sources that are read as fast as possible.
     */
    default long nextDueNs() {
        return 0;
    }

    /** Closes the split. Called once, last, also after a failure. */
    default void close() throws Exception {}
}
