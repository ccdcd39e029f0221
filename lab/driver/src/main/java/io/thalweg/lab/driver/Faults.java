// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

/**
 * Slowness planted in one relay task on purpose, so that the lab can show that it would be seen: {@link Cell#stallMs} and
 * {@link Cell#slowdownPercent}. One thread uses it.
 */
public final class Faults {
    private static final int RECORDS = 256;

    private final long stallNs;
    private final double share;
    private int sinceLook;
    private long lastLookNs = System.nanoTime();
    private long nextStallNs = lastLookNs + 1_000_000_000;

    public Faults(Cell cell) {
        stallNs = cell.stallMs() * 1_000_000;
        share = cell.slowdownPercent() / (100.0 - cell.slowdownPercent());
    }

    /** Called once for each record. */
    public void afterRecord() {
        if (stallNs > 0 && System.nanoTime() - nextStallNs >= 0) {
            spin(stallNs);
            nextStallNs = System.nanoTime() + 1_000_000_000;
        }
        if (share > 0 && ++sinceLook == RECORDS) {
            sinceLook = 0;
            spin((long) ((System.nanoTime() - lastLookNs) * share));
            lastLookNs = System.nanoTime();
        }
    }

    private static void spin(long ns) {
        long until = System.nanoTime() + ns;
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
    }
}
