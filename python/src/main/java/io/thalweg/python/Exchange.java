// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.ConnectionReports;
import java.util.ArrayDeque;
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

    /** How each message begins. */
    final String where;

    final Program program;
    final Options options;
    final Kind kind;

    /** Of the rows; null if it is not known. */
    final @Nullable Type<?> row;

    final Type<?> result;
    final Shape shape;
    final ConnectionReports reports;

    final ReentrantLock lock = new ReentrantLock();

    /** There are rows, a process has room or is ready, or all is over. */
    final Condition changed = lock.newCondition();

    private final ArrayDeque<Call> waiting = new ArrayDeque<>();
    private final List<Child> children = new ArrayList<>();
    private @Nullable ScheduledExecutorService clock;
    private @Nullable ConnectorException failure;
    private boolean closed;
    private long batches;

    Exchange(
            String operator,
            Program program,
            Options options,
            Kind kind,
            @Nullable Type<?> row,
            Type<?> result,
            ConnectionReports reports) {
        where = "operator '" + operator + "': ";
        this.program = program;
        this.options = options;
        this.kind = kind;
        this.row = row;
        this.result = result;
        shape = Shape.of(result);
        this.reports = reports;
    }

    /** Starts the processes, and waits until they are ready. */
    void open() throws InterruptedException {
        for (int i = 0; i < options.processes(); i++) {
            Child child = new Child(this);
            children.add(child);
            child.start();
        }
        long periodMs = Math.max(1, Math.min(LONGEST_TICK_MS, options.timeoutMs() / TICKS));
        ScheduledExecutorService ticking = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "python " + program.file() + " timeouts");
            thread.setDaemon(true);
            return thread;
        });
        clock = ticking;
        var unused = ticking.scheduleWithFixedDelay(
                () -> children.forEach(child -> child.tick(periodMs)), periodMs, periodMs, TimeUnit.MILLISECONDS);
        lock.lock();
        try {
            while (failure == null && !children.stream().allMatch(Child::ready)) {
                changed.await();
            }
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Its result, which any thread completes. */
    Call call(Object row) {
        Call call = new Call(row);
        ConnectorException failed;
        lock.lock();
        try {
            failed = failure;
            if (failed == null) {
                waiting.add(call);
                int size = waiting.size();
                if (size == 1 || size % options.batchRows() == 0) {
                    changed.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
        if (failed != null) {
            call.completeExceptionally(failed);
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
        return !waiting.isEmpty();
    }

    /** Lets rows wait for others; returns when there are enough of them, or when they have waited long enough. */
    void linger() throws InterruptedException {
        long leftNs = TimeUnit.MILLISECONDS.toNanos(options.lingerMs());
        while (leftNs > 0 && !waiting.isEmpty() && waiting.size() < options.batchRows() && !over()) {
            leftNs = changed.awaitNanos(leftNs);
        }
    }

    /** Up to a batch of the rows that wait; none if another process was faster. */
    Batch take() {
        int size = Math.min(waiting.size(), options.batchRows());
        List<Call> taken = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            taken.add(waiting.remove());
        }
        return new Batch(batches++, taken);
    }

    /** Rows that were taken wait again, before all others. */
    void putBack(List<Call> calls) {
        for (int i = calls.size() - 1; i >= 0; i--) {
            waiting.addFirst(calls.get(i));
        }
        changed.signalAll();
    }

    // ---- without it

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
            unanswered.add(new Batch(0, List.copyOf(waiting)));
            waiting.clear();
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

    /** Ends the processes. Rows that wait are left to who waits for them. */
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
        try {
            for (Child child : children) {
                child.end();
            }
        } finally {
            children.forEach(Child::kill);
        }
    }
}
