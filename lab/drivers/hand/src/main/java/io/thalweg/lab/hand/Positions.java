// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import io.thalweg.lab.driver.Load;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How far the two threads of a ring have come: one fills batches, the other empties them, each batch used again and again. What was
 * written before {@link #publish} is seen after {@link #toEmpty}.
 */
final class Positions {
    /** Records in a batch at most. */
    static final int RECORDS = 512;

    static final int BATCHES = 16;

    /** So that the two positions are in cache lines of their own. */
    private static final int PAD = 16;

    private static final int SPINS = 1024;
    private static final VarHandle POSITION = MethodHandles.arrayElementVarHandle(long[].class);

    /** Each in the middle, so that no two are in one cache line. */
    private final long[] filled = new long[2 * PAD + 1];

    private final long[] emptied = new long[2 * PAD + 1];
    private final long[] done = new long[2 * PAD + 1];
    private final boolean parks;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    /** @param parks whether a thread that waits sleeps, rather than spin */
    Positions(boolean parks) {
        this.parks = parks;
    }

    /** The filling thread: the batch to fill, which it waits for. */
    int toFill() {
        long at = filled[PAD];
        for (int waits = 0; at - (long) POSITION.getAcquire(emptied, PAD) == BATCHES; waits++) {
            checkFailure();
            idle(waits);
        }
        return (int) at & (BATCHES - 1);
    }

    /** The filling thread: hands its batch over. */
    void publish() {
        POSITION.setRelease(filled, PAD, filled[PAD] + 1);
    }

    /**
     * The filling thread: how many records it may add, of those that may be under way; it waits until that is at least one.
     *
     * @param sent how many it has added so far
     */
    int credits(long sent, int most) {
        for (int waits = 0; ; waits++) {
            long credits = most - (sent - (long) POSITION.getAcquire(done, PAD));
            if (credits > 0) {
                return (int) credits;
            }
            checkFailure();
            idle(waits);
        }
    }

    /** The emptying thread: confirms a record. */
    void confirm() {
        POSITION.setRelease(done, PAD, done[PAD] + 1);
    }

    /** The filling thread: no more batches come. */
    void end() {
        ended = true;
    }

    /** The emptying thread: the batch to empty, which it waits for; -1 if no more come. */
    int toEmpty() {
        long at = emptied[PAD];
        for (int waits = 0; at == (long) POSITION.getAcquire(filled, PAD); waits++) {
            checkFailure();
            if (ended && at == (long) POSITION.getAcquire(filled, PAD)) {
                return -1;
            }
            idle(waits);
        }
        return (int) at & (BATCHES - 1);
    }

    /** The emptying thread: gives its batch back. */
    void release() {
        POSITION.setRelease(emptied, PAD, emptied[PAD] + 1);
    }

    private void checkFailure() {
        Throwable problem = failure;
        if (problem != null) {
            throw new IllegalStateException("the other thread failed: " + problem, problem);
        }
    }

    /** The filling thread: waits a moment for the next record to be due. */
    void awaitDue(Load load, int waits) {
        if (parks) {
            load.park();
        } else {
            idle(waits);
        }
    }

    /** Waits a moment; spinning, it now and then lets another thread of a busy machine have the core. */
    private void idle(int waits) {
        if (parks) {
            LockSupport.parkNanos(Load.PARK_NS);
        } else if (waits % SPINS == SPINS - 1) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    /** Runs one side on a thread of its own and the other on this one, until both have ended; if one fails, so does the other. */
    void run(Runnable fill, Runnable empty) throws InterruptedException {
        Thread filler = new Thread(() -> guarded(fill), "hand-source");
        filler.setDaemon(true);
        filler.start();
        guarded(empty);
        filler.join();
        Throwable problem = failure;
        if (problem != null) {
            throw new IllegalStateException("a loop failed: " + problem, problem);
        }
    }

    private void guarded(Runnable side) {
        try {
            side.run();
        } catch (RuntimeException | Error e) {
            if (failure == null) {
                failure = e;
            }
        }
    }
}
