// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** What the components of a test's topology have seen: they are serialized, and find it by its name. */
public final class Journal {
    private static final Map<String, Journal> ALL = new ConcurrentHashMap<>();
    /** For what components note whose test is over. */
    private static final Journal LATE = new Journal();

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    public final String id = UUID.randomUUID().toString();
    private final Map<String, Queue<Object>> pages = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counters = new ConcurrentHashMap<>();

    public Journal() {
        ALL.put(id, this);
    }

    public static Journal of(String id) {
        return ALL.getOrDefault(id, LATE);
    }

    public void forget() {
        ALL.remove(id);
    }

    public void note(String page, Object what) {
        pages.computeIfAbsent(page, any -> new ConcurrentLinkedQueue<>()).add(what);
        synchronized (this) {
            notifyAll();
        }
    }

    public AtomicInteger counter(String name) {
        return counters.computeIfAbsent(name, any -> new AtomicInteger());
    }

    public List<Object> page(String page) {
        return List.copyOf(pages.getOrDefault(page, new ConcurrentLinkedQueue<>()));
    }

    public int size(String page) {
        return pages.getOrDefault(page, new ConcurrentLinkedQueue<>()).size();
    }

    /** Waits until so much is on a page. */
    public void await(String page, int entries) {
        await(page + " has " + entries + " entries", () -> size(page) >= entries);
    }

    public void await(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                StringBuilder sizes = new StringBuilder();
                pages.forEach((page, entries) ->
                        sizes.append(' ').append(page).append(": ").append(entries.size()));
                throw new AssertionError("not within " + PATIENCE + ": " + what + ";" + sizes);
            }
            try {
                synchronized (this) {
                    wait(20); // a counter or something else may have changed
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }
}
