// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts what one source task sent. One thread writes; the meters' thread reads. */
final class SourceMeter {
    private static final VarHandle SENT;
    private static final VarHandle FAILED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SENT = lookup.findVarHandle(SourceMeter.class, "sent", long.class);
            FAILED = lookup.findVarHandle(SourceMeter.class, "failed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Meters meters;
    private final int task;
    private final int tasks;
    private volatile long first;

    @SuppressWarnings("UnusedVariable") // through its handle
    private long sent;

    private long failed;

    SourceMeter(Meters meters, int task, int tasks) {
        this.meters = meters;
        this.task = task;
        this.tasks = tasks;
    }

    /** @param position how many of the task's numbers were sent by others before */
    void continueAt(long position) {
        first = position;
    }

    void sent(long count) {
        SENT.setOpaque(this, count);
    }

    /** Counts a record that the engine says has failed. */
    void failed() {
        FAILED.setOpaque(this, failed + 1);
    }

    long failedCount() {
        return (long) FAILED.getOpaque(this);
    }

    long sent() {
        return (long) SENT.getOpaque(this);
    }

    /** The sum of the first n numbers that it sent, wrapped around as longs do. */
    long sumOf(long n) {
        return sumOfAll(first + n) - sumOfAll(first);
    }

    private long sumOfAll(long n) {
        long pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
        return n * task + tasks * pairs;
    }

    /** The numbers that it sent so far, in a run that nothing continues. */
    CheckLog log() {
        return CheckLog.ofSource(task, tasks, sent());
    }

    void close() {
        meters.taskClosed();
    }

    boolean stopped() {
        return meters.stopped();
    }
}
