// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import org.jspecify.annotations.Nullable;

/**
 * Reads one split, called by one thread at a time.
 *
 * @param <T> records
 */
public interface SplitReader<T> {
    /** The next record, or null where none is to be had now: see {@link #finished()}. Never blocks for long. */
    @Nullable T poll() throws Exception;

    /** Asked after a poll that returned null: true says that no record will ever come again. */
    boolean finished();

    /**
     * The position after the record polled last, in the source's own unit (bytes of a file, index of a generator);
     * before the first poll, where the split begins. A reader that seeks to it goes on with the record that follows.
     */
    long position();

    /**
     * Goes to a position that {@link #position()} gave, before the first poll.
     *
     * @throws UnsupportedOperationException where the source cannot be replayed
     */
    default void seek(long position) throws Exception {
        throw new UnsupportedOperationException("this source cannot be replayed");
    }

    /** Line of the record polled last, from 1; 0 where the source knows no lines. For messages. */
    default long line() {
        return 0;
    }

    /**
     * Offset at which the record polled last begins, in the unit of {@link #position()}; where a poll threw, of the record
     * that it was at. For messages.
     */
    default long recordOffset() {
        return position();
    }

    /**
     * When the record that the next poll gives is due, or was, by {@link SourceContext#nowNs()}, for sources that keep a
     * rate: latency is measured from there, and nobody looks again much before. 0 where that is not known, and always
     * where the source is read as fast as it goes.
     */
    default long nextDueNs() {
        return 0;
    }

    default void close() throws Exception {}
}
