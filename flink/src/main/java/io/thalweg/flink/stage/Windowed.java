// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.window.WindowResult;
import io.thalweg.run.time.WindowTimes;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** What all kinds of windows share. */
abstract class Windowed extends OneInput {
    private static final long serialVersionUID = 1L;

    final Aggregate<Object, Object, Object> aggregate;
    final Accumulators accumulators;
    final long latenessMs;
    private final @Nullable OutputTag<Object> lateTo;

    /** @param lateTo null to drop late records */
    Windowed(
            StageSettings settings,
            Aggregate<Object, Object, Object> aggregate,
            long latenessMs,
            @Nullable OutputTag<Object> lateTo) {
        super(settings);
        this.aggregate = aggregate;
        accumulators = new Accumulators(aggregate);
        this.latenessMs = WindowTimes.lateness(latenessMs);
        this.lateTo = lateTo;
    }

    /** @param closed when the first window that it would have been in was closed */
    final void late(Object value, long closed) {
        countLate(stamp - closed + 1, value);
        if (lateTo != null) {
            emit(lateTo, value, time, stamp);
        }
    }

    /** Emits the result of a window at its end, or after a late record within the allowed lateness has changed it. */
    final void fire(Object key, long start, long end, Object accumulator) throws Exception {
        emit(key, start, end, accumulator, WindowTimes.stamp(end, forwarded));
    }

    /** Emits the result of a window, with its last millisecond as event time. */
    @SuppressWarnings("NullAway") // an aggregate over no values may have no result
    final void emit(Object key, long start, long end, Object accumulator, long withStamp) throws Exception {
        Object result;
        try {
            result = accumulators.result(accumulator);
        } catch (Throwable thrown) {
            onThrown(NullValueException.inWindow(thrown, key, start, end));
            return;
        }
        emit(null, new WindowResult<>(key, start, end, result), WindowTimes.complete(end), withStamp);
    }
}
