// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** The output of a chain, into the queues of the next one. Sets {@link Frame#blocked} if a queue is full (back-pressure). */
public interface Outlet extends Receiver {
    /** Sends what waits for room; false if there still is none. */
    boolean makeRoom();

    /**
     * Sends partly filled batches to tasks that wait for them; to all tasks if {@code all}, when this task has nothing
     * more to do.
     */
    void flush(boolean all);

    /** Sends a watermark behind the records. Only while there is room. */
    void watermark(long watermark);

    /** Sends a barrier behind records and watermark. Only while there is room. */
    void barrier(long checkpoint);

    /** Sends the end of input. Only while there is room. */
    void end(boolean cancelled);

    /** The number of records sent since the last call. */
    long takeCount();
}
