// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.flink.record.StableKey;
import io.thalweg.run.time.WindowTimes;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Tumbling and sliding windows: an accumulator for each key and start, in Flink's keyed state, and a timer for its end.
 * A record is late by its stamp, never by the operator's watermark, which may lag behind.
 */
public final class AlignedWindows extends Windowed implements Triggerable<StableKey, Long> {
    private static final long serialVersionUID = 1L;

    private final WindowSpec.Aligned window;
    private transient @Nullable InternalValueState<StableKey, Long, Object> panes;
    private transient @Nullable InternalTimerService<Long> timers;

    /** By key group: the end of the last window that had fired in the restored checkpoint, and is kept for late records. */
    private transient Map<Integer, Long> firedBefore = new HashMap<>();

    /** The greatest of them. */
    private transient long anyFiredBefore = Long.MIN_VALUE;

    public AlignedWindows(
            StageSettings settings,
            WindowSpec.Aligned window,
            Aggregate<Object, Object, Object> aggregate,
            long latenessMs,
            @Nullable OutputTag<Object> lateTo) {
        super(settings, aggregate, latenessMs, lateTo);
        this.window = window;
    }

    @Override
    @SuppressWarnings("unchecked") // as in Flink's own window operator
    void begin() throws Exception {
        panes = (InternalValueState<StableKey, Long, Object>) getOrCreateKeyedState(
                LongSerializer.INSTANCE,
                new ValueStateDescriptor<>("panes", accumulators.serializer(window + ": " + aggregate.describe())));
        timers = getInternalTimerService("windows", LongSerializer.INSTANCE, this);
        findFired();
    }

    /** Flink does not save the watermark that the operator had reached, but the timers: a window that has fired waits to be closed. */
    private void findFired() throws Exception {
        firedBefore = new HashMap<>();
        anyFiredBefore = Long.MIN_VALUE;
        if (latenessMs > 0) {
            opened(timers).forEachEventTimeTimer((start, at) -> {
                long end = start + window.sizeMs();
                if (at > WindowTimes.complete(end)) {
                    firedBefore.merge(keyGroup(), end, Math::max);
                    anyFiredBefore = Math.max(anyFiredBefore, end);
                }
            });
        }
    }

    private int keyGroup() {
        return KeyGroupRangeAssignment.assignToKeyGroup(
                getCurrentKey(), getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks());
    }

    private boolean hasFired(long end) {
        return WindowTimes.complete(end) <= opened(timers).currentWatermark()
                || (end <= anyFiredBefore && end <= firedBefore.getOrDefault(keyGroup(), Long.MIN_VALUE));
    }

    @Override
    Set<String> states() {
        return Set.of("tumbling or sliding windows");
    }

    @Override
    void accept(Object value) throws Exception {
        if (timeless(value)) {
            return;
        }
        long last = window.lastStart(time);
        if (time >= last + window.sizeMs()) {
            return; // between two windows
        }
        if (isLate(last)) {
            late(value, closed(last));
            return;
        }
        long start = last;
        while (start > time - window.sizeMs() && !isLate(start) && add(start, value)) {
            start -= window.stepMs();
        }
    }

    private boolean isLate(long start) {
        return closed(start) <= stamp;
    }

    private long closed(long start) {
        return WindowTimes.closed(start + window.sizeMs(), latenessMs);
    }

    /** False if it is a bad record, which is so once, and not for each of its windows. */
    private boolean add(long start, Object value) throws Exception {
        InternalValueState<StableKey, Long, Object> state = opened(panes);
        InternalTimerService<Long> service = opened(timers);
        long end = start + window.sizeMs();
        boolean fired = hasFired(end);
        Object accumulator;
        try {
            state.setCurrentNamespace(start);
            accumulator = state.value();
            if (accumulator == null) {
                accumulator = accumulators.create();
                service.registerEventTimeTimer(start, WindowTimes.due(end, fired, latenessMs));
            } else {
                accumulator = accumulators.inState(accumulator);
            }
            accumulators.add(accumulator, value);
            state.update(accumulator);
        } catch (Throwable thrown) {
            onThrown(thrown);
            return false;
        }
        if (fired) {
            emit(key(), start, end, accumulator, stamp);
        }
        return true;
    }

    @Override
    public void onEventTime(InternalTimer<StableKey, Long> timer) throws Exception {
        InternalValueState<StableKey, Long, Object> state = opened(panes);
        long start = timer.getNamespace();
        long end = start + window.sizeMs();
        state.setCurrentNamespace(start);
        if (timer.getTimestamp() == WindowTimes.complete(end)) {
            Object accumulator = state.value();
            if (accumulator != null) {
                fire(timer.getKey().key(), start, end, accumulator);
            }
            if (latenessMs > 0) {
                opened(timers).registerEventTimeTimer(start, WindowTimes.closed(end, latenessMs));
                return;
            }
        }
        state.clear();
    }

    @Override
    public void onProcessingTime(InternalTimer<StableKey, Long> timer) {
        throw new IllegalStateException("there are no timers of processing time");
    }
}
