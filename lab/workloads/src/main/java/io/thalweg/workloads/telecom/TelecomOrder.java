// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

/**
 * The order in which one split emits its records, as a function from a step to a record, so that a reader can start
 * anywhere. Some steps are empty: they hold a record that is held back, or one past the last.
 *
 * <p>Without late records step s is the s-th place in the split's blocks. With them each window takes a place for each of
 * its records and then one for each record held back of an earlier window.
 */
final class TelecomOrder {
    static final long EMPTY = -1;

    /** Splits take turns of as many records, if a window is not shorter and the blocks of disorder are not longer. */
    private static final int LOG2_TURN = 10;

    private final TelecomSettings settings;
    private final TelecomSize size;
    private final int split;
    private final int splits;
    private final int log2Turn;
    private final long stepsOfWindow;

    /** @param split from 0 to {@code splits - 1} */
    TelecomOrder(TelecomSettings settings, int split, int splits) {
        this.settings = settings;
        this.size = settings.size();
        this.split = split;
        this.splits = splits;
        long records = size.windowRecords();
        this.stepsOfWindow = settings.late() == 0 ? records : records + records / settings.late();
        this.log2Turn = Math.max(settings.disorder(), Math.min(LOG2_TURN, size.log2WindowRecords()));
    }

    /** One past the last step that may have a record. */
    long steps() {
        if (settings.late() != 0) {
            return settings.windows() * stepsOfWindow;
        }
        long turns = (settings.records() + (1L << log2Turn) - 1) >>> log2Turn;
        long own = turns / splits + (split < turns % splits ? 1 : 0);
        return own << log2Turn;
    }

    /** The record that has its place at a step, held back or not; EMPTY if there is none. */
    long recordAt(long step) {
        if (settings.late() == 0) {
            long turn = (step >>> log2Turn) * splits + split;
            return existing(disordered((turn << log2Turn) | (step & ((1L << log2Turn) - 1))));
        }
        long window = step / stepsOfWindow;
        long inWindow = step % stepsOfWindow;
        if (inWindow < size.windowRecords()) {
            return existing(disordered(window * size.windowRecords() + inWindow));
        }
        long from = window - settings.windowsHeldBack();
        long nth = inWindow - size.windowRecords();
        return from < 0 ? EMPTY : from * size.windowRecords() + (nth + 1) * settings.late() - 1;
    }

    /** True for the steps after a window's own, at which records held back of an earlier window come. */
    boolean late(long step) {
        return settings.late() != 0 && step % stepsOfWindow >= size.windowRecords();
    }

    /** True if the record of a step is emitted there. */
    boolean emits(long step, long record) {
        return record != EMPTY && (late(step) || !settings.heldBack(record));
    }

    /** Reverses the lowest k bits: blocks stay, and their records come in another order. */
    private long disordered(long place) {
        int bits = settings.disorder();
        if (bits == 0) {
            return place;
        }
        long low = (1L << bits) - 1;
        return (place & ~low) | (Long.reverse(place & low) >>> (Long.SIZE - bits));
    }

    private long existing(long record) {
        return record < settings.records() ? record : EMPTY;
    }
}
