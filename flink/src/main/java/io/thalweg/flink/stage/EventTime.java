// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.connector.SplitAlignment;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.flink.report.AlignmentCounts;
import io.thalweg.flink.source.CurrentRecord;
import io.thalweg.run.time.EventTimeRules;
import io.thalweg.run.time.SplitWatermarks;
import io.thalweg.run.time.WatermarkFilter;
import java.nio.charset.StandardCharsets;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.clock.SystemClock;
import org.jspecify.annotations.Nullable;

/**
 * Gives each record its event time and stamp, and emits the least watermark of the task's splits: when it passes a step
 * that matters downstream, but not more often than every few records or milliseconds.
 */
public final class EventTime extends OneInput implements CurrentRecord.Times {
    private static final long serialVersionUID = 1L;

    private static final int RECORDS_BETWEEN = 64;
    private static final long LOOK_EVERY_MS = 20;
    private static final long LOOK_EVERY_NS = LOOK_EVERY_MS * 1_000_000;

    private final NodeSpec.EventTime spec;
    private final long stepMs;

    private transient @Nullable SplitWatermarks splits;
    private transient @Nullable WatermarkFilter filter;
    private transient boolean growing;
    private transient long lookedNs;
    private transient int sinceSent;
    private transient boolean idle;
    private transient boolean over;

    /** Null if watermarks are not aligned. */
    private transient @Nullable SplitAlignment alignment;

    private transient @Nullable AlignmentCounts counts;

    /** @param stepMs see {@link io.thalweg.api.graph.WatermarkSteps}; 0 if no watermark matters */
    public EventTime(StageSettings settings, NodeSpec.EventTime spec, long stepMs) {
        super(settings);
        this.spec = spec;
        this.stepMs = stepMs;
    }

    @Override
    void begin() throws Exception {
        if (spec.aligned()) {
            alignment = new SplitAlignment(spec.alignedMs());
            counts = new AlignmentCounts(settings.place().operator(), getRuntimeContext());
        }
        splits = new SplitWatermarks(spec.idleMs(), alignment);
        filter = new WatermarkFilter(stepMs);
        currentRecord().register(this);
        lookedNs = nowNs();
        if (stepMs > 0 || spec.aligned()) {
            look();
        }
    }

    private static long nowNs() {
        return SystemClock.getInstance().relativeTimeNanos();
    }

    private SplitWatermarks splits() {
        return opened(splits);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // if the timer fails, Flink fails the task
    private void look() {
        long nextMs = getProcessingTimeService().getCurrentProcessingTime() + LOOK_EVERY_MS;
        getProcessingTimeService().registerTimer(nextMs, at -> {
            if (!over) {
                lookAtIdle();
                send(true);
                look();
            }
        });
    }

    @Override
    public String name() {
        return settings.place().operator();
    }

    @Override
    public void splits(int count, boolean moreMayCome) {
        growing = moreMayCome;
        splits().splits(count);
        idleWithoutSplits();
    }

    @Override
    public void add() {
        splits().add(lookedNs, opened(filter).sent());
    }

    /**
     * A task without splits is idle if it may get one later. One that will never get any reports nothing until its end:
     * an operator with two inputs does not wait for an idle one.
     */
    private void idleWithoutSplits() {
        if (growing && splits().allEnded()) {
            setIdle(true);
        }
    }

    private void setIdle(boolean now) {
        if (idle != now) {
            idle = now;
            output.emitWatermarkStatus(now ? WatermarkStatus.IDLE : WatermarkStatus.ACTIVE);
        }
    }

    @Override
    public long watermark(int split) {
        long own = splits().of(split);
        return splits().wasIdle(split) ? Math.max(own, forwarded) : own;
    }

    @Override
    public void restore(int split, long watermark) {
        splits().set(split, watermark);
    }

    @Override
    public void ended(int split) {
        splits().end(split);
        send(true);
        idleWithoutSplits();
    }

    @Override
    void accept(Object value) throws Exception {
        if (!currentRecord().readsSource()) {
            throw new IllegalStateException(
                    "eventTime must run in its source's Flink task; chaining must not be switched off");
        }
        @Nullable Long read;
        try {
            read = spec.function().apply(value);
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        if (read == null) {
            bad(value, EventTimeRules.MISSING);
            return;
        }
        long at = read;
        if (!EventTimeRules.inRange(at)) {
            bad(value, EventTimeRules.outOfRange(at));
            return;
        }
        SplitWatermarks all = splits();
        int split = currentRecord().split;
        long before = all.of(split);
        long reached = EventTimeRules.watermarkAfter(before, at, spec.maxDisorderMs());
        if (reached > before) {
            all.set(split, reached);
            if (alignment != null && reached > alignment.limit(before)) {
                currentRecord().ahead = true;
            }
        }
        all.seen(split);
        setIdle(false);
        emit(null, value, at, Math.max(before, forwarded)); // time may have gone on without the split, which was idle
        sinceSent++;
        if (stepMs > 0 && before <= opened(filter).sent()) {
            send(false); // only the slowest split changes the least watermark
        }
    }

    private void bad(Object value, String reason) {
        bad(reason, value.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Emits the least watermark of all splits, if it matters downstream. */
    private void send(boolean atOnce) {
        if (stepMs == 0 || (!atOnce && sinceSent < RECORDS_BETWEEN)) {
            return;
        }
        long least = slowest();
        WatermarkFilter steps = opened(filter);
        if (least > steps.sent() && least != SplitAlignment.NOT_AWAITED && steps.lets(least)) {
            forwarded = least;
            sinceSent = 0;
            output.emitWatermark(new Watermark(least));
        }
    }

    private void lookAtIdle() {
        long now = nowNs();
        splits().notPolled(Math.max(0, now - lookedNs - LOOK_EVERY_NS)); // backpressure: nothing was read meanwhile
        lookedNs = now;
        splits().polled(now);
        if (splits().least(now) == SplitWatermarks.IDLE) {
            setIdle(true);
        }
    }

    @Override
    public @Nullable SplitAlignment alignment() {
        return alignment;
    }

    @Override
    public long slowest() {
        return splits().slowest(lookedNs);
    }

    @Override
    public void align(long slowest, long nowNs) {
        if (alignment != null && counts != null) {
            splits().align(slowest, nowNs);
            counts.set(alignment);
        }
    }

    /** Watermarks of the source mean nothing except the last one, at the end of input. */
    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.getTimestamp() == Long.MAX_VALUE) {
            over = true;
            setIdle(false); // Flink ignores the watermark of an idle input
            super.processWatermark(mark);
        }
    }

    @Override
    public void finish() throws Exception {
        over = true;
        super.finish();
    }
}
