// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import org.jspecify.annotations.Nullable;

/**
 * Accumulators by key: open addressing with linear probing, in arrays. Keys are compared by their equals and hashCode. Entries
 * are rows, numbered in the order in which they came, and are never removed one by one.
 */
final class KeyTable extends Rows {
    private static final int FIRST_SLOTS = 32;

    /** Hash in the upper half, entry number + 1 in the lower; 0 if the slot is free. */
    private long[] slots = new long[FIRST_SLOTS];

    private int size;

    /** The class of all keys, if they are small numbers: those of one hash are equal, so none has to be looked at. */
    private @Nullable Class<?> small;

    /** A table of keys alone. */
    KeyTable() {
        this(Layout.NONE);
    }

    /** A key is the first object of its row. */
    KeyTable(Layout layout) {
        super(layout, 0, 1);
    }

    /** True if all keys are small numbers, so that none has to be looked at. */
    boolean ofNumbers() {
        return small != null;
    }

    /** A key whose hash is made of all that it is, without loss, as {@link KeyHash#PLAIN} is of its hash code. */
    private static boolean small(Object key) {
        return key instanceof Long number ? number >>> Integer.SIZE == 0 : key instanceof Integer;
    }

    /** The entry of the key, or -1. */
    int find(Object key, int hash) {
        return key.getClass() == small && small(key) ? candidate(hash) : findEqual(key, hash);
    }

    /** The first entry whose key has this hash, or -1; it stays so when other keys are added. */
    int candidate(int hash) {
        int mask = slots.length - 1;
        for (int at = hash & mask; ; at = (at + 1) & mask) {
            long slot = slots[at];
            if (slot == 0) {
                return -1;
            }
            if ((int) (slot >>> 32) == hash) {
                return (int) slot - 1;
            }
        }
    }

    private int findEqual(Object key, int hash) {
        int mask = slots.length - 1;
        for (int at = hash & mask; ; at = (at + 1) & mask) {
            long slot = slots[at];
            if (slot == 0) {
                return -1;
            }
            if ((int) (slot >>> 32) == hash) {
                int entry = (int) slot - 1;
                Object known = objects[rowOfObjects(entry)];
                if (known == key || key.equals(known)) { // asked of the one whose class the JIT knows best
                    return entry;
                }
            }
        }
    }

    /** The same of a key's {@link #candidate}, which has not to be looked for again if it is the key's. */
    int find(Object key, int hash, int candidate) {
        if (candidate >= 0) {
            if (key.getClass() == small && small(key)) {
                return candidate;
            }
            Object known = objects[rowOfObjects(candidate)];
            if (known == key || key.equals(known)) {
                return candidate;
            }
        }
        return find(key, hash);
    }

    /** What {@link #find} reads first. */
    long slot(int hash) {
        return slots[hash & (slots.length - 1)];
    }

    /** Reads of an entry what {@link #find} and an accumulator will read: an arbitrary number. */
    long row(int entry, Object key) {
        if (entry < 0) {
            return 0;
        }
        // A row may lie across two lines of the cache.
        long read = longs.length == 0 ? 0 : longs[row(entry)] ^ longs[row(entry + 1) - 1];
        Object known = objects[rowOfObjects(entry)];
        return small != null || (known != null && known.getClass() == key.getClass()) ? read : ~read;
    }

    /** Adds a key that is not there, with an empty accumulator; returns its entry. */
    int add(Object key, int hash) {
        int entry = size;
        reserve(entry);
        create(entry);
        objects[rowOfObjects(entry)] = key;
        boolean alike = size == 0 || key.getClass() == small;
        small = alike && small(key) ? key.getClass() : null;
        size++;
        if (2 * size > slots.length) {
            grow();
        }
        place(((long) hash << 32) | (entry + 1));
        return entry;
    }

    private void place(long slot) {
        int mask = slots.length - 1;
        int at = (int) (slot >>> 32) & mask;
        while (slots[at] != 0) {
            at = (at + 1) & mask;
        }
        slots[at] = slot;
    }

    private void grow() {
        long[] placed = slots;
        slots = new long[placed.length * 2];
        for (long slot : placed) {
            if (slot != 0) {
                place(slot);
            }
        }
    }

    long bytes() {
        return bytes(size) + 8L * slots.length;
    }

    int size() {
        return size;
    }

    @SuppressWarnings("NullAway") // every entry has a key
    Object key(int entry) {
        return objects[rowOfObjects(entry)];
    }

    /** Adds a key that is not there, with an accumulator that was saved. */
    void restore(Object key, int hash, Object accumulator) {
        layout.restore(this, add(key, hash), accumulator);
    }
}
