// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * What leads back to an executor from one that it sends to, outside of the graph: a queue without a bound, since a full one would wait
 * for itself, and a thread that takes from it.
 */
final class FeedbackQueue {
    private final BlockingQueue<DoorTuple> queue = new LinkedBlockingQueue<>();

    /** In the queue, and the one that its thread has taken and not delivered yet. */
    private final AtomicInteger waiting = new AtomicInteger();

    private volatile boolean closed;

    /** False if it is closed. */
    boolean add(DoorTuple message) {
        if (closed) {
            return false;
        }
        waiting.incrementAndGet();
        return queue.add(message);
    }

    /** The executor is about to be called with what the thread has taken; not called if it has closed meanwhile. */
    void delivered() {
        waiting.decrementAndGet();
    }

    /** The executor is ready. */
    void begin(String name, Consumer<DoorTuple> to, Consumer<Throwable> onFailure) {
        Host.daemon(() -> run(to, onFailure), name).start();
    }

    private void run(Consumer<DoorTuple> to, Consumer<Throwable> onFailure) {
        try {
            while (!closed) {
                DoorTuple next = queue.poll(100, TimeUnit.MILLISECONDS);
                if (next != null) {
                    to.accept(next);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            if (!closed) {
                onFailure.accept(e);
            }
        }
    }

    /** What is left in the queue is not delivered. The thread is not interrupted: it may be in a call of the bolt's. */
    void close() {
        closed = true;
    }

    /** What was not delivered because it is closed. */
    int left() {
        return closed ? waiting.get() : 0;
    }
}
