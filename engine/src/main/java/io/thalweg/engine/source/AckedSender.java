// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.codec.Codec;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.chain.Frame;
import io.thalweg.run.Clock;
import org.jspecify.annotations.Nullable;

/** Begins the tree of each record that a source task sends, and sends it again if it failed, with the time that it had. */
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

    /** A record that was sent again is on its way through the chain, with the time that it had. */
    private boolean again;

    /** @param copies where records are ones that the source reuses */
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

    /** A record begins its way, which stood at this position. */
    void send(Object value, long position) {
        long[] watermarks = times.watermarksOf(split);
        Object kept = copies == null ? value : copies.copy(value);
        begin(new Pending.Sent(kept, split, position, watermarks, reached, 1, frame.dueNs, sentNs));
    }

    private void begin(Pending.Sent record) {
        long id = anchor.newId();
        anchor.begin(pending.send(record, id), id);
    }

    /** A record that is to be sent again now; null if there is none. */
    Pending.@Nullable Sent due() {
        return pending.again(clock.nowNs());
    }

    /** Sends a record again, with the time that it had; {@link #sentAgain} follows. */
    Object sendAgain(Pending.Sent record) {
        frame.split = splits.name(record.split());
        frame.offset = record.position();
        frame.reader = null;
        frame.dueNs = record.dueNs();
        again = true;
        times.beginAgain(record.split(), record.watermarks());
        begin(record.again(clock.nowNs()));
        return copies == null ? record.value() : copies.copy(record.value());
    }

    /** All that came of the record sent again has its time. */
    void sentAgain() {
        if (again) {
            again = false;
            times.endAgain();
        }
    }

    /** The least that time may have reached, because of records that may come again; Long.MAX_VALUE for none. */
    long watermark() {
        return times.none() ? Long.MAX_VALUE : pending.reached();
    }
}
