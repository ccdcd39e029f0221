// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import org.jspecify.annotations.Nullable;

/**
 * Strings by the bytes they were read from, so that a value that repeats is one object: it is decoded once, and comparing
 * it with itself is free. One place a hash, the newer string wins; grows with use up to a fixed size. What is not found here is
 * sought among the {@link SharedTexts} of all readers of the file. What is found was checked when it was put in.
 *
 * <p>A string of up to 31 bytes is known by its full words of eight bytes and a tail: the rest of its bytes, lowest first,
 * and above them its length + 1, so that a tail is never 0.
 */
public final class TextCache {
    /** Longer strings seldom repeat. */
    public static final int MAX_LENGTH = 31;

    private static final int SLOT_WORDS = 4;
    private static final int FIRST_SLOTS = 256;
    private static final int MAX_SLOTS = 16_384;

    /** How many strings are known at most. */
    public static final int MAX_SIZE = SharedTexts.MAX_SIZE;

    private final SharedTexts shared;
    private long[] keys = new long[FIRST_SLOTS * SLOT_WORDS];
    private @Nullable String[] values = new String[FIRST_SLOTS];
    private int shift = Long.SIZE - Integer.numberOfTrailingZeros(FIRST_SLOTS);
    private int replaced;

    /** An empty cache, which shares its texts with those made by {@link #another}. */
    public TextCache() {
        this(new SharedTexts());
    }

    private TextCache(SharedTexts shared) {
        this.shared = shared;
    }

    /** For a reader in another thread: a text that both meet is the same object. */
    public TextCache another() {
        return new TextCache(shared);
    }

    /** Takes one more full word into a hash that begins with 0. */
    public static long hash(long hash, long word) {
        long mixed = (hash ^ word) * 0x9e37_79b9_7f4a_7c15L;
        return mixed ^ mixed >>> 29;
    }

    /** @param rest what is left after the full words, zeros above */
    public static long tail(long rest, int length) {
        return rest | (length + 1L) << 56;
    }

    /**
     * Null if the string is not known.
     *
     * @param hash of its full words, as {@link #hash} combines them
     * @param tail of its last bytes
     */
    public @Nullable String find(byte[] bytes, int from, int length, long hash, long tail) {
        int slot = (int) (hash(hash, tail) >>> shift);
        return isAt(slot, bytes, from, length, tail) ? values[slot] : findShared(bytes, from, length, hash, tail);
    }

    private boolean isAt(int slot, byte[] bytes, int from, int length, long tail) {
        int key = slot * SLOT_WORDS;
        if (keys[key] != tail) {
            return false;
        }
        for (int done = 0; done <= length - Long.BYTES; done += Long.BYTES) {
            if (keys[++key] != Words.at(bytes, from + done)) {
                return false;
            }
        }
        return true;
    }

    private @Nullable String findShared(byte[] bytes, int from, int length, long hash, long tail) {
        String found = shared.find(bytes, from, length, hash(hash, tail), tail);
        if (found != null) {
            keep(found, bytes, from, length, hash, tail);
        }
        return found;
    }

    /**
     * Keeps a string that was not found, in the place of another one of the same slot.
     *
     * @param value what the bytes decode to
     * @param length of the text; at most {@link #MAX_LENGTH}
     * @param hash of its full words, as {@link #hash} combines them
     * @param tail of its last bytes
     * @return the same string; another object if another reader has put it meanwhile
     */
    public String put(String value, byte[] bytes, int from, int length, long hash, long tail) {
        String kept = shared.put(value, bytes, from, length, hash(hash, tail), tail);
        keep(kept, bytes, from, length, hash, tail);
        return kept;
    }

    private void keep(String value, byte[] bytes, int from, int length, long hash, long tail) {
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

    /** Four times as large. Strings stay the same objects, so that those who keep one still find it equal at a glance. */
    private void grow() {
        long[] formerKeys = keys;
        @Nullable String[] former = values;
        int slots = former.length * 4;
        keys = new long[slots * SLOT_WORDS];
        values = new String[slots];
        shift -= 2;
        replaced = 0;
        for (int slot = 0; slot < former.length; slot++) {
            if (former[slot] != null) {
                int from = slot * SLOT_WORDS;
                long hash = 0;
                int words = ((int) (formerKeys[from] >>> 56) - 1) >>> 3;
                for (int word = 1; word <= words; word++) {
                    hash = hash(hash, formerKeys[from + word]);
                }
                int to = (int) (hash(hash, formerKeys[from]) >>> shift);
                System.arraycopy(formerKeys, from, keys, to * SLOT_WORDS, SLOT_WORDS);
                values[to] = former[slot];
            }
        }
    }
}
