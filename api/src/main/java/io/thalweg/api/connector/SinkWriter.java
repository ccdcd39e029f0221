// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

/**
 * Writes the records of one task, called by one thread at a time.
 *
 * @param <T> records
 */
public interface SinkWriter<T> {
    /** Takes a record; it may be an object that the source fills anew after this call. */
    void write(T value) throws Exception;

    /** The input came to its end, or the run was cancelled in good order: what was written becomes visible. */
    default void finish() throws Exception {}

    /** Called always, last; without {@link #finish()} before it, what was written is to vanish. */
    default void close() throws Exception {}
}
