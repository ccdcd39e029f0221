// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.connector.SourceContext;

/**
 * When records are due at a steady rate: the n-th one at start + n / rate. Due times never move: after a stall all that is
 * overdue is due at once.
 */
final class DueTimes {
    private static final long SECOND_NS = 1_000_000_000L;

    private final SourceContext context;
    private final long ratePerSecond;
    private final int splits;
    private long startNs;
    private long count;
    private long nowNs;
    private long nextNs;

    /** @param splits how many share the rate */
    DueTimes(SourceContext context, long ratePerSecond, int splits) {
        this.context = context;
        this.ratePerSecond = ratePerSecond;
        this.splits = splits;
    }

    /** True if the next record is due; the first call starts the time. */
    boolean due() {
        if (count == 0 && nextNs == 0) {
            startNs = context.nowNs();
            nowNs = startNs;
            nextNs = startNs;
        }
        if (nowNs - nextNs < 0) {
            nowNs = context.nowNs(); // read only when what was known says no, so that catching up costs no reads
        }
        return nowNs - nextNs >= 0;
    }

    /** When the next record is due; 0 before time has started. */
    long nextNs() {
        return nextNs;
    }

    /** Takes the next record. */
    void take() {
        count++;
        long shares = count * splits;
        nextNs = startNs + shares / ratePerSecond * SECOND_NS + shares % ratePerSecond * SECOND_NS / ratePerSecond;
    }
}
