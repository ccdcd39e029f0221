// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.OperatorContext;
import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The records that a task holds while their lookups are in flight; they leave in order or as they are answered. Used by the
 * task's thread alone.
 *
 * @param <R> what is held of a record
 */
public final class HeldRecords<R> {
    /** A record and its lookup, with the watermark that had come before it. */
    public record Held<R>(R record, Lookup<R> lookup, long watermark) {
        /** The answer; null if there is none. Throws what the lookup failed with. */
        public @Nullable Object result() throws Throwable {
            return lookup.result();
        }
    }

    private final Lookups<R> lookups;
    private final boolean ordered;
    private final int most;

    /** If they leave in order: all that are held. */
    private final ArrayDeque<Held<R>> inOrder = new ArrayDeque<>();

    /** If not: those whose lookup is done. The others are with their lookup. */
    private final ArrayDeque<Held<R>> done = new ArrayDeque<>();

    /** How many of the records came behind each watermark. */
    private final TreeMap<Long, Integer> behind = new TreeMap<>();

    private int held;
    private long watermark = OperatorContext.NO_TIME;

    /**
     * @param nowNs nanoseconds from some origin; never runs back
     * @param wakeUp run by any thread when {@link #hear} has something to hear
     */
    public HeldRecords(
            AsyncOperator<Object, Object> operator,
            OperatorContext context,
            AsyncMap.Options options,
            LongSupplier nowNs,
            Runnable wakeUp) {
        lookups = new Lookups<>(operator, context, options, nowNs, wakeUp);
        ordered = options.ordered();
        most = options.concurrency();
    }

    public void open() throws Exception {
        lookups.open();
    }

    /** Begins a lookup, or finds the one that is in flight or kept. */
    public Lookup<R> lookUp(Object value) throws Exception {
        return lookups.of(value);
    }

    /** Holds a record until its lookup is done and {@link #poll} has handed it out. */
    public void add(R record, Lookup<R> lookup) {
        Held<R> added = new Held<>(record, lookup, watermark);
        if (ordered) {
            inOrder.add(added);
        } else if (lookup.done()) {
            done.add(added);
        } else {
            lookup.waiting.add(added);
        }
        held++;
        behind.merge(watermark, 1, Integer::sum);
    }

    /** Hears what was answered, makes requests again that are due for that, and ends those that are late. */
    public void hear() {
        lookups.hear(lookup -> done.addAll(lookup.waiting));
    }

    /** The next record that is answered, which is held no longer; null if there is none. */
    public @Nullable Held<R> poll() {
        Held<R> first = ordered ? inOrder.peek() : done.peek();
        if (first == null || !first.lookup().done()) {
            return null;
        }
        (ordered ? inOrder : done).remove();
        held--;
        behind.computeIfPresent(first.watermark(), (at, records) -> records == 1 ? null : records - 1);
        return first;
    }

    public int held() {
        return held;
    }

    /** As many records are held as may be. */
    public boolean full() {
        return held >= most;
    }

    /** Forgets the records and cancels their requests; says how many there were. */
    public int drop() {
        int dropped = held;
        lookups.abandon();
        inOrder.clear();
        done.clear();
        behind.clear();
        held = 0;
        return dropped;
    }

    /** The watermark has come to {@code reached}. Returns how far it may go on: to what had come before the oldest record. */
    public long passed(long reached) {
        watermark = Math.max(watermark, reached);
        return held == 0 ? reached : behind.firstKey();
    }

    /** When {@link #hear} has something to do though nothing is answered; 0 if never. */
    public long nextDueNs() {
        return held == 0 ? 0 : lookups.nextDueNs();
    }

    /** Cancels what is in flight, and closes the operator if it was opened. */
    public void close() throws Exception {
        lookups.close();
    }
}
