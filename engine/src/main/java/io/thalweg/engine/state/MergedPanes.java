// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * What the panes of a sliding window come to, by key, kept from one window to the next. A pane is looked through once, when the
 * first window that holds it fires: each of its entries becomes a cell of its key. For aggregates whose merging is associative the
 * cells of a key are two stacks: a cell of the front holds what it and all later ones of the front come to, and the row of the
 * key what the cells behind the front come to, so that a window is merged from two accumulators. When the front is used up,
 * the cells behind it become the front. Other aggregates are merged from all cells, each time in the order of the panes.
 *
 * <p>Panes themselves stay as they are: they are what a checkpoint holds.
 */
final class MergedPanes {
    private static final int NONE = -1;
    private static final int FIRST_CAPACITY = 16;

    private final KeyHash hashes;
    private final Layout layout;
    private final Layout stacked;
    private final Layout others;

    private KeyNumbers keys = new KeyNumbers();
    private OfKeys ofKeys;
    private Cells cells;
    private final Row row;

    /** The panes of the window, numbered on and on; where one stands follows from the last bits of its number. */
    private @Nullable KeyTable[] panes = new KeyTable[FIRST_CAPACITY];

    private long[] starts = new long[FIRST_CAPACITY];
    private int firstPane;
    private int nextPane;

    /** Panes that begin before this have been taken; exclusive. */
    private long takenTo = Long.MIN_VALUE;

    /** The cells of one key, while they become its front. */
    private int[] inOrder = new int[FIRST_CAPACITY];

    MergedPanes(Layout layout, KeyHash hashes) {
        this.hashes = hashes;
        this.layout = layout;
        stacked = layout.associative();
        others = layout.notAssociative();
        ofKeys = new OfKeys(stacked);
        cells = new Cells(stacked);
        row = new Row(layout);
    }

    /** The cells of a key, and what those behind its front come to. */
    private static final class OfKeys extends Rows {
        /** The first cell in the upper half, the last in the lower. */
        private static final int ENDS = 0;

        /** The last cell of the front in the upper half, flags in the lower. */
        private static final int FRONT = 1;

        /** A pane that was taken has got more records of the key. */
        private static final long CHANGED = 1;

        /** Accumulators of the key cannot be merged in this order: each window is merged from all cells. */
        private static final long UNSTACKED = 2;

        OfKeys(Layout layout) {
            super(layout, 2, 0);
        }

        /** No cells. */
        void begin(int key) {
            reserve(key);
            create(key);
            ends(key, NONE, NONE);
            longs[row(key) + FRONT] = pair(NONE, 0);
        }

        int first(int key) {
            return (int) (longs[row(key) + ENDS] >>> 32);
        }

        int last(int key) {
            return (int) longs[row(key) + ENDS];
        }

        void ends(int key, int first, int last) {
            longs[row(key) + ENDS] = pair(first, last);
        }

        int lastOfFront(int key) {
            return (int) (longs[row(key) + FRONT] >>> 32);
        }

        void lastOfFront(int key, int cell) {
            longs[row(key) + FRONT] = pair(cell, (int) longs[row(key) + FRONT]);
        }

        boolean changed(int key) {
            return (longs[row(key) + FRONT] & CHANGED) != 0;
        }

        void setChanged(int key) {
            longs[row(key) + FRONT] |= CHANGED;
        }

        boolean unstacked(int key) {
            return (longs[row(key) + FRONT] & UNSTACKED) != 0;
        }

        void setUnstacked(int key) {
            longs[row(key) + FRONT] |= UNSTACKED;
        }
    }

    /** Entries of panes; those of a key are a list. */
    private static final class Cells extends Rows {
        /** The number of the pane in the upper half, its entry in the lower. */
        private static final int ENTRY = 0;

        private static final int NEXT = 1;

        private int used;
        private int free = NONE;

        Cells(Layout layout) {
            super(layout, 2, 0);
        }

