// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.window.WindowResult;
import java.util.Arrays;

/** Group-by as one writes it by hand for one query: keys and sums side by side in flat arrays, open addressing. */
final class FlatTable {
    private static final int DIMENSIONS = 6;
    private static final int SUMS = 4;

    private int[] keys = new int[1 << 14];
    private long[] sums = new long[1 << 14];

    /** Entry number + 1 by slot; 0 if the slot is free. */
    private int[] slots = new int[1 << 11];

    private int size;

    void add(Measured m) {
        int mask = slots.length - 1;
        int slot = hash(m.a(), m.b(), m.c(), m.d(), m.e(), m.f()) & mask;
        int entry = slots[slot] - 1;
        while (entry >= 0 && !holds(entry, m)) {
            slot = (slot + 1) & mask;
            entry = slots[slot] - 1;
        }
        if (entry < 0) {
            entry = insert(slot, m);
        }
        int at = entry * SUMS;
        sums[at] = Math.addExact(sums[at], m.p());
        sums[at + 1] = Math.addExact(sums[at + 1], m.q());
        sums[at + 2] = Math.addExact(sums[at + 2], m.r());
        sums[at + 3] = Math.addExact(sums[at + 3], m.s());
    }

    private boolean holds(int entry, Measured m) {
        int at = entry * DIMENSIONS;
        return keys[at] == m.a()
                && keys[at + 1] == m.b()
                && keys[at + 2] == m.c()
                && keys[at + 3] == m.d()
                && keys[at + 4] == m.e()
                && keys[at + 5] == m.f();
    }

    private int insert(int slot, Measured m) {
        int entry = size++;
        slots[slot] = entry + 1;
        if (keys.length < (size + 1) * DIMENSIONS) {
            keys = Arrays.copyOf(keys, keys.length * 2);
        }
        if (sums.length < (size + 1) * SUMS) {
            sums = Arrays.copyOf(sums, sums.length * 2);
        }
        int at = entry * DIMENSIONS;
        keys[at] = m.a();
        keys[at + 1] = m.b();
        keys[at + 2] = m.c();
        keys[at + 3] = m.d();
        keys[at + 4] = m.e();
        keys[at + 5] = m.f();
        if (size * 2 > slots.length) {
            rehash();
        }
        return entry;
    }

    private void rehash() {
        slots = new int[slots.length * 2];
        int mask = slots.length - 1;
        for (int entry = 0; entry < size; entry++) {
            int at = entry * DIMENSIONS;
            int slot = hash(keys[at], keys[at + 1], keys[at + 2], keys[at + 3], keys[at + 4], keys[at + 5]) & mask;
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry + 1;
        }
    }

    private static int hash(int a, int b, int c, int d, int e, int f) {
        long h = ((((a * 31L + b) * 31 + c) * 31 + d) * 31 + e) * 31 + f;
        h *= 0x9E3779B97F4A7C15L;
        return (int) (h >>> 32);
    }

    /** Hands all groups on as the results of a window, and forgets them. */
    void fire(long start, long end, SumsDigest.Writer to) {
        for (int entry = 0; entry < size; entry++) {
            int k = entry * DIMENSIONS;
            int s = entry * SUMS;
            to.write(new WindowResult<>(
                    new Measured.Key(keys[k], keys[k + 1], keys[k + 2], keys[k + 3], keys[k + 4], keys[k + 5]),
                    start,
                    end,
                    new Measured.Sums(sums[s], sums[s + 1], sums[s + 2], sums[s + 3])));
        }
        Arrays.fill(slots, 0);
        Arrays.fill(sums, 0);
        size = 0;
    }
}
