// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

/** Maps keys to key groups and tasks. Part of the format of saved state, so it must never change. */
public final class StableHash {
    /**
     * The number of key groups, whatever the parallelism; each task owns whole groups. Also the highest parallelism.
     */
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

    /**
     * The key group of a value.
     *
     * @param hash what {@link Codec#hash} returned
     * @return from 0 to {@link #KEY_GROUPS} - 1
     */
    public static int keyGroup(int hash) {
        return mix(hash) & (KEY_GROUPS - 1);
    }

    /**
     * The task that owns a key group.
     *
     * @param parallelism number of tasks, at most {@link #KEY_GROUPS}
     */
    public static int taskOf(int keyGroup, int parallelism) {
        return keyGroup * parallelism / KEY_GROUPS;
    }
}
