// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

/**
 * Writes the records of one task, called by one thread at a time.
 *
 * @param <T> records
 */
public interface SinkWriter<T> {
    /** Takes a record; it may be an object that the source reuses after this call. */
    void write(T value) throws Exception;

    /**
     * When {@link #onClock} has something to do, in milliseconds since 1970; {@link Long#MAX_VALUE} if it has nothing, 0 for at once.
     * Asked often, so it only says what is known.
     */
    default long dueMs() {
        return Long.MAX_VALUE;
    }

    /**
     * The clock has reached {@link #dueMs}. A writer that holds records back for a batch sends them here when they have waited for long
     * enough; it needs no clock of its own.
     */
    default void onClock(long epochMs) throws Exception {}

    /** The input came to its end: what was written becomes visible. */
    default void finish() throws Exception {}

    /** Called instead of {@link #finish()} if the run was cancelled in good order, so that more was to come. */
    default void cancelled() throws Exception {
        finish();
    }

    /** Called always, last; without one of the two before it, what was written is to vanish. */
    default void close() throws Exception {}
}
