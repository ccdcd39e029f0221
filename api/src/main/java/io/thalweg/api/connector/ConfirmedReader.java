// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

/**
 * A reader that is told when each of its records has been processed, as a message broker needs for acknowledgements. In
 * a job with the guarantee {@code acked} it stays open until all of its records are acked.
 *
 * @param <T> records
 */
public interface ConfirmedReader<T> extends SplitReader<T> {
    /**
     * A record is acked: it and everything derived from it has been processed and is durable, in a job with checkpoints
     * by a complete one; or it was given up after all retries. It will not be needed again. Called once for each
     * record, in any order, and never after {@link #close}; if the source is {@link Source#blocking}, possibly while
     * another thread is in {@link #poll}.
     *
     * @param position what {@link #position} returned before the record was polled
     */
    void confirm(long position) throws Exception;
}
