// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.stats.LateBy;
import io.thalweg.api.stats.LateRecords;
import io.thalweg.api.stats.LateSample;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How late the late records of a task were, and a few of them. Takes a few kilobytes for each operator that has late records, however
 * many they are. The thread that runs the task adds; any may read.
 */
public final class LateLog {
    private static final int MOST_CHARACTERS = 200;

    /** The next sample is taken after this part of the records so far: so samples are recent, and few records are printed. */
    private static final double BETWEEN_SAMPLES = 0.25;

    /** More is counted as this: a bound can always be added to it. */
    private static final long MOST_MS = 1L << 60;

    private static final int BUCKETS = bucket(MOST_MS) + 1;

    private static final class OfOperator {
        final long[] buckets = new long[BUCKETS];
        final Deque<LateSample> samples = new ArrayDeque<>();
        long records;
        long nextSample = 1;
    }

    private final Map<String, OfOperator> operators = new TreeMap<>();

    /**
     * Counts a late record.
     *
     * @param byMs how late it was; not positive if that is unknown
     * @return true if {@link #keep} is to be called for it
     */
    public synchronized boolean add(String operator, long byMs) {
        OfOperator of = operators.computeIfAbsent(operator, name -> new OfOperator());
        of.records++;
        if (byMs > 0) {
            of.buckets[bucket(Math.min(byMs, MOST_MS))]++;
        }
        if (of.records < of.nextSample) {
            return false;
        }
        of.nextSample = of.records + Math.max(1, (long) (BETWEEN_SAMPLES * of.records));
        return true;
    }

    /** Keeps a record of an operator that {@link #add} asked for; of too many, the oldest goes. */
    public synchronized void keep(String operator, LateSample sample) {
        Deque<LateSample> samples = operators.computeIfAbsent(operator, name -> new OfOperator()).samples;
        samples.addLast(sample);
        if (samples.size() > LateRecords.MOST_SAMPLES) {
            samples.removeFirst();
        }
    }

    /** What was seen until now, by operator. */
    public synchronized List<LateRecords> told() {
        List<LateRecords> all = new ArrayList<>();
        operators.forEach((name, of) -> {
            List<LateBy> lateBy = new ArrayList<>();
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                if (of.buckets[bucket] > 0) {
                    lateBy.add(new LateBy(upTo(bucket), of.buckets[bucket]));
                }
            }
            all.add(new LateRecords(name, of.records, lateBy, List.copyOf(of.samples)));
        });
        return all;
    }

    /** The text of a record of a user's class, whatever its {@code toString} does, in one line of at most 200 characters. */
    public static String text(@Nullable Object record) {
        if (record == null) {
            return "";
        }
        String text;
        try {
            text = record instanceof byte[] bytes
                    ? new String(
                            Arrays.copyOf(bytes, Math.min(bytes.length, 4 * MOST_CHARACTERS)), StandardCharsets.UTF_8)
                    : record.toString();
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            text = record.getClass().getName() + ", whose toString() threw "
                    + e.getClass().getName();
        }
        return line(String.valueOf(text));
    }

    /** Any text, in one line of at most 200 characters. */
    public static String line(String text) {
        return PlainText.line(text, MOST_CHARACTERS);
    }

    /** Buckets are as wide as one, and from 16 on as an eighth of the power of two below them. */
    private static int bucket(long ms) {
        int dropped = Math.max(0, 60 - Long.numberOfLeadingZeros(ms));
        long kept = (ms + (1L << dropped) - 1) >> dropped;
        return (int) (8L * dropped + kept);
    }

    private static long upTo(int bucket) {
        int dropped = Math.max(0, bucket / 8 - 1);
        return (bucket - 8L * dropped) << dropped;
    }
}
