// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.operator.EventTimeFunction;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.run.time.EventTimeRules;
import io.thalweg.run.time.SplitWatermarks;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Gives each record its event time and its stamp: the watermark that its split had before it, which is the greatest
 * time seen in the split, less the allowed disorder, less 1 ms; that of the task if time has gone on without the split, which
 * was idle.
 */
public final class EventTimeStage implements TimeReader {
    private final String operator;
    private final Frame frame;
    private final EventTimeFunction<Object> function;
    private final long disorderMs;
    private final @Nullable AlignedSplits aligned;
    private final Receiver next;

    private final SplitWatermarks splits;
    private int split;

    /** Watermark of the current split; it is up to date in {@link #splits} between turns only. */
    private long watermark = SplitWatermarks.NOT_SEEN;

    /** Where time went on without the current split, the watermark of the task. */
    private long leastStamp = SplitWatermarks.NOT_SEEN;

    /** Beyond it the current split waits for slower ones. */
    private long limit = Long.MAX_VALUE;

    private boolean seen;

    /** The watermark of the current split before a record of it is retried. */
    private long reachedBefore = SplitWatermarks.NOT_SEEN;

    /** @param aligned null if watermarks are not aligned */
    public record Parts(
            String operator,
            Frame frame,
            EventTimeFunction<Object> function,
            long disorderMs,
            long idleMs,
            @Nullable AlignedSplits aligned,
            Receiver next)
            implements Specialiser.Parts<TimeReader> {
        @Override
        public Class<EventTimeStage> type() {
            return EventTimeStage.class;
        }
    }

    EventTimeStage(Parts parts) {
        operator = parts.operator();
        frame = parts.frame();
        function = parts.function();
        disorderMs = parts.disorderMs();
        aligned = parts.aligned();
        next = parts.next();
        splits = new SplitWatermarks(parts.idleMs(), aligned == null ? null : aligned.splits);
    }

    @Override
    public void accept(Object value) throws Exception {
        @Nullable Long time;
        try {
            time = function.apply(value);
        } catch (Throwable thrown) {
            frame.onThrown(operator, thrown);
            return;
        }
        if (time == null) {
            bad(value, EventTimeRules.MISSING);
            return;
        }
        long eventTime = time;
        if (!EventTimeRules.inRange(eventTime)) {
            bad(value, EventTimeRules.outOfRange(eventTime));
            return;
        }
        frame.time = eventTime;
        frame.stamp = Math.max(watermark, leastStamp);
        long reached = EventTimeRules.watermarkAfter(watermark, eventTime, disorderMs);
        if (reached > watermark) {
            watermark = reached;
            if (reached > limit) {
                frame.ahead = true;
            }
        }
        seen = true;
        next.accept(value);
    }

    private void bad(Object value, String reason) {
        byte[] text = value.toString().getBytes(StandardCharsets.UTF_8);
        frame.dropped++;
        frame.bad(operator, reason, text);
    }

    @Override
    public void splits(int count) {
        splits.splits(count);
    }

    @Override
    public void add(long nowNs) {
        int number = splits.add(nowNs, frame.watermark);
        if (number == split) { // the first
            watermark = splits.of(number);
        }
    }

    @Override
    public void notRead(long forNs) {
        splits.notPolled(forNs);
    }

    @Override
    public void begin(int number) {
        splits.set(split, watermark); // a flatMap before may have gone on after the turn was over
        split = number;
        watermark = splits.of(number);
        leastStamp = leastStampOf(number);
        seen = false;
        if (aligned != null) {
            limit = aligned.splits.limit(watermark);
        }
    }

    @Override
    public void end(boolean splitEnded, long nowNs) {
        splits.set(split, watermark);
        if (splitEnded) {
            splits.end(split);
        }
        if (seen) {
            splits.seen(split);
        }
        splits.polled(split, nowNs);
    }

    @Override
    public void beginAgain(int number, long then) {
        begin(number);
        reachedBefore = watermark;
        watermark = then;
    }

    @Override
    public void endAgain() {
        watermark = Math.max(watermark, reachedBefore);
    }

    @Override
    public @Nullable AlignedSplits aligned() {
        return aligned;
    }

    @Override
    public void align(long nowNs) {
        if (aligned == null) {
            return;
        }
        if (splits.count() > 0) {
            splits.set(split, watermark); // a flatMap before may have gone on after the turn was over
        }
        aligned.reached(splits.slowest(nowNs));
        aligned.look(splits, nowNs);
    }

    @Override
    public String operator() {
        return operator;
    }

    @Override
    public long watermarkOf(int number) {
        return number == split ? watermark : splits.of(number);
    }

    @Override
    public long stampOf(int number) {
        return Math.max(watermarkOf(number), leastStampOf(number));
    }

    private long leastStampOf(int number) {
        return splits.wasIdle(number) ? frame.watermark : SplitWatermarks.NOT_SEEN;
    }

    @Override
    public boolean counts(int number, long nowNs) {
        return splits.counts(number, nowNs);
    }

    @Override
    public void restore(int number, long reached, boolean over) {
        splits.set(number, reached);
        if (over) {
            splits.end(number);
        }
        if (number == split) {
            watermark = reached;
        }
    }

    @Override
    public long watermark(long nowNs) {
        return splits.least(nowNs);
    }
}
