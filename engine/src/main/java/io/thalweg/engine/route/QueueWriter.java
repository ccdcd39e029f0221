// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Sends from one task to one other: fills batches and publishes them. */
class QueueWriter extends Target {
    private final Frame frame;
    private final Ring ring;
    private @Nullable Batch batch;

    /**
     * What one call of a user's operator emitted after the queue was full. Operators of the engine that emit much
     * (windows, flatMap) stop at {@link Frame#blocked} instead.
     */
    private final Deque<Waiting> overflow = new ArrayDeque<>();

    private record Waiting(Object value, long time, long stamp, long root, long id) {}

    private static final Object REPORT = "";

    /** Stands among what waits for a barrier, whose number is in the place of the id. */
    private static final Object BARRIER = new Object();

    QueueWriter(Frame frame, Ring ring) {
        this.frame = frame;
        this.ring = ring;
        batch = ring.claim();
    }

    @Override
    void send(Object value) {
        Anchor anchor = frame.anchor;
        if (anchor == null) {
            append(value, frame.time, frame.stamp, 0, 0);
        } else {
            append(value, frame.time, frame.stamp, anchor.root(), anchor.next());
        }
    }

    /** Sends a report of a root to its source task. */
    void report(long root, long ids) {
        append(REPORT, 0, 0, root, ids);
    }

    private void append(Object value, long time, long stamp, long root, long id) {
        Batch open = batch;
        if (open == null) {
            onFull();
            overflow.add(new Waiting(value, time, stamp, root, id));
            return;
        }
        put(open, value, time, stamp, root, id);
    }

    private void put(Batch open, Object value, long time, long stamp, long root, long id) {
        int at = open.size;
        if (at == 0) {
            setOrigin(open);
        }
        open.values[at] = value;
        if (open.timed) {
            open.times[at] = time;
            open.stamps[at] = stamp;
        }
        if (open.acked) {
            open.roots[at] = root;
            open.ids[at] = id;
        }
        open.size = at + 1;
        count++;
        if (at + 1 == open.values.length) {
            publish();
        }
    }

    /**
     * Sets due time, split and position of a batch. The result of a window counts as due when the record or watermark
     * that fired it was.
     */
    private void setOrigin(Batch open) {
        open.split = frame.split;
        open.offset = frame.offset;
        open.dueNs = frame.dueNs;
    }

    void publish() {
        ring.publish();
        batch = ring.claim();
        if (batch == null) {
            onFull();
        }
    }

    /** The queue is full. */
    void onFull() {
        frame.blocked = true;
    }

    /** How many records wait beyond the queue. */
    final int waiting() {
        return overflow.size();
    }

    boolean makeRoom() {
        while (true) {
            Batch open = batch;
            if (open == null) {
                open = ring.claim();
                if (open == null) {
                    return false;
                }
                batch = open;
            }
            Waiting first = overflow.poll();
            if (first == null) {
                return true;
            }
            if (first.value == BARRIER) {
                put(open, first.id);
            } else {
                put(open, first.value, first.time, first.stamp, first.root, first.id);
            }
        }
    }

    /** Publishes a partly filled batch if the consumer has nothing else to read, or if {@code all}. */
    void flush(boolean all) {
        Batch open = batch;
        if (open != null && open.size > 0 && (all || ring.depth() == 0)) {
            publish();
        }
    }

    void watermark(long watermark) {
        Batch open = batch;
        if (open != null) {
            if (open.size == 0) {
                setOrigin(open);
            }
            open.watermark = watermark;
            publish();
        }
    }

    /** There is room: a barrier is only sent when no output waits. */
    void barrier(long checkpoint) {
        Batch open = batch;
        if (open == null) {
            throw new IllegalStateException("a barrier came while its output had no room");
        }
        put(open, checkpoint);
    }

    /** Sends a barrier behind what waits. */
    final void barrierBehind(long checkpoint) {
        Batch open = batch;
        if (open == null) {
            overflow.add(new Waiting(BARRIER, 0, 0, 0, checkpoint));
        } else {
            put(open, checkpoint);
        }
    }

    private void put(Batch open, long barrier) {
        if (open.size == 0) {
            setOrigin(open);
        }
        open.barrier = barrier;
        publish();
    }

    void end(boolean cancelled) {
        if (batch != null) {
            batch.end = true;
            batch.cancelled = cancelled;
            publish();
        }
    }

    boolean open() {
        return batch != null;
    }
}
