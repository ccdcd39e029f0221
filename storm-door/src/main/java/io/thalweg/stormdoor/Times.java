// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/** How long something took, each time. Any thread may read. */
final class Times {
    private static final long LONGEST_US = 3_600_000_000L;
    private static final int DIGITS = 2;
    private static final double NS_PER_MS = 1_000_000;
    private static final double US_PER_MS = 1_000;
    private static final double P90 = 90;
    private static final double P99 = 99;
    private static final double P999 = 99.9;

    /** Up to {@code 2 << BITS} each microsecond has a slot; above that this many bits behind the first decide, less than one part in a hundred. */
    private static final int BITS = 7;

    private static final int SLOTS = slot(LONGEST_US) + 1;

    private final AtomicLong sumNs = new AtomicLong();
    private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

    /** Any thread. */
    void add(long ns) {
        sumNs.getAndAdd(ns);
        slots.getAndIncrement(slotOf(ns));
    }

    /** One thread at a time, and none that calls {@link #add}: without atomic operations. */
    void addAlone(long ns) {
        sumNs.setOpaque(sumNs.getPlain() + ns);
        int slot = slotOf(ns);
        slots.setOpaque(slot, slots.getPlain(slot) + 1);
    }

    void add(Times others) {
        sumNs.getAndAdd(others.sumNs());
        for (int i = 0; i < SLOTS; i++) {
            slots.getAndAdd(i, others.slots.getOpaque(i));
        }
    }

    long sumNs() {
        return sumNs.getOpaque();
    }

    /** 0 if there is none. */
    double meanNs() {
        long times = 0;
        for (int i = 0; i < SLOTS; i++) {
            times += slots.getOpaque(i);
        }
        return times == 0 ? 0 : (double) sumNs() / (double) times;
    }

    private static int slotOf(long ns) {
        return slot(Math.min(LONGEST_US, Math.max(0, ns / 1_000)));
    }

    private static int slot(long us) {
        int shift = Math.max(0, Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(us | 1));
        return (shift << BITS) + (int) (us >> shift);
    }

    /** The least time of a slot. */
    private static long usOf(int slot) {
        int shift = Math.max(0, (slot >> BITS) - 1);
        return (long) (slot - (shift << BITS)) << shift;
    }

    private Histogram histogram() {
        Histogram us = new Histogram(LONGEST_US, DIGITS);
        for (int i = 0; i < SLOTS; i++) {
            long times = slots.getOpaque(i);
            if (times > 0) {
                us.recordValueWithCount(usOf(i), times);
            }
        }
        return us;
    }

    ComponentStats.Latency latency() {
        Histogram us = histogram();
        long times = us.getTotalCount();
        return times == 0
                ? ComponentStats.Latency.NONE
                : new ComponentStats.Latency(
                        times,
                        (double) sumNs() / NS_PER_MS / (double) times,
                        us.getValueAtPercentile(50) / US_PER_MS,
                        us.getValueAtPercentile(P90) / US_PER_MS,
                        us.getValueAtPercentile(P99) / US_PER_MS,
                        us.getValueAtPercentile(P999) / US_PER_MS,
                        us.getMaxValue() / US_PER_MS);
    }
}
