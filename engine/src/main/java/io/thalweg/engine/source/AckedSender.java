// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.codec.Codec;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.chain.Frame;
import io.thalweg.run.Clock;
import org.jspecify.annotations.Nullable;

/** Begins the tree of each record that a source task sends, and retries failed records, with the event time that they had. */
public final class AckedSender {
    private final TaskSplits splits;
    private final Frame frame;
    private final Anchor anchor;
    private final Pending pending;
    private final EventTimes times;
    private final @Nullable Codec<Object> copies;
    private final Clock clock;

    // What the records of this turn have in common.
    private int split;
    private long reached;
    private long sentNs;

    /** A retried record is passing through the chain, with the event time that it had. */
    private boolean again;

    /** @param copies the codec to copy records with; null if they need no copy */
    public AckedSender(
            TaskSplits splits,
            Frame frame,
            Anchor anchor,
            Pending pending,
            EventTimes times,
            @Nullable Codec<Object> copies,
            Clock clock) {
        this.splits = splits;
        this.frame = frame;
        this.anchor = anchor;
        this.pending = pending;
        this.times = times;
        this.copies = copies;
        this.clock = clock;
    }

    /** The records that follow are of this split, and were due with the frame's. */
    void begin(int number, long nowNs) {
        split = number;
        sentNs = nowNs;
        reached = times.reached(number, nowNs);
    }

    /** Sends a record that was read at this position. */
    void send(Object value, long position) {
        long[] watermarks = times.stampsOf(split);
        Object kept = copies == null ? value : copies.copy(value);
        begin(new Pending.Entry(kept, split, position, watermarks, reached, 1, frame.dueNs, sentNs));
    }

    private void begin(Pending.Entry record) {
        long id = anchor.newId();
        anchor.begin(pending.send(record, id), id);
    }

    /** The next record whose retry is due; null if there is none. */
    Pending.@Nullable Entry due() {
        return pending.again(clock.nowNs());
    }

    /** Begins to send a record again, with the event time that it had; {@link #sentAgain} must follow. */
    Object sendAgain(Pending.Entry record) {
        frame.split = splits.name(record.split());
        frame.offset = record.position();
        frame.reader = null;
        frame.dueNs = record.dueNs();
        again = true;
        times.beginAgain(record.split(), record.watermarks());
        begin(record.again(clock.nowNs()));
        return copies == null ? record.value() : copies.copy(record.value());
    }

    /** The retried record has passed through the chain. */
    void sentAgain() {
        if (again) {
            again = false;
            times.endAgain();
        }
    }

    /** The greatest watermark that does not make a possible retry late; Long.MAX_VALUE if no record is pending. */
    long watermark() {
        return times.none() ? Long.MAX_VALUE : pending.reached();
    }
}
