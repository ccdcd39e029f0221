// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import org.jspecify.annotations.Nullable;

/**
 * Reads one split, called by one thread at a time.
 *
 * @param <T> records
 */
public interface SplitReader<T> {
    /** The next record, or null if none is to be had now: see {@link #finished()}. Never blocks for long. */
    @Nullable T poll() throws Exception;

    /** Asked after a poll that returned null: true says that no record will ever come again. */
    boolean finished();

    /**
     * The position after the record polled last, in the source's own unit (bytes of a file, index of a generator);
     * before the first poll, the beginning of the split. A reader that seeks to it goes on with the record that follows.
     */
    long position();

    /**
     * Goes to a position that {@link #position()} gave, before the first poll.
     *
     * @throws UnsupportedOperationException if the source cannot be replayed
     */
    default void seek(long position) throws Exception {
        throw new UnsupportedOperationException("this source cannot be replayed");
    }

    /**
     * What the reader knows of the content of its split up to {@link #position()}, or a little further: bytes that are saved with
     * the position, in a form and with a version of the reader's own. A job that goes on gives them to {@link #changed}, so that
     * it does not read on in another input. Asked for at each checkpoint, if {@link SourceContext#checkpoints} is true; empty
     * where the reader can say nothing.
     */
    default byte[] fingerprint() throws Exception {
        return new byte[0];
    }

    /**
     * Compares the split with what a former reader knew of it, before the first poll. If something has changed, and the user
     * accepts that, {@link #seek} is called all the same, perhaps with a position that does not exist any more: the reader then
     * goes on with the first record that begins at or after it.
     *
     * @param fingerprint as {@link #fingerprint} gave it, perhaps further on than the position that {@link #seek} is given
     * @return what was expected and what was found, in words that follow a colon; null if what was read is still the same. What
     *     follows it may have changed
     * @throws ConnectorException if the split cannot be read, or a newer version gave the fingerprint
     */
    default @Nullable String changed(byte[] fingerprint) throws Exception {
        return null;
    }

    /** Line of the record polled last, from 1; 0 if the source knows no lines. For messages. */
    default long line() {
        return 0;
    }

    /**
     * Offset at which the record polled last begins, in the unit of {@link #position()}; if a poll threw, of the record
     * that it was at. For messages.
     */
    default long recordOffset() {
        return position();
    }

    /**
     * When the record that the next poll gives is due, or was, by {@link SourceContext#nowNs()}, for sources that keep a
     * rate: latency is measured from there, and nobody looks again much before. 0 if that is not known, and always
     * where the source is read as fast as it goes.
     */
    default long nextDueNs() {
        return 0;
    }

    default void close() throws Exception {}
}
