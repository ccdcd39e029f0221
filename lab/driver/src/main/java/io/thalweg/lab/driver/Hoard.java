// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

/**
 * Memory that one relay task keeps alive and keeps replacing, so that the heap runs short: {@link Cell#hoard}. One thread uses
 * it.
 */
public final class Hoard {
    private static final int SMALLEST = 1 << 10;
    private static final int LARGEST = 1 << 16;

    private final byte[][] kept;
    private int next;

    /** Keeps about so many bytes, in arrays of 1 to 64 KiB, each size as often as the others. */
    public Hoard(long bytes) {
        kept = new byte[(int) (bytes * 2 / (SMALLEST + LARGEST))][];
        for (int i = 0; i < kept.length; i++) {
            replace();
        }
    }

    /** Lets go of the oldest array and keeps a new one. */
    public void replace() {
        if (kept.length > 0) {
            kept[next] = new byte[SMALLEST * (1 + next % (LARGEST / SMALLEST))];
            next = next + 1 == kept.length ? 0 : next + 1;
        }
    }
}