        int add(int pane, int entry) {
            int cell = free;
            if (cell == NONE) {
                cell = used++;
                reserve(cell);
            } else {
                free = next(cell);
            }
            longs[row(cell) + ENTRY] = pair(pane, entry);
            next(cell, NONE);
            return cell;
        }

        void remove(int cell) {
            next(cell, free);
            free = cell;
        }

        int pane(int cell) {
            return (int) (longs[row(cell) + ENTRY] >>> 32);
        }

        int entry(int cell) {
            return (int) longs[row(cell) + ENTRY];
        }

        int next(int cell) {
            return (int) longs[row(cell) + NEXT];
        }

        void next(int cell, int next) {
            longs[row(cell) + NEXT] = next;
        }
    }

    /** One accumulator. */
    private static final class Row extends Rows {
        Row(Layout layout) {
            super(layout, 0, 0);
        }
    }

    private static long pair(int upper, int lower) {
        return ((long) upper << 32) | (lower & 0xFFFF_FFFFL);
    }

    /** Goes on to a window that begins later than those before. */
    void begin(long start, long end, NavigableMap<Long, KeyTable> all) {
        while (firstPane != nextPane && starts[place(firstPane)] < start) {
            panes[place(firstPane++)] = null;
        }
        for (Map.Entry<Long, KeyTable> pane :
                all.subMap(Math.max(start, takenTo), end).entrySet()) {
            take(pane.getKey(), pane.getValue());
        }
        takenTo = end;
    }

    private int place(int pane) {
        return pane & (panes.length - 1);
    }

    @SuppressWarnings("NullAway") // those from the first to the next are there
    private KeyTable pane(int pane) {
        return panes[place(pane)];
    }

    private void take(long start, KeyTable table) {
        if (nextPane - firstPane == panes.length) {
            grow();
        }
        int pane = nextPane++;
        panes[place(pane)] = table;
        starts[place(pane)] = start;
        for (int entry = 0; entry < table.size(); entry++) {
            Object key = table.key(entry);
            int hash = hashes.of(key);
            int number = keys.find(key, hash);
            if (number < 0) {
                number = addKey(key, hash);
            }
            append(number, pane, entry);
        }
    }

    private void grow() {
        @Nullable KeyTable[] grown = new KeyTable[2 * panes.length];
        long[] grownStarts = new long[grown.length];
        for (int pane = firstPane; pane != nextPane; pane++) {
            grown[pane & (grown.length - 1)] = panes[place(pane)];
            grownStarts[pane & (grown.length - 1)] = starts[place(pane)];
        }
        panes = grown;
        starts = grownStarts;
    }

    private int addKey(Object key, int hash) {
        int number = keys.add(key, hash);
        ofKeys.begin(number);
        return number;
    }

    /** An entry of the last pane becomes the last cell of its key. */
    private void append(int key, int pane, int entry) {
        KeyTable table = pane(pane);
        int cell = cells.add(pane, entry);
        if (ofKeys.last(key) == NONE) {
            ofKeys.ends(key, cell, cell);
        } else {
            cells.next(ofKeys.last(key), cell);
            ofKeys.ends(key, ofKeys.first(key), cell);
        }
        if (stacked.parts() == 0) {
            return;
        }
        System.arraycopy(table.longs, table.atLongs(entry), cells.longs, cells.atLongs(cell), stacked.longs());
        stack(ofKeys, key, table, entry, key);
    }

    /** A sum of some panes may leave the range of long though that of the window does not. */
    private boolean stack(Rows into, int to, Rows from, int entry, int key) {
        if (ofKeys.unstacked(key)) {
            return false;
        }
        try {
            stacked.merge(into, to, from, entry);
            return true;
        } catch (Exception e) {
            ofKeys.setUnstacked(key);
            return false;
        }
    }

    /** All keys of the window have numbers below this. */
    int limit() {
        return keys.limit();
    }

