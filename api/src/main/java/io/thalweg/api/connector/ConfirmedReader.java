// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

/**
 * A reader that wants to hear what became of each of its records, as a message broker does. In a job that is acked it stays
 * open until all of them are done.
 *
 * @param <T> records
 */
public interface ConfirmedReader<T> extends SplitReader<T> {
    /**
     * All that came of a record is done and safe, in a job with checkpoints by one that is complete; or it was given up. It will
     * not be needed again. Called once a record, in any order,
     * and never after {@link #close}; if the source blocks, perhaps while another thread is in {@link #poll}.
     *
     * @param position what {@link #position} said before the record was polled
     */
    void confirm(long position) throws Exception;
}
