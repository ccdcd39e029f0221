// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

/** Spreads hashes and places keys. Part of the format of saved state: never to change. */
public final class StableHash {
    /** Keys go to this many groups, whatever the parallelism; a task owns whole groups. */
    public static final int KEY_GROUPS = 256;

    private StableHash() {}

    /** MurmurHash3's 32-bit finalizer (Austin Appleby, public domain). */
    public static int mix(int hash) {
        int h = hash;
        h ^= h >>> 16;
        h *= 0x85ebca6b;
        h ^= h >>> 13;
        h *= 0xc2b2ae35;
        return h ^ (h >>> 16);
    }

    /** The key group of a value with this {@link Codec#hash}. */
    public static int keyGroup(int hash) {
        return mix(hash) & (KEY_GROUPS - 1);
    }

    /** The task, of {@code parallelism}, that owns a key group. */
    public static int taskOf(int keyGroup, int parallelism) {
        return keyGroup * parallelism / KEY_GROUPS;
    }
}