    /**
     * Has {@link #row} hold what the window comes to for one of the keys.
     *
     * @return the key; null if the number is none
     */
    @Nullable Object merge(int number) throws Exception {
        Object key = keys.key(number);
        if (key == null) {
            return null;
        }
        if (ofKeys.changed(number)) {
            takeAgain(number, key);
        } else {
            drop(number);
        }
        if (ofKeys.first(number) == NONE) {
            keys.remove(number);
            return null;
        }
        mergeAll(number);
        return key;
    }

    private void takeAgain(int number, Object key) {
        for (int cell = ofKeys.first(number); cell != NONE; ) {
            int next = cells.next(cell);
            cells.remove(cell);
            cell = next;
        }
        ofKeys.begin(number);
        int hash = hashes.of(key);
        for (int pane = firstPane; pane != nextPane; pane++) {
            int entry = pane(pane).find(key, hash);
            if (entry >= 0) {
                append(number, pane, entry);
            }
        }
    }

    /** Drops the cells of panes that are before the window. */
    private void drop(int number) {
        int first = ofKeys.first(number);
        int lastOfFront = ofKeys.lastOfFront(number);
        int cell = first;
        while (cell != NONE && cells.pane(cell) - firstPane < 0) {
            int next = cells.next(cell);
            if (cell == lastOfFront) {
                lastOfFront = NONE;
            }
            cells.remove(cell);
            cell = next;
        }
        if (cell == first) {
            return;
        }
        ofKeys.ends(number, cell, cell == NONE ? NONE : ofKeys.last(number));
        if (lastOfFront == NONE) {
            turn(number);
        }
    }

    /** All cells become the front. */
    private void turn(int number) {
        int count = 0;
        for (int cell = ofKeys.first(number); cell != NONE; cell = cells.next(cell)) {
            if (count == inOrder.length) {
                inOrder = Arrays.copyOf(inOrder, 2 * count);
            }
            inOrder[count++] = cell;
        }
        for (int i = count - 2; i >= 0 && stacked.parts() > 0; i--) {
            stack(cells, inOrder[i], cells, inOrder[i + 1], number);
        }
        ofKeys.create(number);
        ofKeys.lastOfFront(number, ofKeys.last(number));
    }

    private void mergeAll(int number) throws Exception {
        row.create(0);
        boolean stacks = !ofKeys.unstacked(number)
                && (ofKeys.lastOfFront(number) == NONE || stack(row, 0, cells, ofKeys.first(number), number))
                && (ofKeys.lastOfFront(number) == ofKeys.last(number) || stack(row, 0, ofKeys, number, number));
        if (!stacks) {
            row.create(0);
        } else if (others.parts() == 0) {
            return;
        }
        Layout left = stacks ? others : layout;
        for (int cell = ofKeys.first(number); cell != NONE; cell = cells.next(cell)) {
            left.merge(row, 0, pane(cells.pane(cell)), cells.entry(cell));
        }
    }

    /** The accumulator that was merged last. */
    Rows row() {
        return row;
    }

    /** An empty accumulator, in place of the one that was merged last. */
    Rows newRow() {
        row.create(0);
        return row;
    }

    /** True if a window that has been merged holds the key. */
    boolean holds(Object key, int hash) {
        return keys.find(key, hash) >= 0;
    }

    /** True if a pane that begins then has been taken, or would have been if it had been there. */
    boolean tookPane(long start) {
        return start < takenTo;
    }

    /** A pane that was taken has got a record. */
    void changed(Object key, int hash) {
        int number = keys.find(key, hash);
        ofKeys.setChanged(number < 0 ? addKey(key, hash) : number);
    }

    /** Forgets all that was taken: the next window takes its panes again. */
    void clear() {
        takenTo = Long.MIN_VALUE;
        if (nextPane == firstPane && keys.limit() == 0) {
            return;
        }
        keys = new KeyNumbers();
        ofKeys = new OfKeys(stacked);
        cells = new Cells(stacked);
        Arrays.fill(panes, null);
        firstPane = nextPane;
    }

    /** Bytes of heap, without the panes and their keys. */
    long bytes() {
        return keys.bytesOfArrays() + ofKeys.bytes(0) + cells.bytes(0) + 12L * panes.length;
    }
}
