// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import io.thalweg.run.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls its tasks in turn until all are done, on a thread or stepped by the caller with {@link #round()}. A task that
 * kept the thread several times for more than {@link #SLOW_NS} moves to a thread of its own. Workers may also pass their tasks to
 * each other ({@link Gathering}).
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

    /** How long a worker sleeps whose tasks are with another one. It is woken before when it gets them back. */
    private static final long ASLEEP_NS = 1_000_000_000;

    /** A task and its wake-up handle. */
    public record Scheduled(Task task, Waker waker) {}

    /** A call in progress, and the thread that it keeps. */
    record Held(Task task, long sinceNs, Thread thread) {}

    /** What a worker needs of the job. */
    public interface Crew {
        /**
         * A task has failed; all others must stop.
         *
         * @param task null for a worker whose tasks are with another one
         */
        void onFailure(@Nullable Task task, Throwable failure);

        /** True once the job must stop immediately. */
        boolean stopped();

        void onDone(Task task);

        /** Moves a slow task to a thread of its own. */
        void moveOut(Scheduled scheduled);
    }

    private final ArrayList<Scheduled> tasks;
    private final Crew crew;
    private final Clock clock;
    private final Backoff backoff;
    private final boolean shared;
    private final long madeNs;
    private final AtomicReference<@Nullable Task> inHand = new AtomicReference<>();
    private final AtomicLong turnBeganNs = new AtomicLong();
    private final AtomicBoolean parked = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private @Nullable Gathering gathering;

    /** From other workers, until this one's next round. */
    private final Queue<Scheduled> arrived = new ConcurrentLinkedQueue<>();

    /** Tasks that this worker began with and that are neither done nor on a thread of their own. */
    private final AtomicInteger unfinished = new AtomicInteger();

    private final AtomicLong busyNs = new AtomicLong();
    private long roundEndedNs;

    /**
     * @param backoff how to wait while no task has anything to do
     * @param shared false for a worker that serves one slow or blocking task, which then stays
     */
    public Worker(List<Scheduled> tasks, Crew crew, Clock clock, Backoff backoff, boolean shared) {
        this.tasks = new ArrayList<>(tasks);
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
        while (!tasks.isEmpty() || (gathering != null && gathering.needs(this))) {
            try {
                boolean busy = round();
                if (gathering != null) {
                    gathering.afterRound(this, roundEndedNs, busy);
                }
                idleRounds = busy ? 0 : idleRounds + 1;
                if (idleRounds > 0) {
                    rest(idleRounds);
                }
            } catch (Throwable failure) { // no thread for a slow task, no memory: as if a task had failed
                if (tasks.isEmpty() && !expectsTasks()) {
                    if (crew.stopped()) {
                        return; // the job has failed already, perhaps of the same
                    }
                    throw failure;
                }
                crew.onFailure(tasks.isEmpty() ? null : tasks.get(0).task(), failure);
            }
        }
    }

    /** Gives every task one turn; true if one of them did any work. */
    public boolean round() {
        if (gathering != null) {
            adopt();
        }
        if (crew.stopped()) {
            boolean any = !tasks.isEmpty();
            while (!tasks.isEmpty()) { // no iterator: memory may be short
                Scheduled scheduled = tasks.remove(tasks.size() - 1);
                abandon(scheduled.task());
                finished(scheduled);
                crew.onDone(scheduled.task());
            }
            return any;
        }
        boolean busy = false;
        long busyInRoundNs = 0;
        long beganNs = clock.nowNs();
        for (int i = 0; i < tasks.size(); i++) {
            Scheduled scheduled = tasks.get(i);
            Task task = scheduled.task();
            turnBeganNs.setOpaque(beganNs);
            inHand.setOpaque(task);
            boolean opening = task.opening();
            Turn turn = call(task);
            long endedNs = clock.nowNs();
            long tookNs = endedNs - beganNs;
            if (turn == Turn.BUSY || turn == Turn.DONE) {
                if (!busy) {
                    busy = true;
                    backoff.busy(beganNs);
                }
                busyInRoundNs += tookNs;
            }
            beganNs = endedNs;
            task.onTurn(turn, tookNs);
            if (turn == Turn.DONE) {
                inHand.setOpaque(null); // what it kept may be all of the memory
                tasks.remove(i--);
                finished(scheduled);
                crew.onDone(task);
            } else if (tookNs > SLOW_NS && endedNs - madeNs > COLD_NS && !task.blocking() && !opening) {
                task.onSlowTurn();
                if (scheduled.waker().onSlowTurn(endedNs) && shared && tasks.size() > 1) {
                    crew.moveOut(scheduled);
                    tasks.remove(i--);
                    finished(scheduled);
                }
            }
        }
        inHand.setOpaque(null);
        roundEndedNs = beganNs;
        if (busy) {
            busyNs.setOpaque(busyNs.getPlain() + busyInRoundNs);
        }
        return busy;
    }

    /**
     * Before it starts: its tasks may move to another worker from now on.
     *
     * @param most how many tasks it may have then
     */
    void join(Gathering with, int most) {
        gathering = with;
        unfinished.set(tasks.size());
        tasks.forEach(scheduled -> scheduled.waker().beginsOn(this));
        tasks.ensureCapacity(most); // so that taking over needs no memory
    }

    /** One of its tasks has ended, or moved to a thread of its own: the worker that it began with may have no other. */
    private void finished(Scheduled scheduled) {
        Worker home = scheduled.waker().home();
        if (gathering != null && home != null && home.unfinished.decrementAndGet() == 0) {
            home.wake();
        }
    }

    private void adopt() {
        for (Scheduled next = arrived.poll(); next != null; next = arrived.poll()) {
            tasks.add(next);
            next.waker().moveTo(this); // and the round that follows sees what woke the worker before
        }
    }

    /** On its own thread: hands tasks to another worker, which the caller wakes then. Without memory for that they stay. */
    void handTo(Worker other, Predicate<Scheduled> which) {
        adopt();
        for (int i = 0; i < tasks.size(); i++) {
            Scheduled next = tasks.get(i);
            if (which.test(next)) {
                other.arrived.add(next);
                tasks.remove(i--);
            }
        }
    }

    boolean hasTasks() {
        return !tasks.isEmpty();
    }

    int count() {
        return tasks.size();
    }

    /** Any thread: true while it has tasks elsewhere, or will have some that were with others. */
    boolean expectsTasks() {
        return unfinished.get() > 0 || !arrived.isEmpty();
    }

    /** Any thread: how long the turns took in which its tasks did some work. */
    long busyNs() {
        return busyNs.getOpaque();
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
        if (tasks.isEmpty() || !backoff.spins(beganNs)) {
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
        if (tasks.isEmpty()) {
            return expectsTasks() ? ASLEEP_NS : 0;
        }
        long nowNs = clock.nowNs();
        long sleepNs = Long.MAX_VALUE;
        boolean polled = false;
        for (Scheduled scheduled : tasks) {
            long dueNs = scheduled.task().nextDueNs();
            if (dueNs != 0) {
                sleepNs = Math.min(sleepNs, backoff.sleepNs(nowNs, dueNs));
            }
            polled |= scheduled.task().polled();
        }
        return Math.min(sleepNs, backoff.sleepNs(nowNs, polled));
    }

    /** Wakes the worker. Any thread may call. */
    void wake() {
        if (parked.get() && parked.compareAndSet(true, false)) {
            backoff.wokenAt(clock.nowNs());
            LockSupport.unpark(thread);
        }
    }
}
