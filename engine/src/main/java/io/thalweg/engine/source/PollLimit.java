// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

/** How many records a source task polls in one turn: enough to make up for its overhead, but not so many that it gets long. */
final class PollLimit {
    static final int GREATEST = 65_536;
    static final int FIRST = 256;
    static final int LEAST = 8;
    static final long SHORT_TURN_NS = 200_000;
    static final long LONG_TURN_NS = 1_000_000;

    private final boolean fixed;
    private int records;

    /** @param step a fixed number; 0 to adapt it to how long turns take */
    PollLimit(int step) {
        fixed = step > 0;
        records = fixed ? step : FIRST;
    }

    int records() {
        return records;
    }

    /** A turn that polled records has ended. */
    void onTurn(boolean full, long tookNs) {
        if (fixed) {
            return;
        }
        if (full && tookNs < SHORT_TURN_NS) {
            records = Math.min(GREATEST, records * 2);
        } else if (tookNs > LONG_TURN_NS) {
            records = Math.max(LEAST, records / 2);
        }
    }
}
