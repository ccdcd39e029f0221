// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.MapFunction;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Stage;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Windows that follow each other without gap or overlap. Made by a specialiser. */
public final class TumblingStage implements Receiver, Stage {
    static final class Pane {
        final KeyTable table;
        boolean fired;

        Pane(KeyTable table) {
            this.table = table;
        }
    }

    private final Windowing windowing;
    private final Frame frame;
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

    /** Where firing had to stop. */
    private int cursor;

    private long keysOpen;

    public TumblingStage(Windowing windowing, long sizeMs) {
        this.windowing = windowing;
        frame = windowing.frame();
        key = windowing.key();
        adder = windowing.adder();
        latenessMs = windowing.latenessMs();
        this.sizeMs = sizeMs;
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
        if (currentEnd - 1 + latenessMs <= frame.stamp) {
            windowing.late(value);
            return;
        }
        Pane pane = current == null ? paneAdded() : current;
        KeyTable table = pane.table;
        int entry;
        try {
            int before = table.size();
            entry = windowing.entry(table, value, k, KeyTable.hash(k));
            if (!pane.fired) {
                keysOpen += table.size() - before;
            }
            adder.add(table.holder(entry), table.at(entry), windowing.kept(value));
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        if (pane.fired) {
            windowing.emit(key.apply(value), currentStart, currentEnd, table.read(entry), frame.stamp);
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
            if (end - 1 > watermark) {
                break;
            }
            Pane pane = entry.getValue();
            if (!pane.fired && !fire(pane.table, start, end)) {
                return false;
            }
            pane.fired = true;
        }
        while (!panes.isEmpty() && panes.firstKey() + sizeMs - 1 + latenessMs <= watermark) {
            if (panes.pollFirstEntry().getValue() == current) {
                current = null;
            }
        }
        return true;
    }

    private boolean fire(KeyTable table, long start, long end) throws Exception {
        while (cursor < table.size()) {
            if (frame.blocked) {
                return false;
            }
            int entry = cursor++;
            keysOpen--;
            windowing.fire(table.key(entry), start, end, table.read(entry));
        }
        cursor = 0;
        return true;
    }

    @Override
    public long windowsOpen() {
        return keysOpen;
    }
}
