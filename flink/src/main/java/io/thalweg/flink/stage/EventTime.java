// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.connector.SplitAlignment;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.flink.report.AlignmentCounts;
import io.thalweg.flink.source.CurrentRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.jspecify.annotations.Nullable;

/**
 * Gives each record its event time and stamp, and emits the least watermark of the task's splits: when it passes a step
 * that matters downstream, but not more often than every few records or milliseconds.
 */
public final class EventTime extends OneInput implements CurrentRecord.Times {
    private static final long serialVersionUID = 1L;

    /** Some 70 million years from now; arithmetic on times up to this one does not overflow. */
    private static final long LAST = 1L << 61;

    private static final long NOT_SEEN = OperatorContext.NO_TIME;
    private static final int RECORDS_BETWEEN = 64;
    private static final long LOOK_EVERY_MS = 20;

    private final NodeSpec.EventTime spec;
    private final long stepMs;

    private transient long[] watermarks = {};
    private transient boolean growing;
    private transient boolean[] ended = {};
    private transient boolean[] seen = {};
    private transient long[] lastSeenMs = {};
    private transient long lookedMs;
    private transient long sent;
    private transient int sinceSent;
    private transient boolean idle;
    private transient boolean over;

    /** Null if watermarks are not aligned. */
    private transient @Nullable SplitAlignment alignment;

    private transient @Nullable AlignmentCounts counts;

    /** @param stepMs see {@link io.thalweg.api.graph.WatermarkSteps}; 0 if no watermark matters */
    public EventTime(Shape shape, NodeSpec.EventTime spec, long stepMs) {
        super(shape);
        this.spec = spec;
        this.stepMs = stepMs;
    }

    @Override
    public void open() throws Exception {
        super.open();
        watermarks = new long[0];
        sent = NOT_SEEN;
        if (spec.aligned()) {
            alignment = new SplitAlignment(spec.alignedMs());
            counts = new AlignmentCounts(shape.place().operator(), getRuntimeContext());
        }
        currentRecord().register(this);
        lookedMs = getProcessingTimeService().getCurrentProcessingTime();
        if (stepMs > 0 || spec.aligned()) {
            look();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // if the timer fails, Flink fails the task
    private void look() {
        long nextMs = getProcessingTimeService().getCurrentProcessingTime() + LOOK_EVERY_MS;
        getProcessingTimeService().registerTimer(nextMs, nowMs -> {
            if (!over) {
                lookAtIdle(nowMs);
                send(true);
                look();
            }
        });
    }

    @Override
    public String name() {
        return shape.place().operator();
    }

    @Override
    public void splits(int count, boolean moreMayCome) {
        growing = moreMayCome;
        watermarks = new long[count];
        Arrays.fill(watermarks, NOT_SEEN);
        ended = new boolean[count];
        seen = new boolean[count];
        lastSeenMs = new long[count];
        Arrays.fill(lastSeenMs, getProcessingTimeService().getCurrentProcessingTime());
        idleWithoutSplits();
    }

    @Override
    public void add() {
        int number = watermarks.length;
        long least = least();
        watermarks = Arrays.copyOf(watermarks, number + 1);
        watermarks[number] = least == Long.MAX_VALUE ? sent : least;
        ended = Arrays.copyOf(ended, number + 1);
        seen = Arrays.copyOf(seen, number + 1);
        lastSeenMs = Arrays.copyOf(lastSeenMs, number + 1);
        lastSeenMs[number] = getProcessingTimeService().getCurrentProcessingTime();
    }

    /**
     * A task without splits is idle if it may get one later. One that will never get any reports nothing until its end:
     * an operator with two inputs does not wait for an idle one.
     */
    private void idleWithoutSplits() {
        boolean any = false;
        for (boolean each : ended) {
            any |= !each;
        }
        if (growing && !any) {
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
        return watermarks[split];
    }

    @Override
    public void restore(int split, long watermark) {
        watermarks[split] = watermark;
    }

    @Override
    public void ended(int split) {
        ended[split] = true;
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
        if (read == null || read > LAST || read < -LAST) {
            String reason = read == null
                    ? "the record has no event time"
                    : "the event time " + read + " is out of range; it must be in milliseconds";
            bad(reason, value.toString().getBytes(StandardCharsets.UTF_8));
            return;
        }
        int split = currentRecord().split;
        long before = watermarks[split];
        long reached = read - spec.maxDisorderMs() - 1;
        if (reached > before && reached < read) {
            watermarks[split] = reached;
            if (alignment != null && reached > alignment.limit(before)) {
                currentRecord().ahead = true;
            }
        }
        seen[split] = true;
        setIdle(false);
        emit(null, value, read, before);
        sinceSent++;
        if (stepMs > 0 && before <= sent) {
            send(false); // only the slowest split changes the least watermark
        }
    }

    /** Emits the least watermark of all splits, if it matters downstream. */
    private void send(boolean atOnce) {
        if (stepMs == 0 || (!atOnce && sinceSent < RECORDS_BETWEEN)) {
            return;
        }
        long least = least();
        if (least > sent && least != Long.MAX_VALUE && (sent == NOT_SEEN || step(least) != step(sent))) {
            sent = least;
            forwarded = least;
            sinceSent = 0;
            output.emitWatermark(new Watermark(least));
        }
    }

    /** A window [s, e) is complete at watermark e - 1. */
    private long step(long watermark) {
        return Math.floorDiv(watermark + 1, stepMs);
    }

    /** The least watermark of all splits that are not idle; Long.MAX_VALUE if there is none. */
    private long least() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < watermarks.length; i++) {
            if (!ended[i] && lastSeenMs[i] >= 0) {
                least = Math.min(least, watermarks[i]);
            }
        }
        return least;
    }

    private void lookAtIdle(long nowMs) {
        if (spec.idleMs() == 0) {
            return;
        }
        long lateMs = Math.max(0, nowMs - lookedMs - LOOK_EVERY_MS); // back-pressure: nothing was read meanwhile
        lookedMs = nowMs;
        boolean anyIdle = false;
        for (int i = 0; i < watermarks.length; i++) {
            lastSeenMs[i] += lastSeenMs[i] < 0 ? 0 : lateMs;
            if (seen[i] || (alignment != null && alignment.held(i))) { // a split that waits is not idle
                lastSeenMs[i] = nowMs;
                seen[i] = false;
            } else if (lastSeenMs[i] >= 0 && nowMs - lastSeenMs[i] >= spec.idleMs()) {
                lastSeenMs[i] = -1; // until it is seen again
            }
            anyIdle |= lastSeenMs[i] < 0 && !ended[i];
        }
        if (anyIdle && least() == Long.MAX_VALUE) {
            setIdle(true);
        }
    }

    @Override
    public @Nullable SplitAlignment alignment() {
        return alignment;
    }

    @Override
    public long slowest() {
        return least();
    }

    @Override
    public void align(long slowest, long nowNs) {
        if (alignment != null && counts != null) {
            alignment.look(watermarks, ended, slowest, nowNs);
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
