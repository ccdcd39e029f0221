// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.window.WindowResult;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.run.time.EventTimeRules;
import io.thalweg.run.time.WindowTimes;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What every kind of window needs.
 *
 * @param lateTo where late records go; null to drop them
 * @param recordCopies where records are reused by their source and the aggregate keeps them
 * @param keyCopies where a key may be part of such a record
 * @param state the accumulators in a checkpoint
 */
record Windowing(
        String operator,
        Frame frame,
        MapFunction<Object, Object> key,
        KeyHash hashes,
        Layout layout,
        Adder adder,
        Results results,
        long latenessMs,
        @Nullable Receiver lateTo,
        @Nullable Codec<Object> recordCopies,
        @Nullable Codec<Object> keyCopies,
        KeyedState state,
        Receiver next) {
    /** Hands on the result of a window at its end, or where records changed it that were late, but allowed. */
    void fire(Object key, long start, long end, Rows rows, int row) throws Exception {
        emit(key, start, end, rows, row, WindowTimes.stamp(end, frame.watermark));
    }

    /** Hands on the result of one window, with its last moment as event time. */
    void emit(Object key, long start, long end, Rows rows, int row, long stamp) throws Exception {
        Object result;
        try {
            result = results.of(rows, row);
        } catch (Throwable thrown) {
            frame.onThrown(operator, NullValueException.inWindow(thrown, key, start, end));
            return;
        }
        long timeInHand = frame.time;
        long stampInHand = frame.stamp;
        frame.time = WindowTimes.complete(end);
        frame.stamp = stamp;
        next.accept(result(key, start, end, result));
        frame.time = timeInHand; // who emits to this window may not be done yet
        frame.stamp = stampInHand;
    }

    @SuppressWarnings("NullAway") // an aggregate over no values may have no result
    private static Object result(Object key, long start, long end, @Nullable Object result) {
        return new WindowResult<>(key, start, end, result);
    }

    /** True if a record has no event time, as one emitted by an operator at the end: it is bad, not late. */
    boolean timeless(Object value) {
        if (frame.time != OperatorContext.NO_TIME) {
            return false;
        }
        byte[] text = value.toString().getBytes(StandardCharsets.UTF_8);
        frame.dropped++;
        frame.bad(operator, EventTimeRules.MISSING, text);
        return true;
    }

    /** @param closed the watermark at which its last window was closed */
    void late(Object value, long closed) throws Exception {
        frame.late(operator, frame.stamp - closed + 1, value);
        if (lateTo != null) {
            lateTo.accept(value);
        }
    }

    StateStats plus(StateStats state, KeyTable table) {
        return state.plus(new StateStats(operator, table.size(), table.bytes()));
    }

    KeyTable table() {
        return new KeyTable(layout);
    }

    /**
     * The entry of a record's key in a {@link #table}; a new one if there is none. The key is then made once more, to be
     * kept: so the one in hand goes nowhere, and the JIT need not make it.
     */
    int entry(KeyTable table, Object value, Object key, int hash) throws Exception {
        int entry = table.find(key, hash);
        return entry < 0 ? add(table, this.key.apply(value), hash) : entry;
    }

    /** The entry of a key in a {@link #table}; a new one if there is none. */
    int entry(KeyTable table, Object key, int hash) {
        return entry(table, key, hash, -1);
    }

    /** The same of a key with a {@link KeyTable#candidate}. */
    int entry(KeyTable table, Object key, int hash, int candidate) {
        int entry = table.find(key, hash, candidate);
        return entry < 0 ? add(table, key, hash) : entry;
    }

    private int add(KeyTable table, Object key, int hash) {
        return table.add(keyCopies == null ? key : keyCopies.copy(key), hash);
    }

    Codec<Object> accumulators() {
        return layout.type().codec();
    }

    /** For those in a checkpoint, whose schema may be an older one. */
    Codec<Object> accumulators(Restored from) {
        return from.saved().reader(state.name(), layout.type());
    }

    Object kept(Object value) {
        return recordCopies == null ? value : recordCopies.copy(value);
    }
}
