// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Message;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The load goes to children in turn: this thread writes, as many tuples at once as are due and may be under way, and for each child
 * another thread takes in what it emits. Each of them sleeps until there is something to do.
 */
final class ChildLoop {
    static final int MOST_AT_ONCE = 512;

    private static final long FAREWELL_MS = 1_000;

    private final List<? extends Tuples> children;
    private final Runnable end;
    private final Thread source = Thread.currentThread();
    private final AtomicLong acked = new AtomicLong();
    private volatile boolean waiting;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;

    /** @param end ends all children; both threads may call it, also again */
    ChildLoop(List<? extends Tuples> children, Runnable end) {
        this.children = children;
        this.end = end;
    }

    /**
     * Runs a load until it has ended and all of it is acked.
     *
     * @param taken for each child, gets what it has emitted, on its thread
     * @param pending at most so many tuples are not acked
     */
    void run(Load load, Function<Load, Message> make, List<? extends Consumer<Message>> taken, int pending)
            throws Exception {
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            Tuples child = children.get(i);
            Consumer<Message> its = taken.get(i);
            Thread reader = new Thread(() -> read(child, its), "hand-child-" + i);
            reader.setDaemon(true);
            reader.start();
            readers.add(reader);
        }
        try {
            write(load, make, pending);
            credits(load.sent(), 1); // all are acked
            if (acked.get() != load.sent()) {
                throw new IllegalStateException(
                        "children have acked " + acked + " tuples, and got " + load.sent() + " of them");
            }
        } catch (IOException e) {
            awaitEnd(readers); // the reader knows why the child is gone
            check();
            throw e;
        } finally {
            over = true;
            end.run();
            awaitEnd(readers);
        }
    }

    private static void awaitEnd(List<Thread> readers) throws InterruptedException {
        for (Thread each : readers) {
            each.join(FAREWELL_MS);
        }
    }

    // ---- the source's thread

    private void write(Load load, Function<Load, Message> make, int pending) throws IOException {
        int next = 0;
        while (!load.ended()) {
            if (!load.due()) {
                check();
                load.park();
                continue;
            }
            int most = credits(load.sent(), pending);
            for (int i = 0; i < most && !load.ended() && load.due(); i++) {
                children.get(next).add(make.apply(load));
                next = (next + 1) % children.size();
            }
            for (Tuples each : children) {
                each.send();
            }
        }
    }

    /** How many tuples may be sent now, of those that may be under way; waits until that is at least one. */
    private int credits(long sent, int most) {
        while (true) {
            check();
            long free = most - (sent - acked.get());
            if (free > 0) {
                return (int) Math.min(free, MOST_AT_ONCE);
            }
            waiting = true;
            if (most - (sent - acked.get()) <= 0 && failure == null) {
                LockSupport.park(this);
            }
            waiting = false;
        }
    }

    private void check() {
        Throwable problem = failure;
        if (problem != null) {
            throw new IllegalStateException("a child failed: " + problem.getMessage(), problem);
        }
    }

    // ---- a reader's thread

    private void read(Tuples child, Consumer<Message> taken) {
        try {
            for (int acks = child.read(taken); acks >= 0; acks = child.read(taken)) {
                if (acks > 0) {
                    acked.addAndGet(acks);
                    if (waiting) {
                        LockSupport.unpark(source);
                    }
                }
            }
            throw new EOFException("it has ended; its standard error says why");
        } catch (IOException | RuntimeException | Error e) {
            if (!over) {
                failure = e;
                LockSupport.unpark(source);
                end.run(); // who writes to it waits no longer
            }
        }
    }
}
