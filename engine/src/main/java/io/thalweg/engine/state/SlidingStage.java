// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.run.time.WindowTimes;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Windows that overlap or leave gaps. A record is added once, to the pane it falls in; panes are as long as the greatest
 * common divisor of size and step, and a window is merged from its panes when it fires, as {@link MergedPanes} has it. A record
 * that is late for some of its windows is added to each of the others by itself, so that what a window holds depends on stamps
 * alone. Made by a specialiser.
 */
final class SlidingStage implements Receiver, Stage {
    private static final long NEVER = Long.MIN_VALUE;

    private final Windowing windowing;
    private final Frame frame;
    private final KeyHash hashes;
    private final MapFunction<Object, Object> key;
    private final Adder adder;
    private final WindowSpec.Aligned window;
    private final long paneMs;
    private final TreeMap<Long, KeyTable> panes = new TreeMap<>();

    /** By start of window: what partly late records added. */
    private final TreeMap<Long, KeyTable> extras = new TreeMap<>();

    private final MergedPanes merged;

    /** The bounds of the pane met last. */
    private long paneStart = 1;

    private long paneEnd;

    /** The pane met last, if it holds anything. */
    private @Nullable KeyTable pane;

    /** The first and the last window that hold the pane met last. */
    private long firstWindow;

    private long lastWindow;

    /** Start of the window that fired last. */
    private long lastFired = NEVER;

    /** By key group, if a job goes on whose tasks had come to different times: the window that fired last before that. */
    private final Map<Integer, Long> firedBefore = new HashMap<>();

    private boolean firing;
    private long firingStart;
    private int cursor;

    record Parts(Windowing windowing, WindowSpec.Aligned window) implements Specialiser.Parts<Receiver> {
        @Override
        public Class<SlidingStage> type() {
            return SlidingStage.class;
        }
    }

    SlidingStage(Parts parts) {
        windowing = parts.windowing();
        window = parts.window();
        frame = windowing.frame();
        hashes = windowing.hashes();
        key = windowing.key();
        adder = windowing.adder();
        merged = new MergedPanes(windowing.layout(), hashes);
        paneMs = BigInteger.valueOf(window.sizeMs())
                .gcd(BigInteger.valueOf(window.stepMs()))
                .longValue();
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
        if (time < paneStart || time >= paneEnd) {
            if (windowing.timeless(value)) {
                return;
            }
            select(time);
        }
        if (time >= lastWindow + window.sizeMs()) {
            return; // between two windows
        }
        if (late(firstWindow, frame.stamp)) {
            late(value);
            return;
        }
        try {
            KeyTable table = pane == null ? paneAdded() : pane;
            int entry = windowing.entry(table, value, k, hashes.of(k));
            if (merged.tookPane(paneStart)) {
                changed(value);
            }
            adder.add(table, entry, windowing.kept(value));
            if (firstWindow <= lastFired || !firedBefore.isEmpty()) {
                update(value);
            }
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
        }
    }

    private void select(long time) {
        paneStart = Math.floorDiv(time, paneMs) * paneMs;
        paneEnd = paneStart + paneMs;
        pane = panes.get(paneStart);
        firstWindow = firstStart(time);
        lastWindow = window.lastStart(time);
    }

    private KeyTable paneAdded() {
        KeyTable added = windowing.table();
        panes.put(paneStart, added);
        pane = added;
        if (merged.tookPane(paneStart)) {
            merged.clear();
        }
        return added;
    }

    /** The key is made once more, here and below: so the one in hand goes nowhere, and the JIT need not make it. */
    private void changed(Object value) throws Exception {
        Object k = key.apply(value);
        merged.changed(k, hashes.of(k));
    }

    /** The record is late for the first of its windows. */
    private void late(Object value) throws Exception {
        if (late(lastWindow, frame.stamp)) {
            windowing.late(value, closed(lastWindow));
            return;
        }
        try {
            Object k = key.apply(value);
            int hash = hashes.of(k);
            for (long start = firstWindow; start <= lastWindow; start += window.stepMs()) {
                if (!late(start, frame.stamp)) {
                    KeyTable extra = table(extras, start);
                    adder.add(extra, windowing.entry(extra, k, hash), windowing.kept(value));
                }
            }
            update(value);
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
        }
    }

    /** The table at a start time; a new one if there is none. */
    private KeyTable table(Map<Long, KeyTable> tables, long start) {
        KeyTable table = tables.get(start);
        if (table == null) {
            table = windowing.table();
            tables.put(start, table);
        }
        return table;
    }

    private long firedBefore(Object k) {
        return firedBefore.isEmpty()
                ? NEVER
                : firedBefore.getOrDefault(
                        StableHash.keyGroup(windowing.state().key().hash(k)), NEVER);
    }

    private long firstStart(long time) {
        return (Math.floorDiv(time - window.sizeMs(), window.stepMs()) + 1) * window.stepMs();
    }

    private boolean late(long start, long stamp) {
        return closed(start) <= stamp;
    }

    private long closed(long start) {
        return WindowTimes.closed(start + window.sizeMs(), windowing.latenessMs());
    }

    /** Emits the results of the record's key again, in windows that have fired. */
    private void update(Object value) throws Exception {
        Object k = key.apply(value);
        int hash = hashes.of(k);
        long stamp = frame.stamp;
        long first = firstWindow;
        long last = Math.min(lastWindow, Math.max(lastFired, firedBefore(k)));
        for (long start = first; start <= last; start += window.stepMs()) {
            if (!late(start, stamp)) {
                update(start, k, hash, stamp);
            }
        }
    }

