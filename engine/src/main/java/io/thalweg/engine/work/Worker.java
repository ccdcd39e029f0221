// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import io.thalweg.run.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls its tasks in turn until all are done, on a thread or stepped by the caller with {@link #round()}. A task that
 * kept the thread several times for more than {@link #SLOW_NS} moves to a thread of its own.
 */
public final class Worker implements Runnable {
    /** A turn this long counts as slow, and a task with several of them moves to a thread of its own. */
    private static final long SLOW_NS = 100_000_000;

    private static final long COLD_NS = 1_000_000_000;

    /**
     * After this many spins a worker yields its core at each further one. If all cores spin, another thread (the worker
     * that just got a record, say) may wait milliseconds for the scheduler.
     */
    private static final int SELFISH_SPINS = 100;

    /** A task and its wake-up handle. */
    public record Scheduled(Task task, Waker waker) {}

    /** A call in progress, and the thread that it keeps. */
    record Held(Task task, long sinceNs, Thread thread) {}

    /** What a worker needs of the job. */
    public interface Crew {
        /** A task has failed; all others must stop. */
        void onFailure(Task task, Throwable failure);

        /** True once the job must stop immediately. */
        boolean stopped();

        void onDone(Task task);

        /** Moves a slow task to a thread of its own. */
        void moveOut(Scheduled scheduled);
    }

    private final List<Scheduled> tasks = new ArrayList<>();
    private final Crew crew;
    private final Clock clock;
    private final Backoff backoff;
    private final boolean shared;
    private final long madeNs;
    private final AtomicReference<@Nullable Task> inHand = new AtomicReference<>();
    private final AtomicLong turnBeganNs = new AtomicLong();
    private final AtomicBoolean parked = new AtomicBoolean();
    private volatile @Nullable Thread thread;

    /**
     * @param backoff how to wait while no task has anything to do
     * @param shared false for a worker that serves one slow or blocking task, which then stays
     */
    public Worker(List<Scheduled> tasks, Crew crew, Clock clock, Backoff backoff, boolean shared) {
        this.tasks.addAll(tasks);
        this.crew = crew;
        this.clock = clock;
        this.backoff = backoff;
        this.shared = shared;
        madeNs = clock.nowNs();
        backoff.awake(madeNs);
        tasks.forEach(scheduled -> scheduled.waker().moveTo(this));
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        int idleRounds = 0;
        while (!tasks.isEmpty()) {
            try {
                idleRounds = round() ? 0 : idleRounds + 1;
                if (idleRounds > 0) {
                    rest(idleRounds);
                }
            } catch (Throwable failure) { // no thread for a slow task, no memory: as if a task had failed
                if (tasks.isEmpty()) {
                    throw failure;
                }
                crew.onFailure(tasks.get(0).task(), failure);
            }
        }
    }

    /** Gives every task one turn; true if one of them did any work. */
    public boolean round() {
        if (crew.stopped()) {
            while (!tasks.isEmpty()) { // no iterator: memory may be short
                Task task = tasks.remove(tasks.size() - 1).task();
                abandon(task);
                crew.onDone(task);
            }
            return true;
        }
        boolean busy = false;
        long beganNs = clock.nowNs();
        for (int i = 0; i < tasks.size(); i++) {
            Scheduled scheduled = tasks.get(i);
            Task task = scheduled.task();
            turnBeganNs.setOpaque(beganNs);
            inHand.setOpaque(task);
            Turn turn = call(task);
            long endedNs = clock.nowNs();
            long tookNs = endedNs - beganNs;
            if (!busy && (turn == Turn.BUSY || turn == Turn.DONE)) {
                busy = true;
                backoff.busy(beganNs);
            }
            beganNs = endedNs;
            task.onTurn(turn, tookNs);
            if (turn == Turn.DONE) {
                tasks.remove(i--);
                crew.onDone(task);
            } else if (tookNs > SLOW_NS && endedNs - madeNs > COLD_NS && !task.blocking()) {
                task.onSlowTurn();
                if (scheduled.waker().onSlowTurn(endedNs) && shared && tasks.size() > 1) {
                    crew.moveOut(scheduled);
                    tasks.remove(i--);
                }
            }
        }
        inHand.setOpaque(null);
        return busy;
    }

    /** Any thread: the call in progress, if any. */
    @Nullable Held held() {
        Task task = inHand.getAcquire();
        Thread holder = thread;
        return task == null || holder == null ? null : new Held(task, turnBeganNs.getAcquire(), holder);
    }

    public boolean isEmpty() {
        return tasks.isEmpty();
    }

    private Turn call(Task task) {
        try {
            return task.call();
        } catch (Throwable failure) { // errors too: the job ends with a line that says so
            crew.onFailure(task, failure);
            abandon(task);
            return Turn.DONE;
        }
    }

    private void abandon(Task task) {
        try {
            task.abandon();
        } catch (Throwable e) {
            crew.onFailure(task, e);
        }
    }

    private void rest(int idleRounds) {
        long beganNs = clock.nowNs();
        if (!backoff.spins(beganNs)) {
            park();
        } else if (idleRounds < SELFISH_SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        long restedNs = clock.nowNs() - beganNs;
        for (Scheduled scheduled : tasks) {
            scheduled.task().onRest(restedNs);
        }
    }

    /** Checks the tasks once more after announcing that it sleeps, so that no wake-up is lost. */
    private void park() {
        parked.set(true);
        if (!round()) {
            long sleepNs = sleepNs();
            if (sleepNs > 0) {
                LockSupport.parkNanos(this, sleepNs);
                backoff.awake(clock.nowNs());
            }
        }
        parked.set(false);
    }

    /** How long to sleep until the first task is due. */
    private long sleepNs() {
        long nowNs = clock.nowNs();
        long sleepNs = backoff.sleepNs(nowNs);
        for (Scheduled scheduled : tasks) {
            long dueNs = scheduled.task().nextDueNs();
            if (dueNs != 0) {
                sleepNs = Math.min(sleepNs, backoff.sleepNs(nowNs, dueNs));
            }
        }
        return sleepNs;
    }

    /** Wakes the worker. Any thread may call. */
    void wake() {
        if (parked.get() && parked.compareAndSet(true, false)) {
            backoff.wokenAt(clock.nowNs());
            LockSupport.unpark(thread);
        }
    }
}
