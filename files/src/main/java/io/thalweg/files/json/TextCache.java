// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.Words;
import org.jspecify.annotations.Nullable;

/**
 * Strings by the bytes they were read from, so that a value that repeats is one object: it is decoded once, and comparing
 * it with itself is free. One place a hash, the newer string wins; grows with use up to a fixed size. What is found here
 * was checked when it was put in.
 *
 * <p>A string of up to 31 bytes is known by its full words of eight bytes and a tail: the rest of its bytes, lowest first,
 * and above them its length + 1, so that a tail is never 0.
 */
final class TextCache {
    /** Longer strings seldom repeat. */
    static final int MAX_LENGTH = 31;

    private static final int SLOT_WORDS = 4;
    private static final int FIRST_SLOTS = 256;
    private static final int MAX_SLOTS = 16_384;

    private long[] keys = new long[FIRST_SLOTS * SLOT_WORDS];
    private @Nullable String[] values = new String[FIRST_SLOTS];
    private int shift = Long.SIZE - Integer.numberOfTrailingZeros(FIRST_SLOTS);
    private int replaced;

    /** Takes one more full word into a hash that begins with 0. */
    static long hash(long hash, long word) {
        long mixed = (hash ^ word) * 0x9e37_79b9_7f4a_7c15L;
        return mixed ^ mixed >>> 29;
    }

    /** @param rest what is left after the full words, zeros above */
    static long tail(long rest, int length) {
        return rest | (length + 1L) << 56;
    }

    /** Null if the string is not known. */
    @Nullable String find(byte[] bytes, int from, int length, long hash, long tail) {
        int slot = (int) (hash(hash, tail) >>> shift);
        int key = slot * SLOT_WORDS;
        if (keys[key] != tail) {
            return null;
        }
        for (int done = 0; done <= length - Long.BYTES; done += Long.BYTES) {
            if (keys[++key] != Words.at(bytes, from + done)) {
                return null;
            }
        }
        return values[slot];
    }

    void put(String value, byte[] bytes, int from, int length, long hash, long tail) {
        if (values[(int) (hash(hash, tail) >>> shift)] != null
                && values.length < MAX_SLOTS
                && ++replaced > values.length) {
            grow();
        }
        int slot = (int) (hash(hash, tail) >>> shift);
        int key = slot * SLOT_WORDS;
        keys[key] = tail;
        for (int done = 0; done <= length - Long.BYTES; done += Long.BYTES) {
            keys[++key] = Words.at(bytes, from + done);
        }
        values[slot] = value;
    }

    /** Begins anew, four times as large: what is in use comes back by itself. */
    private void grow() {
        int slots = values.length * 4;
        keys = new long[slots * SLOT_WORDS];
        values = new String[slots];
        shift -= 2;
        replaced = 0;
    }
}
