// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.OperatorContext;
import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The records that a task holds while their lookups are in flight. They leave in order, or as they are answered. Used
 * by the task's thread only. For runners.
 *
 * @param <R> what is held of a record
 */
public final class HeldRecords<R> {
    /**
     * A record and its lookup.
     *
     * @param <R> what is held of a record
     * @param record what is held
     * @param lookup its request
     * @param watermark the watermark that had arrived before the record
     */
    public record Held<R>(R record, Lookup<R> lookup, long watermark) {
        /**
         * The answer; null if there is none.
         *
         * @throws Throwable what the lookup failed with
         */
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
     * Records of one task.
     *
     * @param operator sends the requests
     * @param context of the task
     * @param options of the requests
     * @param nowNs a clock in nanoseconds that never runs backwards
     * @param wakeUp called by any thread when {@link #hear} has something to do
     * @param onRetry called with the record before the operator is called for it again
     */
    public HeldRecords(
            AsyncOperator<Object, Object> operator,
            OperatorContext context,
            AsyncMap.Options options,
            LongSupplier nowNs,
            Runnable wakeUp,
            Consumer<R> onRetry) {
        lookups = new Lookups<>(operator, context, options, nowNs, wakeUp, onRetry);
        ordered = options.ordered();
        most = options.concurrency();
    }

    /** Opens the operator. */
    public void open() throws Exception {
        lookups.open();
    }

    /**
     * Starts a lookup, or returns the one in flight or cached for the same key.
     *
     * @throws Exception if the operator throws
     */
    public Lookup<R> lookUp(Object value) throws Exception {
        return lookups.of(value);
    }

    /** Holds a record until its lookup is done and {@link #poll} has returned it. */
    public void add(R record, Lookup<R> lookup) {
        Held<R> added = new Held<>(record, lookup, watermark);
        lookup.isAskedBy(record);
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

    /** Processes answers, retries requests that are due, and times out those that are late. */
    public void hear() {
        lookups.hear(lookup -> done.addAll(lookup.waiting));
    }

    /** Removes and returns the next record whose lookup is done; null if there is none. */
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

    /** The number of records held. */
    public int held() {
        return held;
    }

    /** Whether the maximum number of records is held, so that no more may be added. */
    public boolean full() {
        return held >= most;
    }

    /**
     * Discards all records and cancels their requests.
     *
     * @return how many there were
     */
    public int drop() {
        int dropped = held;
        lookups.abandon();
        inOrder.clear();
        done.clear();
        behind.clear();
        held = 0;
        return dropped;
    }

    /**
     * The watermark has reached {@code reached}.
     *
     * @return how far it may advance downstream: not past a record that is held
     */
    public long passed(long reached) {
        watermark = Math.max(watermark, reached);
        return held == 0 ? reached : behind.firstKey();
    }

    /** When {@link #hear} must be called although nothing was answered, for a retry or a timeout; 0 if never. */
    public long nextDueNs() {
        return held == 0 ? 0 : lookups.nextDueNs();
    }

    /** Cancels the requests in flight, and closes the operator if it was opened. */
    public void close() throws Exception {
        lookups.close();
    }
}
