// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.GroupBy;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.SinkMeter;
import java.util.Arrays;

/** Sums of measures grouped by dimensions in windows of event time: a table in flat arrays, with open addressing. */
final class Groups {
    /** A record to group. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Fact(long timeMs, int[] dimensions, long[] measures) {}

    private final GroupBy data;
    private final SinkMeter sink;
    private final int dimensions;

    /** Count, then the sum of each measure. */
    private final int sumsPerGroup;

    private int[] slots = new int[1 << 11];
    private int[] keys;
    private long[] sums;
    private int size;
    private long startMs;

    Groups(Cell cell, SinkMeter sink) {
        this.sink = sink;
        data = new GroupBy(cell);
        dimensions = cell.dimensions();
        sumsPerGroup = 1 + cell.measures();
        keys = new int[1024 * dimensions];
        sums = new long[1024 * sumsPerGroup];
    }

    void loop(Load load) {
        while (!load.ended()) {
            if (load.due()) {
                add(fact(load));
            } else {
                load.idle();
            }
        }
    }

    Fact fact(Load load) {
        long n = load.take();
        return new Fact(data.timeMs(n), data.dimensions(n), data.measures(n));
    }

    void add(Fact fact) {
        if (fact.timeMs - startMs >= GroupBy.WINDOW_MS) {
            fire();
            startMs = fact.timeMs / GroupBy.WINDOW_MS * GroupBy.WINDOW_MS;
        }
        int mask = slots.length - 1;
        int slot = hash(fact.dimensions, 0, dimensions) & mask;
        int entry = slots[slot] - 1;
        while (entry >= 0 && !holds(entry, fact.dimensions)) {
            slot = (slot + 1) & mask;
            entry = slots[slot] - 1;
        }
        if (entry < 0) {
            entry = insert(slot, fact.dimensions);
        }
        int at = entry * sumsPerGroup;
        sums[at]++;
        long[] added = fact.measures;
        for (int i = 0; i < added.length; i++) {
            sums[at + 1 + i] += added[i];
        }
    }

    private boolean holds(int entry, int[] key) {
        int at = entry * dimensions;
        for (int i = 0; i < key.length; i++) {
            if (keys[at + i] != key[i]) {
                return false;
            }
        }
        return true;
    }

    private int insert(int slot, int[] key) {
        int entry = size++;
        slots[slot] = entry + 1;
        if (keys.length < size * dimensions) {
            keys = Arrays.copyOf(keys, 2 * keys.length);
            sums = Arrays.copyOf(sums, 2 * sums.length);
        }
        System.arraycopy(key, 0, keys, entry * dimensions, dimensions);
        if (2 * size > slots.length) {
            rehash();
        }
        return entry;
    }

    private void rehash() {
        slots = new int[2 * slots.length];
        int mask = slots.length - 1;
        for (int entry = 0; entry < size; entry++) {
            int slot = hash(keys, entry * dimensions, dimensions) & mask;
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry + 1;
        }
    }

    private static int hash(int[] values, int from, int count) {
        long h = 0;
        for (int i = from; i < from + count; i++) {
            h = h * 31 + values[i];
        }
        return (int) ((h * 0x9e3779b97f4a7c15L) >>> 32);
    }

    /** Hands on the rows of the window, each with arrays of its own, and forgets them. */
    void fire() {
        for (int entry = 0; entry < size; entry++) {
            int[] key = Arrays.copyOfRange(keys, entry * dimensions, (entry + 1) * dimensions);
            long[] row = Arrays.copyOfRange(sums, entry * sumsPerGroup, (entry + 1) * sumsPerGroup);
            sink.receivedRow(row[0], row[1]);
            sink.group(startMs, key, row);
        }
        Arrays.fill(slots, 0);
        Arrays.fill(sums, 0, size * sumsPerGroup, 0);
        size = 0;
    }
}
