// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

import io.thalweg.run.AckSettings;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The records of one source task that are not done: in a window over the numbers that they were given, from the oldest on.
 * Records stay here until they are done, so that they can be retried. Used by the task's thread, but for {@link #fail}.
 */
public final class Pending {
    private static final int FIRST_WINDOW = 1_024;

    /** Numbers may run ahead of one that is not done by so many times those that may be open. */
    private static final int AHEAD = 16;

    private static final int NUMBER_BITS = 44;
    private static final long NUMBER = (1L << NUMBER_BITS) - 1;

    /**
     * A record that is on its way.
     *
     * @param position of its split, from where it is read again
     * @param watermarks that its split had before it, by what reads event times
     * @param reached the watermark of the task before it
     * @param times that it was sent, this one included
     */
    public record Sent(
            Object value,
            int split,
            long position,
            long[] watermarks,
            long reached,
            int times,
            long dueNs,
            long sentNs) {
        public Sent again(long nowNs) {
            return new Sent(value, split, position, watermarks, reached, times + 1, dueNs, nowNs);
        }
    }

    /** What hears of the fate of records. */
    public interface Listener {
        /** All that came of it is done. */
        void done(Sent record);

        void failed();

        void timedOut();

        /** It failed as often as is allowed, and is not retried. */
        void givenUp(Sent record, String operator, String reason);
    }

    private record Waiting(Sent record, long untilNs) implements Comparable<Waiting> {
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

    /** Those that failed or took too long, by when they are retried. */
    private final PriorityQueue<Waiting> again = new PriorityQueue<>();

    // Entry n stands at n & mask. What is done has an id sum of 0 and no record.
    private @Nullable Sent[] sent = new Sent[FIRST_WINDOW];
    private long[] ids = new long[FIRST_WINDOW];

    /** The oldest that is not done. */
    private long head = 1;

    private long next = 1;
    private int open;

    /** Those of the open ones that are retries, older than their slot suggests. */
    private int resent;

    /**
     * @param source number of the task among the sources, from 0
     * @param most records that are not done
     * @param timeoutNs after which a record is retried
     * @param mostTimes how often a record may fail; 0 means unlimited
     * @param wake run if there is something to do for the task
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

    public long timeoutNs() {
        return timeoutNs;
    }

    /** The task is done: what is reported from now on goes nowhere. */
    public void close() {
        closed = true;
    }

    /** Any thread may ask. */
    public boolean closed() {
        return closed;
    }

    /** How many more records may be sent. */
    public int room() {
        return (int) Math.max(0, Math.min(most - open(), greatest - (next - head)));
    }

    /** Those that are not done. */
    public int open() {
        return open + again.size();
    }

    /** Remembers a record that is being sent; gives its root. */
    public long send(Sent record, long id) {
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
        @Nullable Sent[] more = new Sent[sent.length * 2];
        long[] moreIds = new long[sent.length * 2];
        for (long n = head; n < next; n++) {
            more[(int) n & (more.length - 1)] = sent[(int) n & (sent.length - 1)];
            moreIds[(int) n & (more.length - 1)] = ids[(int) n & (sent.length - 1)];
        }
        sent = more;
        ids = moreIds;
    }

    /** What {@link Reports#report} told. */
    public void report(long root, long changed, Listener listener) {
        long n = root & NUMBER;
        int at = (int) n & (sent.length - 1);
        Sent record = n < head ? null : sent[at];
        if (record == null) {
            return; // of a tree that was given up
        }
        ids[at] ^= changed;
        if (ids[at] == 0) {
            forget(n, at, record);
            listener.done(record);
        }
    }

    private void forget(long n, int at, Sent record) {
        sent[at] = null;
        open--;
        resent -= record.times() > 1 ? 1 : 0;
        if (n == head) {
            while (head < next && sent[(int) head & (sent.length - 1)] == null) {
                head++;
            }
        }
    }

    /** The tree of the root is not to be completed. Any thread may call. */
    public void fail(long root, String operator, String reason) {
        failures.add(new Failure(root, operator, reason));
        wake.run();
    }

    /** Looks after those that failed and those that took too long. */
    public void look(long nowNs, Listener listener) {
        for (Failure failure = failures.poll(); failure != null; failure = failures.poll()) {
            long n = failure.root() & NUMBER;
            int at = (int) n & (sent.length - 1);
            Sent record = n < head ? null : sent[at];
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
            Sent record = sent[at];
            if (record == null || nowNs - record.sentNs() < timeoutNs) {
                return;
            }
            forget(head, at, record);
            listener.timedOut();
            sendAgain(record, nowNs, "", "it took too long", listener);
        }
    }

    private void sendAgain(Sent record, long untilNs, String operator, String reason, Listener listener) {
        if (record.times() == mostTimes) {
            listener.givenUp(record, operator, reason);
        } else {
            again.add(new Waiting(record, untilNs));
        }
    }

    /** When the oldest will have taken too long, or a record is to be retried; 0 if there is none. */
    public long nextTimeoutNs() {
        Sent oldest = head < next ? sent[(int) head & (sent.length - 1)] : null;
        long timeout = oldest == null ? 0 : oldest.sentNs() + timeoutNs;
        Waiting first = again.peek();
        if (first == null) {
            return timeout;
        }
        return timeout == 0 || first.untilNs() - timeout < 0 ? first.untilNs() : timeout;
    }

    /** A record that is to be retried now; null if there is none. */
    public @Nullable Sent again(long nowNs) {
        Waiting first = again.peek();
        if (first == null || first.untilNs() - nowNs > 0) {
            return null;
        }
        again.remove();
        return first.record();
    }

    /** The record of a split that stood first among those that are not done; null if all are. */
    public @Nullable Sent oldest(int split) {
        Sent oldest = null;
        for (long n = head; n < next; n++) {
            oldest = older(oldest, sent[(int) n & (sent.length - 1)], split);
        }
        for (Waiting waiting : again) {
            oldest = older(oldest, waiting.record(), split);
        }
        return oldest;
    }

    private static @Nullable Sent older(@Nullable Sent known, @Nullable Sent record, int split) {
        if (record == null || record.split() != split) {
            return known;
        }
        return known == null || record.position() < known.position() ? record : known;
    }

    /** The least watermark before a record that is not done; Long.MAX_VALUE if all are. */
    public long reached() {
        long least = Long.MAX_VALUE;
        if (resent == 0) {
            Sent oldest = head < next ? sent[(int) head & (sent.length - 1)] : null;
            least = oldest == null ? least : oldest.reached();
        } else {
            for (long n = head; n < next; n++) {
                Sent record = sent[(int) n & (sent.length - 1)];
                least = record == null ? least : Math.min(least, record.reached());
            }
        }
        for (Waiting waiting : again) {
            least = Math.min(least, waiting.record().reached());
        }
        return least;
    }
}
