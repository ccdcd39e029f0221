// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The records of {@link Cell.Workload#GROUP_BY}. Every key comes about equally often, in an order without pattern; the first
 * measure is the record's number, the others are small.
 */
public final class GroupBy implements Serializable {
    /** Event time of a window. */
    public static final long WINDOW_MS = 1_000;

    private static final long serialVersionUID = 1L;

    /** How often the wall clock is read. */
    private static final long LOOK_EVERY = 256;

    private final int dimensions;
    private final int measures;
    private final int cardinality;
    private final long window;
    private final long emissionS;
    private long nowMs;

    public GroupBy(Cell cell) {
        dimensions = atLeastOne("dimensions", cell.dimensions());
        measures = atLeastOne("measures", cell.measures());
        cardinality = atLeastOne("cardinality", cell.cardinality());
        window = cell.window();
        emissionS = cell.emissionS();
    }

    private static int atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
        return value;
    }

    /** Event time of record n, in milliseconds from 0; by the wall clock, of the one source that asks for them in their order. */
    public long timeMs(long n) {
        return emissionS == 0 ? n * WINDOW_MS / window : wallMs(n);
    }

    private long wallMs(long n) {
        if (n % LOOK_EVERY == 0) {
            nowMs = Math.max(nowMs, System.currentTimeMillis() * WINDOW_MS / 1_000 / emissionS);
        }
        return nowMs;
    }

    /** The dimensions of record n, in an array of its own. The first one alone tells the keys apart. */
    public int[] dimensions(long n) {
        int key = (int) spread(n, cardinality);
        int[] values = new int[dimensions];
        values[0] = key;
        for (int i = 1; i < dimensions; i++) {
            values[i] = (key * 31 + i * 17) & 0xff;
        }
        return values;
    }

    /** The measures of record n, in an array of its own. */
    public long[] measures(long n) {
        long[] values = new long[measures];
        values[0] = n;
        for (int i = 1; i < measures; i++) {
            values[i] = (n + i) & 0xff;
        }
        return values;
    }

    /** A number from 0 to {@code below}, without a pattern in the order of n. */
    static long spread(long n, int below) {
        return Long.remainderUnsigned(mix(n), below);
    }

    /** Stafford's 13th variant of the MurmurHash3 finalizer, as in SplittableRandom. */
    private static long mix(long n) {
        long z = (n + 0x9e3779b97f4a7c15L);
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** All dimensions of a record, as a key; its hash is computed once. */
    public static final class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        private final int[] dimensions;
        private final int hash;

        /** Keeps the array; nobody may change it afterwards. */
        public Key(int[] dimensions) {
            this.dimensions = dimensions;
            this.hash = Arrays.hashCode(dimensions);
        }

        public int[] dimensions() {
            return dimensions;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.hash == hash && Arrays.equals(key.dimensions, dimensions);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
