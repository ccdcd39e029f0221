// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.BatchingStage;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.run.time.WindowTimes;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Windows that follow each other without gap or overlap. Made by a specialiser. */
final class TumblingStage implements Receiver, BatchingStage {
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

    /** Null if each record is processed when it comes. */
    private final @Nullable LookupBatch held;

    /** @param held null if records may not be processed later than they come */
    record Parts(Windowing windowing, long sizeMs, @Nullable LookupBatch held) implements Specialiser.Parts<Receiver> {
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
        held = parts.held();
    }

    @Override
    public String operator() {
        return windowing.operator();
    }

    @Override
    public void accept(Object value) throws Exception {
        Object k;
        int hash;
        try {
            k = key.apply(value);
            if (k == null) {
                throw NullValueException.ofKey(key, value);
            }
            hash = hashes.of(k);
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        if (held != null && frame.anchor == null && holds(held)) {
            if (held.add(frame, value, k, hash) && !frame.blocked) {
                settle();
            }
            return;
        }
        Pane pane = pane(value);
        if (pane == null) {
            return;
        }
        int entry;
        try {
            int before = pane.table.size();
            entry = windowing.entry(pane.table, value, k, hash);
            add(value, pane, entry, before);
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        emitAgain(value, pane, entry);
    }

    private boolean holds(LookupBatch batch) {
        return current == null ? !batch.isEmpty() : batch.holds(current.table);
    }

    /** The loop of {@link RunningStage}, which must stand in each class that is copied: its calls are then compiled for one type. */
    @Override
    public void settle() throws Exception {
        if (held == null || held.isEmpty() || frame.blocked) {
            return;
        }
        long timeInHand = frame.time;
        long stampInHand = frame.stamp;
        Pane looked = current;
        if (looked != null) {
            held.look(looked.table);
        }
        try {
            for (int at = held.next(frame); at >= 0; at = held.next(frame)) {
                addHeld(held.value(at), held.key(at), held.hash(at), looked, held.candidate(at));
            }
        } catch (OperatorException e) {
            throw LookupBatch.at(frame, e);
        }
        held.leave(frame, timeInHand, stampInHand);
    }

    /**
     * The end of {@link #accept}, for a key that was held. There it goes nowhere, and the JIT need not make it; so the two are apart.
     *
     * @param candidate of the table of {@code looked}
     */
    private void addHeld(Object value, Object k, int hash, @Nullable Pane looked, int candidate) throws Exception {
        Pane pane = pane(value);
        if (pane == null) {
            return;
        }
        int entry;
        try {
            int before = pane.table.size();
            entry = windowing.entry(pane.table, k, hash, pane == looked ? candidate : -1);
            add(value, pane, entry, before);
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        emitAgain(value, pane, entry);
    }

    /** The pane of the frame's current record; null if it has none. */
    private @Nullable Pane pane(Object value) throws Exception {
        long time = frame.time;
        if (time < currentStart || time >= currentEnd) {
            if (windowing.timeless(value)) {
                return null;
            }
            select(time);
        }
        long closed = WindowTimes.closed(currentEnd, latenessMs);
        if (closed <= frame.stamp) {
            windowing.late(value, closed);
            return null;
        }
        return current == null ? paneAdded() : current;
    }

    /** @param before how many entries there were before the record's key was looked up */
    private void add(Object value, Pane pane, int entry, int before) throws Exception {
        if (entry >= pane.fired) {
            keysOpen += pane.table.size() - before;
        }
        adder.add(pane.table, entry, windowing.kept(value));
    }

    /** The result of a window that has fired, if the record came to one. */
    private void emitAgain(Object value, Pane pane, int entry) throws Exception {
        if (entry < pane.fired) {
            windowing.emit(key.apply(value), currentStart, currentEnd, pane.table, entry, frame.stamp);
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
        settle();
        if (frame.blocked) {
            return false;
        }
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
