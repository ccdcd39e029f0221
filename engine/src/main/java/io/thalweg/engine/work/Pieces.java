// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of work that any worker of a job does, between the turns of its tasks: so there are never more threads than workers. Any
 * thread may call.
 */
public final class Pieces {
    private final int threads;
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final List<Seat> seats = new CopyOnWriteArrayList<>();
    private volatile boolean wanted;
    private volatile boolean closed;

    /** @param threads how many workers there will be */
    public Pieces(int threads) {
        this.threads = threads;
    }

    /** How many threads may work for each of so many splits; if more than one, each worker is to have a task for pieces. */
    public int threadsFor(int splits) {
        int each = splits == 0 ? 1 : Math.max(1, threads / splits);
        wanted |= each > 1;
        return each;
    }

    /** Some source has pieces. */
    public boolean wanted() {
        return wanted;
    }

    public void add(Runnable piece) {
        waiting.add(piece);
        for (Seat seat : seats) { // a worker that is about to sleep either sees the piece or is seen
            seat.run();
        }
    }

    /** Nothing more will come. */
    public void close() {
        closed = true;
        for (Seat seat : seats) {
            seat.run();
        }
    }

    /** Tasks that do the pieces, one for each worker. */
    public List<Worker.Seated> tasks(int count) {
        List<Worker.Seated> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Worker.Seated seated = new Worker.Seated(new Doing(), new Seat());
            seats.add(seated.seat());
            tasks.add(seated);
        }
        return tasks;
    }

    /** Does one piece a turn. */
    public final class Doing implements Task {
        private Doing() {}

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