    private void update(long start, Object k, int hash, long stamp) throws Exception {
        Rows row = merged.newRow();
        long end = start + window.sizeMs();
        for (KeyTable part : panes.subMap(start, end).values()) {
            add(part, k, hash, row);
        }
        add(extras.get(start), k, hash, row);
        windowing.emit(k, start, end, row, 0, stamp);
    }

    /** Adds what a part of a window holds of a key, if anything. */
    private void add(@Nullable KeyTable part, Object k, int hash, Rows row) throws Exception {
        if (part == null) {
            return;
        }
        int entry = part.find(k, hash);
        if (entry >= 0) {
            windowing.layout().merge(row, 0, part, entry);
        }
    }

    @Override
    public boolean advance(long watermark) throws Exception {
        while (true) {
            if (!firing) {
                long start = nextStart();
                if (start == NEVER || WindowTimes.complete(start + window.sizeMs()) > watermark) {
                    break;
                }
                merged.begin(start, start + window.sizeMs(), panes);
                firing = true;
                firingStart = start;
                cursor = 0;
            }
            if (!fire()) {
                return false;
            }
            lastFired = firingStart;
            firing = false;
        }
        purge(watermark);
        return true;
    }

    /** First the keys that have records in panes, then those that have others only. */
    private boolean fire() throws Exception {
        KeyTable extra = extras.get(firingStart);
        int inPanes = merged.limit();
        int all = inPanes + (extra == null ? 0 : extra.size());
        while (cursor < all) {
            if (frame.pauses()) {
                return false;
            }
            int number = cursor++;
            if (number < inPanes) {
                fire(merged.merge(number), extra);
            } else if (extra != null) {
                Object k = extra.key(number - inPanes);
                if (!merged.holds(k, hashes.of(k))) {
                    merged.newRow();
                    fire(k, extra);
                }
            }
        }
        return true;
    }

    /** Emits what was merged from panes of a key, and what else there is. */
    private void fire(@Nullable Object k, @Nullable KeyTable extra) throws Exception {
        if (k == null || firingStart <= firedBefore(k)) {
            return;
        }
        Rows row = merged.row();
        if (extra != null) {
            add(extra, k, hashes.of(k), row);
        }
        windowing.fire(k, firingStart, firingStart + window.sizeMs(), row, 0);
    }

    /** Start of the first window after the last fired that holds anything; NEVER if there is none. */
    private long nextStart() {
        long from = lastFired == NEVER ? NEVER : lastFired + window.stepMs();
        long best = NEVER;
        Map.Entry<Long, KeyTable> pane = from == NEVER ? panes.firstEntry() : panes.ceilingEntry(from);
        if (pane != null) {
            best = Math.max(from, firstStart(pane.getKey()));
        }
        Long extra = from == NEVER ? (extras.isEmpty() ? null : extras.firstKey()) : extras.ceilingKey(from);
        return extra != null && (best == NEVER || extra < best) ? extra : best;
    }

    /** Forgets panes whose last window is over for good. */
    private void purge(long watermark) {
        while (!panes.isEmpty()) {
            long start = panes.firstKey();
            if (closed(window.lastStart(start)) > watermark) {
                break;
            }
            panes.pollFirstEntry();
            pane = start == paneStart ? null : pane;
        }
        if (panes.isEmpty()) {
            merged.clear();
        }
        while (!extras.isEmpty() && closed(extras.firstKey()) <= watermark) {
            extras.pollFirstEntry();
        }
    }

    @Override
    public void save(TaskState to) {
        to.declare(windowing.state().name(), windowing.state().format());
        save(panes, false, to);
        save(extras, true, to);
    }

    private void save(Map<Long, KeyTable> tables, boolean extra, TaskState to) {
        for (Map.Entry<Long, KeyTable> part : tables.entrySet()) {
            KeyTable table = part.getValue();
            for (int entry = 0; entry < table.size(); entry++) {
                ByteWriter out = windowing.state().entry(table.key(entry), to, frame.watermark);
                out.writeBoolean(extra);
                out.writeVarLong(part.getKey());
                windowing.accumulators().encode(table.read(entry), out);
            }
        }
    }

    @Override
    public void restore(Restored from) {
        KeyedState state = windowing.state();
        lastFired = lastFired(frame.watermark);
        Codec<Object> accumulators = windowing.accumulators(from);
        for (SavedState.Piece piece : state.pieces(from)) {
            ByteReader in = piece.in();
            long fired = lastFired(in.readLong());
            while (in.remaining() > 0) {
                Object ofKey = state.key(piece);
                Map<Long, KeyTable> tables = in.readBoolean() ? extras : panes;
                table(tables, in.readVarLong()).restore(ofKey, hashes.of(ofKey), accumulators.decode(in));
                if (fired > lastFired) {
                    firedBefore.put(StableHash.keyGroup(state.key().hash(ofKey)), fired);
                }
            }
        }
    }

    /** The last window that is over by a watermark. */
    private long lastFired(long watermark) {
        return watermark <= Long.MIN_VALUE + window.sizeMs()
                ? NEVER
                : Math.floorDiv(watermark + 1 - window.sizeMs(), window.stepMs()) * window.stepMs();
    }

    @Override
    public long windowsOpen() {
        long open = 0;
        for (Map.Entry<Long, KeyTable> pane : panes.entrySet()) {
            long last = window.lastStart(pane.getKey());
            if (last > lastFired) {
                open += pane.getValue().size();
            }
        }
        return open;
    }

    @Override
    public StateStats stateStats() {
        StateStats all = new StateStats(windowing.operator(), 0, merged.bytes());
        for (KeyTable pane : panes.values()) {
            all = windowing.plus(all, pane);
        }
        for (KeyTable extra : extras.values()) {
            all = windowing.plus(all, extra);
        }
        return all;
    }
}
