// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

import io.thalweg.run.AckSettings;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The pending records of one source task, kept until their trees are complete, so that they can be retried. Records are
 * numbered, and this is a window over the numbers, from the oldest pending one on. For the task's thread, except {@link #fail}.
 */
public final class Pending {
    private static final int FIRST_WINDOW = 1_024;

    /** The window spans at most this many times the number of records that may be pending. */
    private static final int AHEAD = 16;

    private static final int NUMBER_BITS = 44;
    private static final long NUMBER = (1L << NUMBER_BITS) - 1;

    /**
     * A record in flight.
     *
     * @param position of the record in its split, to read it again from
     * @param watermarks of its split before it, one for each operator that reads event times
     * @param reached watermark of the task before it
     * @param times how often it was sent, including this time
     */
    public record Entry(
            Object value,
            int split,
            long position,
            long[] watermarks,
            long reached,
            int times,
            long dueNs,
            long sentNs) {
        public Entry again(long nowNs) {
            return new Entry(value, split, position, watermarks, reached, times + 1, dueNs, nowNs);
        }
    }

    /** Notified of what happens to records. */
    public interface Listener {
        /** The tree of the record is complete. */
        void done(Entry record);

        void failed();

        void timedOut();

        /** The record failed as often as is allowed, and is not retried. */
        void givenUp(Entry record, String operator, String reason);
    }

