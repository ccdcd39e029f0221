// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.queue.Batch;
import java.util.function.LongConsumer;

/**
 * The head of a chain that asks something outside for each record and emits when it answers. A record is held from when it came
 * in until what came of it was emitted. All methods are called on the task's thread.
 */
public interface Asynchronous extends Stage {
    /**
     * Emits what is answered, until the frame is blocked; makes requests again that are due for that, and ends those that are late.
     *
     * @param onEmitted told of each record when it was due
     */
    void emit(LongConsumer onEmitted) throws Exception;

    /** Records in flight. */
    int held();

    /** As many records are held as may be. */
    boolean full();

    /** Forgets the records in flight and cancels their requests; says how many there were. */
    int drop();

    /**
     * The inputs have come to this watermark, or are {@link Batch#IDLE}. Returns the one that may go on: that which had come
     * before the oldest record in flight.
     */
    long passed(long watermark);

    /** When {@link #emit} has something to do though nothing is answered; 0 if never. */
    long nextDueNs();
}
