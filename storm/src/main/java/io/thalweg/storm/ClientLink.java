// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedPlan;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the watch bolt and the client tell each other, on a thread of its own: a Nimbus that takes a request and does not answer holds up
 * this thread, and not the bolt, which takes checkpoints. One thread at a time may call.
 */
final class ClientLink implements AutoCloseable {
    /** How much may wait for the thread. */
    static final int MOST_BYTES = 4 << 20;

    private static final long LOOK_MS = 50;
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Both ways. For the thread of the link alone. */
    interface Mailbox extends MessageBatches.Mailbox, AutoCloseable {
        /** True if the client has asked the job to stop; false also if nobody can know now. */
        boolean cancelled();

        @Override
        void close();
    }

    private final BlockingQueue<ControlMessage> queue = new LinkedBlockingQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Supplier<? extends Mailbox> opening;
    private final MessageBatches batches;
    private volatile boolean cancelled;

    /** Null before it is needed; for the thread. */
    private @Nullable Mailbox mailbox;

    private long askedNs;

    /**
     * @param begunBefore as {@link MessageBatches} has it
     * @param opening opens the mailbox, which is closed with this
     */
    ClientLink(String job, boolean begunBefore, Supplier<? extends Mailbox> opening) {
        this.opening = opening;
        long nowNs = HostedPlan.nowNs();
        batches = new MessageBatches(begunBefore, nowNs, this::mailbox);
        askedNs = nowNs - ASK_NS;
        Thread thread = new Thread(this::run, "thalweg-storm-client-" + job);
        thread.setDaemon(true);
        thread.start();
    }

    private Mailbox mailbox() {
        Mailbox open = mailbox;
        if (open == null) {
            open = opening.get();
            mailbox = open;
        }
        return open;
    }

    private void run() {
        try {
            while (closed.getCount() > 0) {
                try {
                    look(next());
                } catch (InterruptedException e) {
                    return;
                } catch (RuntimeException e) {
                    failure.set(e);
                } catch (Error e) {
                    failure.set(new IllegalStateException("the client cannot be told anything: " + e, e));
                }
            }
        } finally {
            if (mailbox != null) {
                mailbox.close();
            }
        }
    }

    /** Waits for a message; null if there is none, or no room for it. */
    private @Nullable ControlMessage next() throws InterruptedException {
        if (batches.isFull()) {
            boolean unused = closed.await(LOOK_MS, TimeUnit.MILLISECONDS);
            return null;
        }
        return queue.poll(LOOK_MS, TimeUnit.MILLISECONDS);
    }

    private void look(@Nullable ControlMessage message) {
        long nowNs = HostedPlan.nowNs();
        if (message == null) {
            batches.sendIfDue(nowNs);
        } else {
            bytes.addAndGet(-MessageBatches.size(message));
            batches.send(message, nowNs);
        }
        if (!cancelled && nowNs - askedNs >= ASK_NS) {
            askedNs = nowNs;
            cancelled = mailbox().cancelled();
        }
    }

    /**
     * Sends a message to the client; waits if much waits already, as where a job prints much while Nimbus is away. One that ends the job
     * does not wait.
     *
     * @throws RuntimeException if an earlier one could not be sent, for another reason than that Nimbus is away
     */
    void send(ControlMessage message) {
        if (!message.endsJob()) {
            check();
        }
        while (bytes.get() > MOST_BYTES && !message.endsJob()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("the worker ends, and messages wait for Nimbus");
            }
            check();
        }
        bytes.addAndGet(MessageBatches.size(message));
        queue.add(message);
    }

    /** True if the client has asked the job to stop. */
    boolean cancelled() {
        check();
        return cancelled;
    }

    private void check() {
        RuntimeException failed = failure.getAndSet(null);
        if (failed != null) {
            throw failed;
        }
    }

    /** The thread ends, after what it is waiting for; what it has not sent is not sent. */
    @Override
    public void close() {
        closed.countDown();
    }
}
