// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The records of one source task: the numbers task, task + tasks, task + 2 × tasks and so on, so that their sum is known from
 * their count. One thread uses it. After a failure it continues at a position, which is how many of these numbers were before.
 *
 * <p>Where the cell says {@code pushed}, a thread beside the engine, the same for all engines, sleeps until each record is due and
 * hands it over. Who waits for records is woken by it, or looks by itself.
 *
 * <p>As fast as it goes, every record is due at once. With a rate, the n-th record of a task is due at a time that is set
 * before the run, and keeps that time however late it is sent: a source that was held up sends its backlog at once, and the
 * delay shows in every record's latency.
 */
public final class Load implements AutoCloseable {
    /** The longest time that a source which sleeps does so before it looks again whether a record is due. */
    public static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** How often a closed loop looks whether it shall stop. */
    private static final long LOOK_EVERY = 256;

    private final SourceMeter meter;
    private final RunFolder folder;
    private final boolean kills;
    private final int task;
    private final int tasks;
    private final double intervalNs;
    private final long startNs;
    private final boolean parks;
    private long first;
    private long end;
    private long sent;
    private boolean stopped;
    private final @Nullable Pusher pusher;

    private Load(Cell cell, int task, int tasks, Runnable wakeUp) {
        this.meter = Meters.of(cell).source(task, tasks);
        this.folder = cell.folder();
        this.kills = cell.kills();
        this.task = task;
        this.tasks = tasks;
        this.first = task;
        this.intervalNs = cell.ratePerSecond() == 0 ? 0 : 1e9 * tasks / cell.ratePerSecond();
        this.end = cell.records() == 0 ? Long.MAX_VALUE : (cell.records() - task + tasks - 1) / tasks;
        this.parks = cell.waiting() == Cell.Waiting.PARK;
        this.startNs = System.nanoTime();
        this.pusher = cell.pushed() ? new Pusher(startNs, intervalNs, wakeUp) : null;
    }

    /** Opens the load of one source task of {@code tasks}; its first record is due now. */
    public static Load open(Cell cell, int task, int tasks) {
        return open(cell, task, tasks, () -> {});
    }

    /** @param wakeUp run by another thread for each record that is pushed */
    public static Load open(Cell cell, int task, int tasks, Runnable wakeUp) {
        return new Load(cell, task, tasks, wakeUp);
    }

    /** Before the first record: continues where another load of this task was, at its {@link #position}. */
    public void seek(long position) {
        first = task + position * tasks;
        end = end == Long.MAX_VALUE ? end : end - position;
        meter.continueAt(position);
    }

    /** Whether this task has sent all it shall send. */
    public boolean ended() {
        if (sent < end && !stopped && (intervalNs != 0 || sent % LOOK_EVERY == 0)) {
            stopped = meter.stopped();
        }
        boolean ended = sent >= end || stopped;
        if (ended && pusher != null) {
            pusher.close();
        }
        return ended;
    }

    /** Whether the next record is due; never false in a closed loop. */
    public boolean due() {
        if (pusher != null) {
            return pusher.pushed() > sent;
        }
        return intervalNs == 0 || System.nanoTime() - dueNs() >= 0;
    }

    /** Sleeps until the next record is due, but for {@link #PARK_NS} at most: for engines whose sources have a thread of their own. */
    public void park() {
        long untilDueNs = pusher == null ? dueNs() - System.nanoTime() : PARK_NS;
        LockSupport.parkNanos(Math.min(PARK_NS, untilDueNs));
    }

    /** Waits a moment as the cell has it: sleeps by {@link #park}, or spins, also where the cell leaves that to the engine. */
    public void idle() {
        if (parks) {
            park();
        } else {
            Thread.onSpinWait();
        }
    }

    /** Whether who waits for records is to sleep. */
    public boolean parks() {
        return parks;
    }

    /** When the next record is due, on the clock of {@link System#nanoTime}; in a closed loop, now. */
    public long dueNs() {
        return intervalNs == 0 ? System.nanoTime() : startNs + (long) (sent * intervalNs);
    }

    /** The number of the next record, which counts as sent from here on. */
    public long take() {
        long number = first + sent * tasks;
        meter.sent(++sent);
        return number;
    }

    /** Counts a record that the engine says has failed; whoever is told sends it again. */
    public void failed() {
        meter.failed();
    }

    /** How many were taken so far. */
    public long sent() {
        return sent;
    }

    /** How many of the task's numbers were taken so far, by this load and those it continues. */
    public long position() {
        return (first - task) / tasks + sent;
    }

    /** Says that this task is done, so that a worker of a cluster can write its last figures. */
    @Override
    public void close() {
        if (pusher != null) {
            pusher.close();
        }
        if (kills) {
            folder.setPosition(task, tasks, position());
        }
        meter.close();
    }
}
