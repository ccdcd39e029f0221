// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import java.util.Map;

/**
 * Which of the keys that go along an edge have most of the records, of one task: Space-Saving (Metwally, Agrawal and El Abbadi, ICDT 2005)
 * over the keys' hashes. A share that it tells is never too high, and too low by one in {@value #KEYS} at most. Thread-safe.
 */
public final class KeySketch {
    /** More than the hundred keys that there can be with a hundredth of the records each. */
    static final int KEYS = 128;

    private final int[] hashes = new int[KEYS];
    private final long[] counts = new long[KEYS];

    /** Of a count, what may be of keys that had the place before. */
    private final long[] errors = new long[KEYS];

    private int used;
    private long samples;
    private long records;

    KeySketch() {}

    /**
     * Adds a key that was looked at.
     *
     * @param weight records that it stands for
     */
    public synchronized void add(int hash, long weight) {
        samples++;
        records += weight;
        int least = 0;
        for (int i = 0; i < used; i++) {
            if (hashes[i] == hash) {
                counts[i] += weight;
                return;
            }
            least = counts[i] < counts[least] ? i : least;
        }
        int place = used == KEYS ? least : used++;
        hashes[place] = hash;
        errors[place] = counts[place];
        counts[place] += weight;
    }

    synchronized long samples() {
        return samples;
    }

    /** Adds the records that each key has at least. */
    synchronized void addTo(Map<Integer, Long> recordsByHash) {
        for (int i = 0; i < used; i++) {
            recordsByHash.merge(hashes[i], counts[i] - errors[i], Long::sum);
        }
    }

    synchronized long records() {
        return records;
    }
}
