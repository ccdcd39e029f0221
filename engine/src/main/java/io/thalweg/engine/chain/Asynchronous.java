// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.queue.Batch;
import java.util.function.LongConsumer;

/**
 * The head of a chain that sends a request to the outside for each record and emits the answer, or emits from threads of its own. A
 * record is in flight from its arrival until all that comes of it was emitted. All methods are called on the task's thread.
 */
public interface Asynchronous extends Stage {
    /**
     * Emits answers until the frame is blocked; retries requests that are due for it, and ends those that have timed
     * out.
     *
     * @param onEmitted called for each record with its due time
     */
    void emit(LongConsumer onEmitted) throws Exception;

    /** Records in flight. */
    int held();

    /** True if a barrier must wait for records in flight. */
    default boolean holdsBarrier() {
        return held() > 0;
    }

    /** True if as many records are in flight as may be. */
    boolean full();

    /** Drops the records in flight and cancels their requests; returns how many there were. */
    @Override
    int drop();

    /**
     * The input watermark is now {@code watermark}, or {@link Batch#IDLE}. Returns the one that may be passed on: the
     * watermark that had arrived before the oldest record in flight.
     */
    long passed(long watermark);

    /** The task ends: emits what is left, and nothing after that; false if an output is full. */
    default boolean emitLast() throws Exception {
        return true;
    }

    /** When {@link #emit} has something to do even without an answer; 0 if never. */
    long nextDueNs();
}
