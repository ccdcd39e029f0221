// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of work, such as decoding, for any worker of a job to do between the turns of its tasks. Needs no threads
 * besides the workers. Any thread may call.
 */
public final class Pieces {
    private final int threads;
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final List<Waker> wakers = new CopyOnWriteArrayList<>();
    private volatile boolean wanted;
    private volatile boolean closed;

    /** @param threads how many workers there will be */
    public Pieces(int threads) {
        this.threads = threads;
    }

    /** How many threads may work for each split, given their number; if more than one, each worker gets a task for pieces. */
    public int threadsFor(int splits) {
        int each = splits == 0 ? 1 : Math.max(1, threads / splits);
        wanted |= each > 1;
        return each;
    }

    /** True if a source submits pieces. */
    public boolean wanted() {
        return wanted;
    }

    public void add(Runnable piece) {
        waiting.add(piece);
        for (Waker waker : wakers) { // either a worker that is about to sleep sees the piece, or we see that it sleeps
            waker.run();
        }
    }

    /** No more pieces will be submitted. */
    public void close() {
        closed = true;
        for (Waker waker : wakers) {
            waker.run();
        }
    }

    /** The tasks that do the pieces, one for each worker. */
    public List<Worker.Scheduled> tasks(int count) {
        List<Worker.Scheduled> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Worker.Scheduled scheduled = new Worker.Scheduled(new Doing(), new Waker());
            wakers.add(scheduled.waker());
            tasks.add(scheduled);
        }
        return tasks;
    }

    /** Does one piece a turn. */
    public final class Doing implements Task {
        private Doing() {}

        @Override
        public boolean helps() {
            return true;
        }

        @Override
        public Turn call() {
            @Nullable Runnable piece = waiting.poll();
            if (piece == null) {
                return closed ? Turn.DONE : Turn.WAITING;
            }
            piece.run();
            return Turn.BUSY;
        }

        @Override
        public void abandon() {
            waiting.clear();
        }

        @Override
        public void onTurn(Turn turn, long tookNs) {}

        @Override
        public void onRest(long restedNs) {}

        @Override
        public void onSlowTurn() {}

        @Override
        public boolean blocking() {
            return false;
        }
    }
}
