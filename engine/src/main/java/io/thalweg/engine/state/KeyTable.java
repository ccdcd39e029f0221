// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.StableHash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values by key: open addressing with linear probing, in arrays. Keys are compared by their equals and hashCode. Entries
 * are numbered in the order in which they came, and are never removed one by one. A value is an object, or some longs: those
 * of all entries stand in one array, so that to find them takes one step less.
 */
final class KeyTable {
    private static final int FIRST_CAPACITY = 16;
    private static final int APART = 0x9E3779B9;

    /** Hash in the upper half, entry number + 1 in the lower; 0 if the slot is free. */
    private long[] slots = new long[2 * FIRST_CAPACITY];

    /** Key and value of each entry side by side, because who finds the one reads the other. */
    private @Nullable Object[] entries = new Object[2 * FIRST_CAPACITY];

    private final int longsEach;

    /** The longs of each entry one after the other. */
    private long[] longs;

    private int size;

    KeyTable() {
        this(0);
    }

    /** A table whose values are so many longs each, which begin as 0; objects if it is 0. */
    KeyTable(int longsEach) {
        this.longsEach = longsEach;
        longs = new long[FIRST_CAPACITY * longsEach];
    }

    /** Not that of key groups: all keys of a task are in the same few of these, and would crowd a part of the slots. */
    static int hash(Object key) {
        return StableHash.mix(key.hashCode() ^ APART);
    }

    /** The entry of the key, or -1. */
    int find(Object key, int hash) {
        int mask = slots.length - 1;
        for (int at = hash & mask; ; at = (at + 1) & mask) {
            long slot = slots[at];
            if (slot == 0) {
                return -1;
            }
            if ((int) (slot >>> 32) == hash) {
                int entry = (int) slot - 1;
                Object known = entries[2 * entry];
                if (known == key || key.equals(known)) { // asked of the one whose class the JIT knows best
                    return entry;
                }
            }
        }
    }

    /** Adds a key that is not there; returns its entry. */
    int add(Object key, int hash, @Nullable Object value) {
        if (2 * size == entries.length) {
            grow();
        }
        int entry = size++;
        entries[2 * entry] = key;
        entries[2 * entry + 1] = value;
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
        if (longs.length > Integer.MAX_VALUE / 2) {
            throw new IllegalStateException(
                    "a task holds at most " + size + " keys of " + longsEach + " longs in one window: use more tasks");
        }
        entries = Arrays.copyOf(entries, entries.length * 2);
        longs = Arrays.copyOf(longs, longs.length * 2);
        long[] placed = slots;
        slots = new long[placed.length * 2];
        for (long slot : placed) {
            if (slot != 0) {
                place(slot);
            }
        }
    }

    int size() {
        return size;
    }

    @SuppressWarnings("NullAway") // every entry has a key
    Object key(int entry) {
        return entries[2 * entry];
    }

    int hashOf(int entry) {
        return hash(key(entry));
    }

    boolean holdsLongs() {
        return longsEach > 0;
    }

    /** What the value of the entry stands in: itself, or the longs of all, from {@link #at}. */
    @SuppressWarnings("NullAway") // who asks has set it
    Object holder(int entry) {
        return longsEach == 0 ? entries[2 * entry + 1] : longs;
    }

    int at(int entry) {
        return entry * longsEach;
    }

    /** The value itself; of longs a copy. */
    Object read(int entry) {
        int at = at(entry);
        return longsEach == 0 ? holder(entry) : Arrays.copyOfRange(longs, at, at + longsEach);
    }

    /** Adds a key that is not there, with its value. */
    void restore(Object key, Object value) {
        int entry = add(key, hash(key), holdsLongs() ? null : value);
        if (value instanceof long[] own && holdsLongs()) {
            System.arraycopy(own, 0, longs, at(entry), longsEach);
        }
    }
}
