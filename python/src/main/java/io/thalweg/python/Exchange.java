// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.operator.TimeToLive;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one task that no process has yet, and the task's processes, which take them. One lock guards this and each {@link Child}.
 *
 * <p>The first failure that is not one of a single row ends all: it completes every row that waits and every later one.
 */
final class Exchange {
    private static final long LONGEST_TICK_MS = 500;
    private static final int TICKS = 10;

    /** This Java has a flight recorder, without which there is nobody to report to. */
    private static final boolean RECORDED =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    final String operator;

    /** How each message begins. */
    final String where;

    final Task task;
    final Shape shape;
    final ConnectionReports reports;

    final ReentrantLock lock = new ReentrantLock();

    /** There are rows, a process has room or is ready, or all is over. */
    final Condition changed = lock.newCondition();

    /** With the lock; null if the state of a key never expires, or no process was ready yet. */
    @Nullable TimeToLive lives;

    private final Waiting waiting;
    private final List<Child> children = new ArrayList<>();
    private @Nullable ScheduledExecutorService clock;
    private @Nullable ConnectorException failure;
    private boolean closed;
    private long batches;

    Exchange(String operator, Task task, ConnectionReports reports) {
        this.operator = operator;
        where = "operator '" + operator + "': ";
        this.task = task;
        shape = Shape.of(task.result());
        waiting = task.keyed() ? new ByKey() : new InTurn();
        this.reports = reports;
    }

    /**
     * Starts the processes, and waits until they are ready.
     *
     * @return how long the state of a key lives; null for ever
     */
    @Nullable TimeToLive open() throws InterruptedException {
        for (int i = 0; i < task.options().processes(); i++) {
            Child child = new Child(this);
            children.add(child);
            child.start();
        }
        long periodMs = Math.max(1, Math.min(LONGEST_TICK_MS, task.options().timeoutMs() / TICKS));
        ScheduledExecutorService ticking = Executors.newSingleThreadScheduledExecutor(body -> {
            Thread thread = new Thread(body, "python " + task.program().file() + " timeouts");
            thread.setDaemon(true);
            return thread;
        });
        clock = ticking;
        var unused = ticking.scheduleWithFixedDelay(
                () -> children.forEach(child -> {
                    child.tick(periodMs);
                    if (RECORDED) {
                        child.report();
                    }
                }),
                periodMs,
                periodMs,
                TimeUnit.MILLISECONDS);
        lock.lock();
        try {
            while (failure == null && !children.stream().allMatch(Child::ready)) {
                changed.await();
            }
            if (failure != null) {
                throw failure;
            }
            return lives;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Its result, which any thread completes.
     *
     * @param key null if rows have none
     * @param time see {@link Call#time}
     */
    Call call(Object row, @Nullable KeyRows key, long time) {
        Call call = new Call(row, key, time);
        ConnectorException failed;
        lock.lock();
        try {
            failed = failure;
            if (failed == null) {
                waiting.add(call);
                int size = waiting.size();
                if (size == 1 || size % task.options().batchRows() == 0) {
                    changed.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
        if (failed != null) {
            call.fail(failed);
        }
        return call;
    }

    // ---- with the lock

    boolean over() {
        return closed || failure != null;
    }

    boolean closed() {
        return closed;
    }

    boolean hasRows() {
        return waiting.size() > 0;
    }

    /** Lets rows wait for others; returns when there are enough of them, or when they have waited long enough. */
    void linger() throws InterruptedException {
        long leftNs = TimeUnit.MILLISECONDS.toNanos(task.options().lingerMs());
        while (leftNs > 0
                && waiting.size() > 0
                && waiting.size() < task.options().batchRows()
                && !over()) {
            leftNs = changed.awaitNanos(leftNs);
        }
    }

    /** Up to a batch of the rows that wait; none if another process was faster. */
    Batch take() {
        return new Batch(batches++, waiting.take(task.options().batchRows()));
    }

    /** Not all rows of a batch are sent; see {@link Waiting#notSent}. */
    void notSent(Batch taken, Packed packed) {
        waiting.notSent(taken, packed);
        changed.signalAll();
    }

    // ---- without it

    /** The results of a batch are handed on: those who wait for it may be sent. */
    void answered(Batch batch) {
        lock.lock();
        try {
            waiting.answered(batch);
            if (waiting.size() > 0) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all; nothing if it is over already. */
    void fail(String problem, @Nullable Throwable thrown) {
        ConnectorException cause = new ConnectorException(where + problem, thrown);
        List<Batch> unanswered = new ArrayList<>();
        lock.lock();
        try {
            if (over()) {
                return;
            }
            failure = cause;
            unanswered.add(new Batch(0, waiting.clear()));
            children.forEach(child -> unanswered.addAll(child.unanswered()));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        unanswered.forEach(batch -> batch.fail(cause));
    }

    /** Why all is over, for rows that come too late to be among those that {@link #fail} has completed. */
    Throwable reason() {
        lock.lock();
        try {
            return failure == null ? new ConnectorException("the job has ended") : failure;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the processes. Rows that wait are left to who waits for them.
     *
     * @throws ConnectorException if the function of one could not be closed
     */
    void close() throws InterruptedException {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (clock != null) {
            clock.shutdownNow();
        }
        String problem = null;
        try {
            for (Child child : children) {
                String each = child.end();
                problem = problem == null ? each : problem;
            }
        } finally {
            children.forEach(Child::kill);
        }
        if (problem != null) {
            throw new ConnectorException(where + problem);
        }
    }
}
