// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitAlignment;
import io.thalweg.api.operator.EventTimeFunction;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gives each record its event time and its stamp: the watermark that its split had before it, which is the greatest
 * time seen in the split, less the allowed disorder, less 1 ms.
 */
public final class EventTimeStage implements TimeReader {
    /** Some 70 million years from now; arithmetic on times up to this one does not overflow. */
    private static final long LAST = 1L << 61;

    private static final long NOT_SEEN = Long.MIN_VALUE;

    private final String operator;
    private final Frame frame;
    private final EventTimeFunction<Object> function;
    private final long disorderMs;
    private final long idleNs;
    private final @Nullable AlignedSplits aligned;
    private final Receiver next;

    private long[] watermarks = {};
    private long[] lastRecordNs = {};
    private boolean[] ended = {};
    private int split;

    /** Watermark of the current split. */
    private long watermark = NOT_SEEN;

    /** Beyond it the current split waits for slower ones. */
    private long limit = Long.MAX_VALUE;

    private boolean seen;

    /** The watermark of the current split before a record of it is retried. */
    private long reachedBefore = NOT_SEEN;

    /** @param aligned null if watermarks are not aligned */
    public record Parts(
            String operator,
            Frame frame,
            EventTimeFunction<Object> function,
            long disorderMs,
            long idleNs,
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
        idleNs = parts.idleNs();
        aligned = parts.aligned();
        next = parts.next();
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
            bad(value, "the record has no event time");
            return;
        }
        long eventTime = time;
        if (eventTime > LAST || eventTime < -LAST) {
            bad(value, "the event time " + eventTime + " is out of range; it must be in milliseconds");
            return;
        }
        frame.time = eventTime;
        frame.stamp = watermark;
        long reached = eventTime - disorderMs - 1;
        if (reached > watermark && reached < eventTime) {
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
        watermarks = new long[count];
        lastRecordNs = new long[count];
        ended = new boolean[count];
        Arrays.fill(watermarks, NOT_SEEN);
    }

    @Override
    public void add(long nowNs) {
        long reached = watermark(nowNs);
        int number = watermarks.length;
        watermarks = Arrays.copyOf(watermarks, number + 1);
        lastRecordNs = Arrays.copyOf(lastRecordNs, number + 1);
        ended = Arrays.copyOf(ended, number + 1);
        watermarks[number] = reached == Long.MAX_VALUE || reached == IDLE ? frame.watermark : reached;
        if (number == split) { // the first
            watermark = watermarks[number];
        }
    }

    @Override
    public void notRead(long forNs) {
        for (int i = 0; i < lastRecordNs.length; i++) {
            lastRecordNs[i] += lastRecordNs[i] == 0 ? 0 : forNs;
        }
    }

    @Override
    public void begin(int number) {
        watermarks[split] = watermark; // a flatMap before may have gone on after the turn was over
        split = number;
        watermark = watermarks[number];
        seen = false;
        if (aligned != null) {
            limit = aligned.splits.limit(watermark);
        }
    }

    @Override
    public void end(boolean splitEnded, long nowNs) {
        watermarks[split] = watermark;
        ended[split] |= splitEnded;
        if (seen || lastRecordNs[split] == 0) {
            lastRecordNs[split] = nowNs;
        }
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
        if (watermarks.length > 0) {
            watermarks[split] = watermark; // a flatMap before may have gone on after the turn was over
        }
        aligned.reached(slowest(nowNs));
        aligned.look(watermarks, ended, nowNs);
        for (int i = 0; i < watermarks.length; i++) {
            if (waits(i)) {
                lastRecordNs[i] = nowNs;
            }
        }
    }

    /** True if the split waits for slower ones; then it is not idle. */
    private boolean waits(int number) {
        return aligned != null && aligned.splits.held(number);
    }

    private long slowest(long nowNs) {
        long least = watermark(nowNs);
        return least == IDLE ? SplitAlignment.NOT_AWAITED : least;
    }

    @Override
    public String operator() {
        return operator;
    }

    @Override
    public long watermarkOf(int number) {
        return number == split ? watermark : watermarks[number];
    }

    @Override
    public void restore(int number, long reached, boolean over) {
        watermarks[number] = reached;
        ended[number] = over;
        if (number == split) {
            watermark = reached;
        }
    }

    @Override
    public long watermark(long nowNs) {
        long least = Long.MAX_VALUE;
        boolean idle = false;
        for (int i = 0; i < watermarks.length; i++) {
            if (ended[i]) {
                continue;
            }
            if (idleNs > 0 && lastRecordNs[i] != 0 && nowNs - lastRecordNs[i] >= idleNs && !waits(i)) {
                idle = true;
            } else {
                least = Math.min(least, watermarks[i]);
            }
        }
        return least == Long.MAX_VALUE && idle ? IDLE : least;
    }
}
