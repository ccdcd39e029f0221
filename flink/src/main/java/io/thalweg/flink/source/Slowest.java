// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.connector.SplitAlignment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/** Tells each task of a source how far the slowest splits of the others have come, for those that wait for them. */
final class Slowest {
    private final SplitEnumeratorContext<Split> context;
    private final Map<Integer, Map<String, Long>> byTask = new TreeMap<>();
    private final Map<Integer, Map<String, Long>> told = new HashMap<>();

    /** Tasks that have read all: what is sent to a task that ends fails the job. */
    private final Set<Integer> over = new HashSet<>();

    private boolean begun;

    Slowest(SplitEnumeratorContext<Split> context) {
        this.context = context;
    }

    /** A task has come so far. */
    void reached(int task, Reached now) {
        byTask.put(task, now.watermarks());
        if (now.over()) {
            over.add(task);
            context.sendEventToSourceReader(task, new Reached(Map.of(), true));
        }
        if (!begun) {
            begun = true;
            context.callAsync(() -> true, (done, failure) -> tell(), 0, SplitsReader.TELL_EVERY_MS);
        }
    }

    /** A task begins, and has not said yet how far it is. */
    void begins(int task) {
        byTask.remove(task);
        told.remove(task);
        over.remove(task);
    }

    private void tell() {
        for (int task : context.registeredReaders().keySet()) {
            Map<String, Long> others = others(task);
            if (!over.contains(task) && !others.isEmpty() && !others.equals(told.put(task, others))) {
                context.sendEventToSourceReader(task, new Reached(others, false));
            }
        }
    }

    private Map<String, Long> others(int task) {
        Map<String, Long> least = new TreeMap<>();
        byTask.getOrDefault(task, Map.of()).keySet().forEach(name -> least.put(name, SplitAlignment.NOT_AWAITED));
        for (int other = 0; other < context.currentParallelism(); other++) {
            if (other != task) {
                Map<String, Long> reached = byTask.getOrDefault(other, Map.of());
                least.replaceAll((name, before) -> Math.min(before, reached.getOrDefault(name, Long.MIN_VALUE)));
            }
        }
        return least;
    }
}
