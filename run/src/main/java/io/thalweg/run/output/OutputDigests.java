// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.output;

import io.thalweg.run.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What came to each sink: how many records, and a digest of them that does not depend on their order. Thread-safe. Tasks find it by its
 * name, since engines serialize what they run, until it is closed.
 */
public final class OutputDigests implements AutoCloseable {
    private static final Map<String, OutputDigests> OPEN = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();
    private final Map<String, Digest> digests = new LinkedHashMap<>();
    private final Clock clock;
    private long openedNs;
    private long finishedNs;
    private boolean opened;
    private int atWork;

    /** Opens one without any output; tasks in this JVM find it until it is closed. */
    public OutputDigests() {
        this(Clock.system());
    }

    OutputDigests(Clock clock) {
        this.clock = clock;
        OPEN.put(id, this);
    }

    /** @throws IllegalStateException if there is none of that name in this JVM */
    static OutputDigests of(String id) {
        OutputDigests open = OPEN.get(id);
        if (open == null) {
            throw new IllegalStateException("the digests of this job's output are closed, or in another JVM");
        }
        return open;
    }

    String id() {
        return id;
    }

    /**
     * All that came to one sink.
     *
     * @param name of the sink, in quotes
     * @param records how many came
     * @param digest of the records' bytes, in hexadecimal
     */
    public record Total(String name, long records, String digest) {}

    /** Sums of what was hashed: equal sets of records have equal sums. For one thread. */
    public static final class Digest {
        private static final long MIX = 0x9E3779B97F4A7C15L;

        private long records;
        private long sum;
        private long otherSum;

        /** Adds the first bytes of an array, as one record. */
        public void add(byte[] bytes, int length) {
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

    /** A task of a sink is ready for its first record. */
    synchronized void open() {
        atWork++;
        if (!opened) {
            opened = true;
            openedNs = clock.nowNs();
            finishedNs = openedNs;
        }
    }

    /** Adds what a task of a sink has counted, which gets no more. */
    synchronized void finish(String name, Digest digest) {
        add(name, digest);
        finishedNs = clock.nowNs();
        atWork--;
    }

    /** Whether a task of a sink is ready for records, or takes some. */
    public synchronized boolean isAtWork() {
        return atWork > 0;
    }

    /**
     * How long sinks were at work, in nanoseconds: from when the first of their tasks was ready until the last had finished. Without the
     * start and the end of an engine, so it is the same time on each. 0 if there is no sink.
     */
    public synchronized long workedNs() {
        return finishedNs - openedNs;
    }

    /** Adds what one task, or somebody else, has counted. */
    public synchronized void add(String name, Digest digest) {
        digests.computeIfAbsent(name, unused -> new Digest()).add(digest);
    }

    /** Of all sinks, in the order in which they were expected. */
    public synchronized List<Total> totals() {
        List<Total> totals = new ArrayList<>();
        digests.forEach((name, digest) -> totals.add(new Total(
                name, digest.records, String.format(Locale.ROOT, "%016x%016x", digest.sum, digest.otherSum))));
        return totals;
    }

    @Override
    public void close() {
        OPEN.remove(id);
    }
}
