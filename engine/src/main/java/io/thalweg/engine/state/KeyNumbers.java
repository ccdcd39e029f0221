// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers keys from 0 on, for who keeps what belongs to them in arrays. The numbers of removed keys are used again. Open
 * addressing with linear probing; keys are compared by their equals and hashCode.
 */
final class KeyNumbers {
    private static final int FIRST_CAPACITY = 16;
    private static final int SAMPLED = 8;

    /** Keys are looked at again when this part of them is new. */
    private static final int PART_NEW = 8;

    /** Hash in the upper half, number + 1 in the lower; 0 if the slot is free. */
    private long[] slots = new long[2 * FIRST_CAPACITY];

    private @Nullable Object[] keys = new Object[FIRST_CAPACITY];
    private int[] hashes = new int[FIRST_CAPACITY];

    /** Numbers below this have been in use; those of them without a key are free. */
    private int used;

    private int[] free = new int[FIRST_CAPACITY];
    private int freed;

    private int addedSinceSample;
    private double bytesOfKey;

    /** The number of a key, or -1. */
    int find(Object key, int hash) {
        int mask = slots.length - 1;
        for (int at = hash & mask; ; at = (at + 1) & mask) {
            long slot = slots[at];
            if (slot == 0) {
                return -1;
            }
            if ((int) (slot >>> 32) == hash) {
                int number = (int) slot - 1;
                Object known = keys[number];
                if (known == key || key.equals(known)) {
                    return number;
                }
            }
        }
    }

    /** Numbers a key that has no number. */
    int add(Object key, int hash) {
        int number = freed > 0 ? free[--freed] : used++;
        if (number == keys.length) {
            grow();
        }
        keys[number] = key;
        hashes[number] = hash;
        addedSinceSample++;
        place(((long) hash << 32) | (number + 1));
        return number;
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
        keys = Arrays.copyOf(keys, keys.length * 2);
        hashes = Arrays.copyOf(hashes, keys.length);
        free = Arrays.copyOf(free, keys.length);
        long[] placed = slots;
        slots = new long[placed.length * 2];
        for (long slot : placed) {
            if (slot != 0) {
                place(slot);
            }
        }
    }

    void remove(int number) {
        int mask = slots.length - 1;
        long slot = ((long) hashes[number] << 32) | (number + 1);
        int gap = hashes[number] & mask;
        while (slots[gap] != slot) {
            gap = (gap + 1) & mask;
        }
        close(gap, mask);
        keys[number] = null;
        free[freed++] = number;
    }

    /** Moves those behind a gap into it that could not be found across it. */
    private void close(int from, int mask) {
        int gap = from;
        for (int at = (gap + 1) & mask; slots[at] != 0; at = (at + 1) & mask) {
            int home = (int) (slots[at] >>> 32) & mask;
            if (((at - home) & mask) >= ((at - gap) & mask)) {
                slots[gap] = slots[at];
                gap = at;
            }
        }
        slots[gap] = 0;
    }

    int size() {
        return used - freed;
    }

    /** Bytes of heap. A few keys are looked at, and a few again once many are new; a key does not change. */
    long bytes() {
        if (addedSinceSample > used / PART_NEW) {
            long ofSample = 0;
            int looked = Math.min(used, SAMPLED);
            for (int i = 0; i < looked; i++) {
                ofSample += HeapSize.of(keys[(int) ((long) i * used / looked)]);
            }
            bytesOfKey = (double) ofSample / looked;
            addedSinceSample = 0;
        }
        return bytesOfArrays() + (long) (bytesOfKey * used);
    }

    /** The same without the keys. */
    long bytesOfArrays() {
        return 8L * slots.length + (HeapSize.REFERENCE + 8L) * keys.length;
    }

    /** All numbers are below this; not all of them are in use. */
    int limit() {
        return used;
    }

    /** The key of a number; null if the number is free. */
    @Nullable Object key(int number) {
        return keys[number];
    }
}
