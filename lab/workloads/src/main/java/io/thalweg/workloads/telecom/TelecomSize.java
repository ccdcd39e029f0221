// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;

/**
 * How much there is of everything. A window of five minutes holds {@code cycles} cycles; a cycle is a permutation of
 * {@code slots} slots, shared out among the profiles, so that each profile comes equally often in every window.
 *
 * @param slots records of one cycle, a power of two
 * @param profiles distinct profiles, that is, distinct rows of dimensions; at most {@code slots}
 * @param cycles cycles of one window, a power of two
 */
public record TelecomSize(String name, int slots, int profiles, int cycles) implements Serializable {
    /** 65,536 records a window, 1,000 profiles. */
    public static final TelecomSize SMALL = new TelecomSize("small", 1 << 12, 1_000, 16);

    /** 1,048,576 records a window, 50,000 profiles. */
    public static final TelecomSize TYPICAL = new TelecomSize("typical", 1 << 17, 50_000, 8);

    /** 1,048,576 records a window, no two of one profile. */
    public static final TelecomSize WORST = new TelecomSize("worst", 1 << 20, 1 << 20, 1);

    /** Length of a window, in event time. */
    public static final long WINDOW_MS = 300_000;

    /** Start of the first window: 2025-01-01T00:00:00Z. */
    public static final long FIRST_WINDOW_MS = 1_735_689_600_000L;

    public TelecomSize {
        if (Integer.bitCount(slots) != 1 || slots < 1 || Integer.bitCount(cycles) != 1 || cycles < 1) {
            throw new IllegalArgumentException("slots and cycles must be powers of two, not " + slots + ", " + cycles);
        }
        if (profiles < 1 || profiles > slots) {
            throw new IllegalArgumentException("profiles must be from 1 to " + slots + ", not " + profiles);
        }
        if ((long) slots * cycles > 1 << 30) {
            throw new IllegalArgumentException("a window holds at most " + (1 << 30) + " records");
        }
    }

    /** @param name small, typical or worst */
    public static TelecomSize named(String name) {
        for (TelecomSize size : List.of(SMALL, TYPICAL, WORST)) {
            if (size.name.equals(name.toLowerCase(Locale.ROOT))) {
                return size;
            }
        }
        throw new IllegalArgumentException("size must be small, typical or worst, not '" + name + "'");
    }

    public int windowRecords() {
        return slots * cycles;
    }

    int log2Slots() {
        return Integer.numberOfTrailingZeros(slots);
    }

    int log2Cycles() {
        return Integer.numberOfTrailingZeros(cycles);
    }

    int log2WindowRecords() {
        return log2Slots() + log2Cycles();
    }

    /** The window, from 0, that record {@code i} lies in. */
    long windowOf(long i) {
        return i >>> log2WindowRecords();
    }

    /** The cycle, counted from the first window on, that record {@code i} lies in. */
    long cycleOf(long i) {
        return i >>> log2Slots();
    }

    static long windowStartMs(long window) {
        return FIRST_WINDOW_MS + WINDOW_MS * window;
    }

    /** Event time of record {@code i}: it never falls as {@code i} grows. */
    long timeMs(long i) {
        long inWindow = i & (windowRecords() - 1);
        return windowStartMs(windowOf(i)) + ((WINDOW_MS * inWindow) >>> log2WindowRecords());
    }
}
