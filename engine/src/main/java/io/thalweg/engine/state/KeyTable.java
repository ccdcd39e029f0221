// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.StableHash;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values by key: open addressing with linear probing, in arrays. Keys are compared by their equals and hashCode. Entries
 * are numbered in the order in which they came, and are never removed one by one.
 */
final class KeyTable {
    private static final int FIRST_CAPACITY = 16;

    /** Entry number + 1 by slot; 0 where the slot is free. */
    private int[] slots = new int[2 * FIRST_CAPACITY];

    private int[] hashes = new int[FIRST_CAPACITY];
    private Object[] keys = new Object[FIRST_CAPACITY];
    private @Nullable Object[] values = new Object[FIRST_CAPACITY];
    private int size;

    /** The table at a start time; a new one where there is none. */
    static KeyTable at(Map<Long, KeyTable> tables, long start) {
        return tables.computeIfAbsent(start, s -> new KeyTable());
    }

    static int hash(Object key) {
        return StableHash.mix(key.hashCode());
    }

    /** The entry of the key, or -1. */
    int find(Object key, int hash) {
        int mask = slots.length - 1;
        for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
            int entry = slots[slot] - 1;
            if (entry < 0) {
                return -1;
            }
            if (hashes[entry] == hash) {
                Object known = keys[entry];
                if (known == key || known.equals(key)) {
                    return entry;
                }
            }
        }
    }

    /** Adds a key that is not there; returns its entry. */
    int add(Object key, int hash, @Nullable Object value) {
        if (size == keys.length) {
            grow();
        }
        int entry = size++;
        hashes[entry] = hash;
        keys[entry] = key;
        values[entry] = value;
        place(entry);
        return entry;
    }

    private void place(int entry) {
        int mask = slots.length - 1;
        int slot = hashes[entry] & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = entry + 1;
    }

    private void grow() {
        int capacity = keys.length * 2;
        hashes = Arrays.copyOf(hashes, capacity);
        keys = Arrays.copyOf(keys, capacity);
        values = Arrays.copyOf(values, capacity);
        slots = new int[capacity * 2];
        for (int entry = 0; entry < size; entry++) {
            place(entry);
        }
    }

    int size() {
        return size;
    }

    Object key(int entry) {
        return keys[entry];
    }

    int hashOf(int entry) {
        return hashes[entry];
    }

    @Nullable Object value(int entry) {
        return values[entry];
    }

    void set(int entry, @Nullable Object value) {
        values[entry] = value;
    }
}