    private record Waiting(Entry record, long untilNs) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            int byTime = Long.signum(untilNs - other.untilNs);
            return byTime != 0 ? byTime : Long.compare(record.position(), other.record.position());
        }
    }

    private record Failure(long root, String operator, String reason) {}

    private final long source;
    private final int most;
    private final long greatest;
    private final long timeoutNs;
    private final int mostTimes;
    private final Runnable wake;
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    /** Records that failed or timed out, by the time of their retry. */
    private final PriorityQueue<Waiting> again = new PriorityQueue<>();

    // Record n is in slot n & mask. The slot of a completed one holds an id sum of 0 and no record.
    private @Nullable Entry[] sent = new Entry[FIRST_WINDOW];
    private long[] ids = new long[FIRST_WINDOW];

    /** The oldest pending record. */
    private long head = 1;

    private long next = 1;
    private int open;

    /** How many pending records are retries, older than their slot suggests. */
    private int resent;

    /**
     * @param source number of the task among the sources, from 0
     * @param most maximum number of pending records
     * @param timeoutNs after which a record is retried
     * @param mostTimes how often a record may fail; 0 means unlimited
     * @param wake run when the task has something to do here
     */
    public Pending(int source, int most, long timeoutNs, int mostTimes, Runnable wake) {
        this.source = source;
        this.most = most;
        greatest = Math.max(FIRST_WINDOW, (long) AHEAD * most);
        this.timeoutNs = timeoutNs;
        this.mostTimes = mostTimes;
        this.wake = wake;
    }

    /** Number of the source task that a root belongs to. */
    public static int sourceOf(long root) {
        return (int) (root >>> NUMBER_BITS);
    }

    /** All roots of a source task are greater. */
    static long firstRootOf(int source) {
        return (long) source << NUMBER_BITS;
    }

    public long timeoutNs() {
        return timeoutNs;
    }

    /** The task is done: reports are ignored from now on. */
    public void close() {
        closed = true;
    }

    /** True after {@link #close}. Any thread may call. */
    public boolean closed() {
        return closed;
    }

    /** How many more records may be sent. */
    public int room() {
        return (int) Math.max(0, Math.min(most - open(), greatest - (next - head)));
    }

    /** How many records are pending. */
    public int open() {
        return open + again.size();
    }

    /** Adds a record that is being sent; returns its root. */
    public long send(Entry record, long id) {
        if (next - head == sent.length) {
            grow();
        }
        int at = (int) next & (sent.length - 1);
        sent[at] = record;
        ids[at] = id;
        open++;
        resent += record.times() > 1 ? 1 : 0;
        return source << NUMBER_BITS | next++;
    }

    private void grow() {
        @Nullable Entry[] more = new Entry[sent.length * 2];
        long[] moreIds = new long[sent.length * 2];
        for (long n = head; n < next; n++) {
            more[(int) n & (more.length - 1)] = sent[(int) n & (sent.length - 1)];
            moreIds[(int) n & (more.length - 1)] = ids[(int) n & (sent.length - 1)];
        }
        sent = more;
        ids = moreIds;
    }

    /** Applies a {@link Reports#report}. */
    public void report(long root, long changed, Listener listener) {
        long n = root & NUMBER;
        int at = (int) n & (sent.length - 1);
        Entry record = n < head ? null : sent[at];
        if (record == null) {
            return; // of a tree that has failed
        }
        ids[at] ^= changed;
        if (ids[at] == 0) {
            forget(n, at, record);
            listener.done(record);
        }
    }

    private void forget(long n, int at, Entry record) {
        sent[at] = null;
        open--;
        resent -= record.times() > 1 ? 1 : 0;
        if (n == head) {
            while (head < next && sent[(int) head & (sent.length - 1)] == null) {
                head++;
            }
        }
    }

    /** Fails the tree of a root. Any thread may call. */
    public void fail(long root, String operator, String reason) {
        failures.add(new Failure(root, operator, reason));
        wake.run();
    }

    /** Handles the records that have failed or timed out. */
    public void look(long nowNs, Listener listener) {
        for (Failure failure = failures.poll(); failure != null; failure = failures.poll()) {
            long n = failure.root() & NUMBER;
            int at = (int) n & (sent.length - 1);
            Entry record = n < head ? null : sent[at];
            if (record != null) {
                forget(n, at, record);
                listener.failed();
                sendAgain(
                        record,
                        nowNs + AckSettings.waitNs(record.times()),
                        failure.operator(),
                        failure.reason(),
                        listener);
            }
        }
        while (head < next) {
            int at = (int) head & (sent.length - 1);
            Entry record = sent[at];
            if (record == null || nowNs - record.sentNs() < timeoutNs) {
                return;
            }
            forget(head, at, record);
            listener.timedOut();
            sendAgain(record, nowNs, "", "it took too long", listener);
        }
    }

    private void sendAgain(Entry record, long untilNs, String operator, String reason, Listener listener) {
        if (record.times() == mostTimes) {
            listener.givenUp(record, operator, reason);
        } else {
            again.add(new Waiting(record, untilNs));
        }
    }

    /** When the oldest record times out or a retry is due, whichever is first; 0 if there is neither. */
    public long nextTimeoutNs() {
        Entry oldest = head < next ? sent[(int) head & (sent.length - 1)] : null;
        long timeout = oldest == null ? 0 : oldest.sentNs() + timeoutNs;
        Waiting first = again.peek();
        if (first == null) {
            return timeout;
        }
        return timeout == 0 || first.untilNs() - timeout < 0 ? first.untilNs() : timeout;
    }

    /** The next record whose retry is due; null if there is none. */
    public @Nullable Entry again(long nowNs) {
        Waiting first = again.peek();
        if (first == null || first.untilNs() - nowNs > 0) {
            return null;
        }
        again.remove();
        return first.record();
    }

    /** The pending record of a split with the least position; null if none is pending. */
    public @Nullable Entry oldest(int split) {
        Entry oldest = null;
        for (long n = head; n < next; n++) {
            oldest = older(oldest, sent[(int) n & (sent.length - 1)], split);
        }
        for (Waiting waiting : again) {
            oldest = older(oldest, waiting.record(), split);
        }
        return oldest;
    }

    private static @Nullable Entry older(@Nullable Entry known, @Nullable Entry record, int split) {
        if (record == null || record.split() != split) {
            return known;
        }
        return known == null || record.position() < known.position() ? record : known;
    }

    /** The least watermark before a pending record; Long.MAX_VALUE if none is pending. */
    public long reached() {
        long least = Long.MAX_VALUE;
        if (resent == 0) {
            Entry oldest = head < next ? sent[(int) head & (sent.length - 1)] : null;
            least = oldest == null ? least : oldest.reached();
        } else {
            for (long n = head; n < next; n++) {
                Entry record = sent[(int) n & (sent.length - 1)];
                least = record == null ? least : Math.min(least, record.reached());
            }
        }
        for (Waiting waiting : again) {
            least = Math.min(least, waiting.record().reached());
        }
        return least;
    }
}
