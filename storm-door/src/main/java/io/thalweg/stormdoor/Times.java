// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How long something took, each time. Any thread may add. */
final class Times {
    private static final long LONGEST_US = 3_600_000_000L;
    private static final int DIGITS = 2;
    private static final double NS_PER_MS = 1_000_000;
    private static final double US_PER_MS = 1_000;
    private static final double P90 = 90;
    private static final double P99 = 99;
    private static final double P999 = 99.9;

    private final LongAdder count = new LongAdder();
    private final LongAdder sumNs = new LongAdder();
    private final Histogram us = new ConcurrentHistogram(LONGEST_US, DIGITS);

    void add(long ns) {
        count.increment();
        sumNs.add(ns);
        us.recordValue(Math.min(LONGEST_US, Math.max(0, ns / 1_000)));
    }

    void add(Times others) {
        count.add(others.count.sum());
        sumNs.add(others.sumNs.sum());
        us.add(others.us);
    }

    long sumNs() {
        return sumNs.sum();
    }

    ComponentStats.Latency latency() {
        long times = count.sum();
        return times == 0
                ? ComponentStats.Latency.NONE
                : new ComponentStats.Latency(
                        times,
                        (double) sumNs.sum() / NS_PER_MS / (double) times,
                        us.getValueAtPercentile(50) / US_PER_MS,
                        us.getValueAtPercentile(P90) / US_PER_MS,
                        us.getValueAtPercentile(P99) / US_PER_MS,
                        us.getValueAtPercentile(P999) / US_PER_MS,
                        us.getMaxValue() / US_PER_MS);
    }
}
