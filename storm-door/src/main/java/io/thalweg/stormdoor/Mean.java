// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.concurrent.atomic.LongAdder;

/** How long something took on average. Any thread may add and read. */
final class Mean {
    private static final double NS_PER_MS = 1_000_000;

    private final LongAdder sumNs = new LongAdder();
    private final LongAdder times = new LongAdder();

    void add(long ns) {
        sumNs.add(ns);
        times.increment();
    }

    boolean isKnown() {
        return times.sum() > 0;
    }

    /** NaN if it is not known. */
    double ms() {
        return (double) sumNs.sum() / NS_PER_MS / (double) times.sum();
    }
}
