// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.nio.charset.StandardCharsets;

/** Sums up hashes of texts: the same for the same texts in whatever order. */
final class Fingerprint {
    private long sum;

    void add(String text) {
        sum += hash(text);
    }

    /** FNV-1a of the UTF-8 bytes, then the finalizer of MurmurHash3, as FNV's high bits are weak. */
    static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }

    long sum() {
        return sum;
    }

    /** Adds what another one has seen. */
    void addSum(long other) {
        sum += other;
    }

    /** 16 hexadecimal digits. */
    @Override
    public String toString() {
        return String.format("%016x", sum);
    }
}
