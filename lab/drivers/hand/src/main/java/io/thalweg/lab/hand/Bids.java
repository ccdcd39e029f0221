// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import io.thalweg.lab.driver.Bid;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.SinkMeter;
import java.util.Arrays;

/** Count, sum and greatest of the records of each key in tumbling windows of event time: a table in flat arrays. */
final class Bids {
    private static final int FIRST_SLOTS = 1 << 11;
    private static final int FIGURES = 3;

    private final Bid.Maker maker;
    private final SinkMeter sink;
    private final long sizeMs;

    private int[] slots = new int[FIRST_SLOTS];
    private long[] keys = new long[FIRST_SLOTS / 2];
    private long[] figures = new long[FIGURES * FIRST_SLOTS / 2];
    private int size;
    private long startMs;

    Bids(Cell cell, SinkMeter sink) {
        this.sink = sink;
        maker = new Bid.Maker(cell);
        sizeMs = cell.sizeMs();
    }

    void loop(Load load) {
        while (!load.ended()) {
            if (load.due()) {
                add(make(load));
            } else {
                load.idle();
            }
        }
    }

    Bid make(Load load) {
        return maker.make(load.take());
    }

    void add(Bid bid) {
        if (bid.timeMs() - startMs >= sizeMs) {
            fire();
            startMs = bid.timeMs() / sizeMs * sizeMs;
        }
        int mask = slots.length - 1;
        int slot = hash(bid.key()) & mask;
        int entry = slots[slot] - 1;
        while (entry >= 0 && keys[entry] != bid.key()) {
            slot = (slot + 1) & mask;
            entry = slots[slot] - 1;
        }
        if (entry < 0) {
            entry = insert(slot, bid.key());
        }
        int at = entry * FIGURES;
        figures[at]++;
        figures[at + 1] += bid.number();
        figures[at + 2] = Math.max(figures[at + 2], bid.number());
    }

    private int insert(int slot, long key) {
        int entry = size++;
        slots[slot] = entry + 1;
        if (keys.length < size) {
            keys = Arrays.copyOf(keys, 2 * keys.length);
            figures = Arrays.copyOf(figures, 2 * figures.length);
        }
        keys[entry] = key;
        if (2 * size > slots.length) {
            slots = new int[2 * slots.length];
            for (int each = 0; each < size; each++) {
                int at = hash(keys[each]) & (slots.length - 1);
                while (slots[at] != 0) {
                    at = (at + 1) & (slots.length - 1);
                }
                slots[at] = each + 1;
            }
        }
        return entry;
    }

    private static int hash(long key) {
        return (int) ((key * 0x9e3779b97f4a7c15L) >>> 32);
    }

    private record Row(long key, long count, long sum, long greatest) {}

    /** Hands on the rows of the window, each an object of its own, and forgets them. */
    void fire() {
        for (int entry = 0; entry < size; entry++) {
            int at = entry * FIGURES;
            Row row = new Row(keys[entry], figures[at], figures[at + 1], figures[at + 2]);
            sink.receivedRow(row.count, row.sum);
            sink.window(startMs, row.key, row.count, row.sum, row.greatest);
        }
        Arrays.fill(slots, 0);
        Arrays.fill(figures, 0, size * FIGURES, 0);
        size = 0;
    }
}
