// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A tuple that a spout emitted with an id, and all that was anchored to it. Each tuple of the tree has a random number; the tree keeps
 * the XOR of all numbers, once when a tuple is made and once when it is acked, so that it is zero when all are done. Any thread may
 * call, where nothing else is said.
 */
final class TupleTree {
    private static final AtomicLongFieldUpdater<TupleTree> OPEN =
            AtomicLongFieldUpdater.newUpdater(TupleTree.class, "open");
    private static final AtomicIntegerFieldUpdater<TupleTree> STATE =
            AtomicIntegerFieldUpdater.newUpdater(TupleTree.class, "state");
    private static final int GROWS = 0;
    private static final int ACKED = 1;
    private static final int FAILED = 2;

    /** Its number, by which bolts know it. */
    final long root;

    /** The task that emitted it. */
    final SpoutReader.Instance of;

    /** Where it counts. */
    final Counts.Sent on;

    final Object messageId;
    final long firstNs;

    private volatile long open;
    private volatile int state;

    // ---- for the thread of its owner

    /** When it was emitted, or when a bolt said last that it needs more time. */
    long sinceNs;

    /** Those that were emitted before and after it and are not settled. */
    @Nullable TupleTree before;

    @Nullable TupleTree after;

    /** It is among those, or was. */
    boolean known;

    boolean settled;

    /** The one that ended before it, and how many that makes with it; of {@link SpoutReader}. */
    @Nullable TupleTree endedBefore;

    int ended;

    /** @param open the XOR of the numbers of its first tuples */
    TupleTree(SpoutReader.Instance of, Counts.Sent on, long root, Object messageId, long nowNs, long open) {
        this.of = of;
        this.on = on;
        this.root = root;
        this.messageId = messageId;
        this.open = open;
        firstNs = nowNs;
        sinceNs = nowNs;
    }

    /**
     * A tuple was acked.
     *
     * @param by its number, XOR those of the tuples anchored to it
     */
    void change(long by) {
        long before;
        do {
            before = open;
        } while (!OPEN.compareAndSet(this, before, before ^ by));
        if ((before ^ by) == 0) {
            end(ACKED);
        }
    }

    /** A tuple has failed: the rest of the tree no longer counts. */
    void fail() {
        end(FAILED);
    }

    private void end(int how) {
        if (STATE.compareAndSet(this, GROWS, how)) {
            of.owner().onEnd(this);
        }
    }

    /** Its owner gives it up, unless it has ended. */
    boolean giveUp() {
        return STATE.compareAndSet(this, GROWS, FAILED);
    }

    boolean acked() {
        return state == ACKED;
    }
}
