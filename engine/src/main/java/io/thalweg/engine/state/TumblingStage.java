// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.run.time.WindowTimes;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Windows that follow each other without gap or overlap. Made by a specialiser. */
final class TumblingStage implements Receiver, Stage {
    static final class Pane {
        final KeyTable table;

        /** Entries below this have fired. */
        int fired;

        Pane(KeyTable table) {
            this.table = table;
        }
    }

    private final Windowing windowing;
    private final Frame frame;
    private final KeyHash hashes;
    private final MapFunction<Object, Object> key;
    private final Adder adder;
    private final long sizeMs;
    private final long latenessMs;

    /** By start: those that have fired and are kept for late records, and those still open. */
    private final TreeMap<Long, Pane> panes = new TreeMap<>();

    /** The pane met last. */
    private @Nullable Pane current;

    private long currentStart = 1;
    private long currentEnd;

    private long keysOpen;

    record Parts(Windowing windowing, long sizeMs) implements Specialiser.Parts<Receiver> {
        @Override
        public Class<TumblingStage> type() {
            return TumblingStage.class;
        }
    }

    TumblingStage(Parts parts) {
        windowing = parts.windowing();
        frame = windowing.frame();
        hashes = windowing.hashes();
        key = windowing.key();
        adder = windowing.adder();
        latenessMs = windowing.latenessMs();
        sizeMs = parts.sizeMs();
    }

    @Override
    public String operator() {
        return windowing.operator();
    }

    @Override
    public void accept(Object value) throws Exception {
        Object k;
        try {
            k = key.apply(value);
            if (k == null) {
                throw NullValueException.ofKey(key, value);
            }
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        long time = frame.time;
        if (time < currentStart || time >= currentEnd) {
            if (windowing.timeless(value)) {
                return;
            }
            select(time);
        }
        long closed = WindowTimes.closed(currentEnd, latenessMs);
        if (closed <= frame.stamp) {
            windowing.late(value, closed);
            return;
        }
        Pane pane = current == null ? paneAdded() : current;
        KeyTable table = pane.table;
        int entry;
        try {
            int before = table.size();
            entry = windowing.entry(table, value, k, hashes.of(k));
            if (entry >= pane.fired) {
                keysOpen += table.size() - before;
            }
            adder.add(table, entry, windowing.kept(value));
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        if (entry < pane.fired) {
            windowing.emit(key.apply(value), currentStart, currentEnd, table, entry, frame.stamp);
        }
    }

    private Pane paneAdded() {
        Pane pane = new Pane(windowing.table());
        panes.put(currentStart, pane);
        current = pane;
        return pane;
    }

    private void select(long time) {
        currentStart = Math.floorDiv(time, sizeMs) * sizeMs;
        currentEnd = currentStart + sizeMs;
        current = panes.get(currentStart);
    }

    @Override
    public boolean advance(long watermark) throws Exception {
        for (Map.Entry<Long, Pane> entry : panes.entrySet()) {
            long start = entry.getKey();
            long end = start + sizeMs;
            if (WindowTimes.complete(end) > watermark) {
                break;
            }
            if (!fire(entry.getValue(), start, end)) {
                return false;
            }
        }
        while (!panes.isEmpty() && WindowTimes.closed(panes.firstKey() + sizeMs, latenessMs) <= watermark) {
            if (panes.pollFirstEntry().getValue() == current) {
                current = null;
            }
        }
        return true;
    }

    private boolean fire(Pane pane, long start, long end) throws Exception {
        while (pane.fired < pane.table.size()) {
            if (frame.pauses()) {
                return false;
            }
            int entry = pane.fired++;
            keysOpen--;
            windowing.fire(pane.table.key(entry), start, end, pane.table, entry);
        }
        pane.fired = Integer.MAX_VALUE; // what still comes is late
        return true;
    }

    @Override
    public void save(TaskState to) {
        KeyedState state = windowing.state();
        to.declare(state.name(), state.format());
        for (Map.Entry<Long, Pane> pane : panes.entrySet()) {
            KeyTable table = pane.getValue().table;
            for (int entry = 0; entry < table.size(); entry++) {
                ByteWriter out = state.entry(table.key(entry), to, frame.watermark);
                out.writeVarLong(pane.getKey());
                windowing.accumulators().encode(table.read(entry), out);
            }
        }
    }

    @Override
    public void restore(Restored from) {
        restore(from, true);
        restore(from, false);
    }

    /** Those that have fired come first in their table. */
    private void restore(Restored from, boolean fired) {
        KeyedState state = windowing.state();
        Codec<Object> accumulators = windowing.accumulators(from);
        for (SavedState.Piece piece : state.pieces(from)) {
            ByteReader in = piece.in();
            long watermark = in.readLong();
            while (in.remaining() > 0) {
                Object ofKey = state.key(piece);
                long start = in.readVarLong();
                Object accumulator = accumulators.decode(in);
                if (WindowTimes.complete(start + sizeMs) <= watermark == fired) {
                    select(start);
                    Pane pane = current == null ? paneAdded() : current;
                    pane.table.restore(ofKey, hashes.of(ofKey), accumulator);
                    pane.fired += fired ? 1 : 0;
                    keysOpen += fired ? 0 : 1;
                }
            }
        }
    }

    @Override
    public long windowsOpen() {
        return keysOpen;
    }

    @Override
    public StateStats stateStats() {
        StateStats all = new StateStats(windowing.operator(), 0, 0);
        for (Pane pane : panes.values()) {
            all = windowing.plus(all, pane.table);
        }
        return all;
    }
}
