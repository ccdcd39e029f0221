// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.doctor.tune.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came to each sink: how many records, and a digest of them that does not depend on their order. Thread-safe. */
final class OutputDigests {
    private final Map<String, Digest> digests = new LinkedHashMap<>();

    /** Sums of what was hashed: equal sets of records have equal sums. For one thread. */
    static final class Digest {
        private static final long MIX = 0x9E3779B97F4A7C15L;

        private long records;
        private long sum;
        private long otherSum;

        void add(byte[] bytes, int length) {
            long hash = MIX ^ length;
            for (int i = 0; i < length; i++) {
                hash = (hash ^ (bytes[i] & 0xFF)) * 0x100000001B3L;
            }
            hash = mixed(hash);
            records++;
            sum += hash;
            otherSum += mixed(hash ^ MIX);
        }

        void add(Digest other) {
            records += other.records;
            sum += other.sum;
            otherSum += other.otherSum;
        }

        /** So that hashes of texts that differ in one place do not add up to those of others. */
        private static long mixed(long value) {
            long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            return mixed ^ (mixed >>> 31);
        }
    }

    /** A place without records so far; outputs are told in this order. */
    synchronized void expect(String name) {
        digests.putIfAbsent(name, new Digest());
    }

    synchronized void add(String name, Digest digest) {
        digests.computeIfAbsent(name, unused -> new Digest()).add(digest);
    }

    synchronized List<Output> outputs() {
        List<Output> outputs = new ArrayList<>();
        digests.forEach((name, digest) -> outputs.add(new Output(
                name, digest.records, String.format(Locale.ROOT, "%016x%016x", digest.sum, digest.otherSum))));
        return outputs;
    }
}
