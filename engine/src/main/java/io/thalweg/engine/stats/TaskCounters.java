// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.stats;

import io.thalweg.api.stats.AlignmentStats;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.SplitTime;
import io.thalweg.api.stats.StateStats;
import io.thalweg.run.LateLog;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The counters of one task. Written by the thread that runs the task, once a turn; read by any. */
public final class TaskCounters {
    /** False under {@code -Dthalweg.measured=false}: nothing is counted, to see what counting costs. */
    public static final boolean ON = !"false".equals(System.getProperty("thalweg.measured"));

    public final AtomicLong recordsIn = new AtomicLong();
    public final AtomicLong recordsOut = new AtomicLong();
    public final AtomicLong recordsWritten = new AtomicLong();
    public final AtomicLong recordsBad = new AtomicLong();

    /** Records that the source could not read; they are not in {@link #recordsIn}. */
    public final AtomicLong recordsUnread = new AtomicLong();

    /** Input records, including unreadable ones, that were bad or led to bad records. */
    public final AtomicLong inputsBad = new AtomicLong();

    public final AtomicLong recordsLate = new AtomicLong();
    public final AtomicLong windowsOpen = new AtomicLong();
    public final AtomicLong busyNs = new AtomicLong();
    public final AtomicLong waitingNs = new AtomicLong();
    public final AtomicLong heldBackNs = new AtomicLong();
    public final AtomicLong longestCallNs = new AtomicLong();
    public final AtomicLong slowCalls = new AtomicLong();

    /** Batches of records that were taken from queues whole, or reads of a source that brought records. */
    public final AtomicLong batchesIn = new AtomicLong();

    /** How long records of a source were due before they were read, all together. */
    public final AtomicLong overdueUs = new AtomicLong();

    /** The state of the task's operators; measured periodically. */
    public volatile List<StateStats> state = List.of();

    /** Counters of watermark alignment. */
    public volatile AlignmentStats alignment = AlignmentStats.NONE;

    /** Systems that its operators lost. */
    public volatile Supplier<List<ConnectionStats>> connections = List::of;

    /** What the source says of the task's input. */
    public volatile InputStats input = InputStats.NONE;

    /** Event times of the splits that the task's watermark waits for. */
    public volatile List<SplitTime> splitTimes = List.of();

    /** How late records were. */
    public volatile LateLog lateLog = new LateLog();

    private AtomicLong last = waitingNs;
    private volatile Inputs before = new Inputs(0, 0, 0, 0);

    /**
     * Input records, and how many of them were bad, since the job was first started.
     *
     * @param read records that were read
     * @param unread records that the source could not read
     * @param bad those of both that were bad or led to bad records
     * @param records all bad records
     */
    public record Inputs(long read, long unread, long bad, long records) {
        Inputs plus(Inputs other) {
            return new Inputs(read + other.read, unread + other.unread, bad + other.bad, records + other.records);
        }
    }

    public Inputs inputs() {
        return before.plus(new Inputs(recordsIn.get(), recordsUnread.get(), inputsBad.get(), recordsBad.get()));
    }

    /** Adds what was counted before the checkpoint that the job continues from. Called before the task's first turn is over. */
    public void goOnFrom(Inputs counted) {
        before = before.plus(counted);
    }

    /** Adds to a counter that only this thread writes. */
    public static void add(AtomicLong counter, long more) {
        if (ON) {
            counter.setOpaque(counter.getPlain() + more);
        }
    }

    /** @param spent {@link #busyNs}, {@link #waitingNs} or {@link #heldBackNs} of these counters */
    public void onTurn(AtomicLong spent, long tookNs) {
        last = spent == busyNs ? waitingNs : spent;
        add(spent, tookNs);
        if (ON && tookNs > longestCallNs.getPlain()) {
            longestCallNs.setOpaque(tookNs);
        }
    }

    /** The thread had nothing to do for this time. */
    public void onRest(long restedNs) {
        add(last, restedNs);
    }

    /** The turn in which the task was opened: it had no input yet. */
    public void onOpened(long tookNs) {
        add(waitingNs, tookNs);
    }

    public void onSlowTurn() {
        add(slowCalls, 1);
    }
}
