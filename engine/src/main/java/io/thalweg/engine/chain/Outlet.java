// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** The way out of a chain into the queues of the next one. Sets {@link Frame#blocked} if a queue is full. */
public interface Outlet extends Receiver {
    /** Puts into the queues what waits for room; false if there still is none. */
    boolean makeRoom();

    /** Hands over batches that are not full, to whoever waits for them, or to all if the task has no more to do. */
    void flush(boolean all);

    /** Sends a watermark behind the records. Only while there is room. */
    void watermark(long watermark);

    /** Sends a barrier behind records and watermark. Only while there is room. */
    void barrier(long checkpoint);

    /** Says that nothing comes after. Only while there is room. */
    void end(boolean cancelled);

    /** Records handed over since it was last asked. */
    long takeCount();
}
