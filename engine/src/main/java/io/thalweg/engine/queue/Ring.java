// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.queue;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of recycled batches from one producer thread to one consumer thread. Wait-free: neither side waits if
 * the queue is full or empty. Producer and consumer may move to other threads between calls, if the move is a
 * happens-before edge.
 */
public final class Ring {
    private final Batch[] slots;
    private final int mask;
    private final PaddedCounter head = new PaddedCounter();
    private final PaddedCounter tail = new PaddedCounter();
    private final Runnable producer;
    private final Runnable consumer;

    /** The producer's copy of head: read again only when the ring looks full. */
    private long headSeen;

    /** The consumer's copy of tail: read again only when the ring looks empty. */
    private long tailSeen;

    /**
     * @param batches a power of two
     * @param acked batches carry the root and id of each record
     * @param producer run when half of the queue is free again; waking it for each batch would cost the consumer too
     *     much
     * @param consumer run when there is a batch to take
     */
    public Ring(int batches, int batchRecords, boolean timed, boolean acked, Runnable producer, Runnable consumer) {
        slots = new Batch[batches];
        for (int i = 0; i < batches; i++) {
            slots[i] = new Batch(batchRecords, timed, acked);
        }
        mask = batches - 1;
        this.producer = producer;
        this.consumer = consumer;
    }

    /** Consumer: lets go of all records. Nothing may be claimed or published from now on. */
    public void discard() {
        Arrays.fill(slots, new Batch(0, false, false));
    }

    /** Producer: the batch to fill next, empty; null iff the ring is full. Claiming again gives the same batch. */
    public @Nullable Batch claim() {
        long next = tail.plain();
        if (next - headSeen > mask) {
            headSeen = head.acquire();
            if (next - headSeen > mask) {
                return null;
            }
        }
        Batch batch = slots[(int) next & mask];
        batch.clear();
        return batch;
    }

    /** Producer: hands over the claimed batch. */
    public void publish() {
        tail.release(tail.plain() + 1);
        VarHandle.fullFence(); // either the consumer sees the batch, or we see that it sleeps
        consumer.run();
    }

    /** Consumer: the oldest batch; null iff the ring is empty. */
    public @Nullable Batch peek() {
        long next = head.plain();
        if (next == tailSeen) {
            tailSeen = tail.acquire();
            if (next == tailSeen) {
                return null;
            }
        }
        return slots[(int) next & mask];
    }

    /** Consumer: returns the batch that it peeked. */
    public void release() {
        long next = head.plain() + 1;
        head.release(next);
        VarHandle.fullFence(); // either the producer sees the room, or we see that it sleeps
        if (tail.acquire() - next == slots.length / 2) {
            producer.run();
        }
    }

    /** Any thread: the approximate number of batches in the queue. */
    public int depth() {
        return (int) Math.max(0, tail.acquire() - head.acquire());
    }
}
