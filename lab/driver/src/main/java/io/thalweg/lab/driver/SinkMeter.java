// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Counts what one sink task took in, and how long it had been under way. One thread writes; the meters' thread reads. Made by {@link Meters#sink}. */
public class SinkMeter implements AutoCloseable {
    /** Anything longer counts as this long. */
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(10);

    private static final VarHandle COUNT;
    private static final VarHandle SUM;
    private static final VarHandle DAMAGED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(SinkMeter.class, "count", long.class);
            SUM = lookup.findVarHandle(SinkMeter.class, "sum", long.class);
            DAMAGED = lookup.findVarHandle(SinkMeter.class, "damaged", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Meters meters;
    private final SingleWriterRecorder latencies = new SingleWriterRecorder(1, LONGEST_NS, 3);
    private long count;
    private long sum;
    private long damaged;

    SinkMeter(Meters meters) {
        this.meters = meters;
    }

    /** Notes how long a record had been under way, and does not count it. */
    public void timed(long ns) {
        latencies.recordValue(Math.min(LONGEST_NS, Math.max(1, ns)));
    }

    /** Takes in a record by its number. */
    public void received(long number) {
        SUM.setOpaque(this, sum + number);
        COUNT.setOpaque(this, count + 1);
    }

    /** Takes in a record by its number, that was due (or, in a closed loop, sent) at {@code dueNs}. */
    public void received(long number, long dueNs) {
        latencies.recordValue(Math.min(LONGEST_NS, Math.max(1, System.nanoTime() - dueNs)));
        received(number);
    }

    /** Takes in one row that stands for several records, such as a group of a window: their count, and the sum of their numbers. */
    public void receivedRow(long records, long sumOfNumbers) {
        SUM.setOpaque(this, sum + sumOfNumbers);
        COUNT.setOpaque(this, count + records);
    }

    /**
     * Shows a row of {@link Cell.Workload#GROUP_BY} to a run that checks all of them; it is counted by {@link #receivedRow}.
     *
     * @param startMs of its window
     * @param sums the number of records, then the sum of each measure
     */
    public void group(long startMs, int[] key, long[] sums) {
        // only a run that checks looks at it
    }

    /** Shows a row of {@link Cell.Workload#WINDOWS} to a run that checks all of them; it is counted by {@link #receivedRow}. */
    public void window(long startMs, long key, long count, long sum, long greatest) {
        // only a run that checks looks at it
    }

    /** Shows a result of a running aggregate to a run that checks all of them; it is counted by {@link #received(long)}. */
    public void running(long count, long sum, long greatest) {
        // only a run that checks looks at it
    }

    /** Whether it looks at what it is shown, as in a run that checks: what takes time to be made need not be made for others. */
    public boolean checks() {
        return false;
    }

    /**
     * Shows a row of {@link Cell.Workload#TELECOM} to a run that checks all of them; it is counted by {@link #receivedRow}.
     *
     * @param sums of all measures, in the order and the units of those that the check is given
     */
    public void measures(long records, long sumOfNumbers, long[] sums) {
        // only a run that checks looks at it
    }

    /** Shows what a record carries to a run that checks every one; it is counted by {@link #received}. */
    public void data(byte[] data) {
        // only a run that checks looks at it
    }

    /** What a run that checks has seen; null for others. */
    @Nullable CheckLog log() {
        return null;
    }

    /**
     * Of a cell that {@link Cell#commits}: ends what was received since the last call. It counts only when it is committed, also if this
     * process is gone by then.
     *
     * @return its name, for {@link #commit}; empty if nothing was received
     */
    public String prepare() {
        throw new IllegalStateException("this cell commits nothing");
    }

    /** Has what was prepared count, in whatever process; again and again, if who calls does not know that it has. */
    public static void commit(Cell cell, String prepared) throws IOException {
        LastingSinkMeter.commit(cell.folder(), prepared);
    }

    /** Counts a record whose content is not what was sent. */
    public void damaged() {
        DAMAGED.setOpaque(this, damaged + 1);
    }

    long count() {
        return (long) COUNT.getOpaque(this);
    }

    long sum() {
        return (long) SUM.getOpaque(this);
    }

    long damagedCount() {
        return (long) DAMAGED.getOpaque(this);
    }

    /** Adds what was recorded since the last call. */
    void moveLatenciesTo(Histogram all) {
        all.add(latencies.getIntervalHistogram());
    }

    /** Says that this task is done, so that a worker of a cluster can write its last figures. */
    @Override
    public void close() {
        meters.taskClosed();
    }
}
