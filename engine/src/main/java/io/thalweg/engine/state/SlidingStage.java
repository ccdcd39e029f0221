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
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Windows that overlap or leave gaps. A record is added once, to the pane it falls in; panes are as long as the greatest
 * common divisor of size and step, and a window is merged from its panes when it fires. A record that is late for some
 * of its windows is added to each of the others by itself, so that what a window holds depends on stamps alone.
 */
public final class SlidingStage implements Receiver, Stage {
    private static final long NEVER = Long.MIN_VALUE;

    private final Windowing windowing;
    private final Frame frame;
    private final MapFunction<Object, Object> key;
    private final Adder adder;
    private final WindowSpec.Aligned window;
    private final long paneMs;
    private final TreeMap<Long, KeyTable> panes = new TreeMap<>();

    /** By start of window: what partly late records added. */
    private final TreeMap<Long, KeyTable> extras = new TreeMap<>();

    private long currentPane = NEVER;
    private @Nullable KeyTable current;

    /** Start of the window that fired last. */
    private long lastFired = NEVER;

    /** By key group, if a job goes on whose tasks had come to different times: the window that fired last before that. */
    private final Map<Integer, Long> firedBefore = new HashMap<>();

    private @Nullable KeyTable firing;
    private long firingStart;
    private int cursor;

    public record Parts(Windowing windowing, WindowSpec.Aligned window) implements Specialiser.Parts<Receiver> {
        @Override
        public Class<SlidingStage> type() {
            return SlidingStage.class;
        }
    }

    SlidingStage(Parts parts) {
        windowing = parts.windowing();
        window = parts.window();
        frame = windowing.frame();
        key = windowing.key();
        adder = windowing.adder();
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
        if (windowing.timeless(value)) {
            return;
        }
        long time = frame.time;
        long stamp = frame.stamp;
        long last = window.lastStart(time);
        if (time >= last + window.sizeMs()) {
            return; // between two windows
        }
        long first = firstStart(time);
        if (late(last, stamp)) {
            windowing.late(value);
            return;
        }
        try {
            int hash = KeyTable.hash(k);
            if (late(first, stamp)) {
                for (long start = first; start <= last; start += window.stepMs()) {
                    if (!late(start, stamp)) {
                        add(table(extras, start), k, hash, value);
                    }
                }
            } else {
                add(pane(time), k, hash, value);
            }
            long fired = Math.max(lastFired, firedBefore(k));
            for (long start = first; start <= last && start <= fired; start += window.stepMs()) {
                if (!late(start, stamp)) {
                    update(start, k, hash, stamp);
                }
            }
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
        }
    }

    private void add(KeyTable table, Object k, int hash, Object value) throws Exception {
        int entry = windowing.entry(table, k, hash);
        adder.add(table, entry, windowing.kept(value));
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

    private KeyTable pane(long time) {
        long start = Math.floorDiv(time, paneMs) * paneMs;
        KeyTable pane = current;
        if (pane == null || start != currentPane) {
            pane = table(panes, start);
            current = pane;
            currentPane = start;
        }
        return pane;
    }

    private long firstStart(long time) {
        return (Math.floorDiv(time - window.sizeMs(), window.stepMs()) + 1) * window.stepMs();
    }

    private boolean late(long start, long stamp) {
        return start + window.sizeMs() - 1 + windowing.latenessMs() <= stamp;
    }

    /** Emits the result of one key again, in a window that has fired. */
    private void update(long start, Object k, int hash, long stamp) throws Exception {
        KeyTable merged = windowing.table();
        for (KeyTable part : parts(start)) {
            int entry = part.find(k, hash);
            if (entry >= 0) {
                windowing.merge(merged, part, entry);
            }
        }
        windowing.emit(k, start, start + window.sizeMs(), merged, 0, stamp);
    }

    private Iterable<KeyTable> parts(long start) {
        java.util.List<KeyTable> parts = new java.util.ArrayList<>(
                panes.subMap(start, start + window.sizeMs()).values());
        KeyTable extra = extras.get(start);
        if (extra != null) {
            parts.add(extra);
        }
        return parts;
    }

    @Override
    public boolean advance(long watermark) throws Exception {
        while (true) {
            KeyTable table = firing;
            if (table == null) {
                long start = nextStart();
                if (start == NEVER || start + window.sizeMs() - 1 > watermark) {
                    break;
                }
                table = windowing.table();
                for (KeyTable part : parts(start)) {
                    for (int entry = 0; entry < part.size(); entry++) {
                        windowing.merge(table, part, entry);
                    }
                }
                firing = table;
                firingStart = start;
                cursor = 0;
            }
            if (!fire(table)) {
                return false;
            }
            lastFired = firingStart;
            firing = null;
        }
        purge(watermark);
        return true;
    }

    private boolean fire(KeyTable table) throws Exception {
        long end = firingStart + window.sizeMs();
        while (cursor < table.size()) {
            if (frame.blocked) {
                return false;
            }
            int entry = cursor++;
            if (firingStart > firedBefore(table.key(entry))) {
                windowing.fire(table.key(entry), firingStart, end, table, entry);
            }
        }
        return true;
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
            if (window.lastStart(start) + window.sizeMs() - 1 + windowing.latenessMs() > watermark) {
                break;
            }
            panes.pollFirstEntry();
            current = null;
        }
        while (!extras.isEmpty() && extras.firstKey() + window.sizeMs() - 1 + windowing.latenessMs() <= watermark) {
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
                table(tables, in.readVarLong()).restore(ofKey, accumulators.decode(in));
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
        StateStats all = new StateStats(windowing.operator(), 0, 0);
        for (KeyTable pane : panes.values()) {
            all = windowing.plus(all, pane);
        }
        for (KeyTable extra : extras.values()) {
            all = windowing.plus(all, extra);
        }
        return firing == null ? all : windowing.plus(all, firing);
    }
}
