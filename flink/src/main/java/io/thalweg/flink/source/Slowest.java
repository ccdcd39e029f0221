// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.connector.SplitAlignment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/** Watermark alignment between the tasks of a source: sends each task the watermark of the slowest split of the others. */
final class Slowest {
    private final SplitEnumeratorContext<Split> context;
    private final Map<Integer, Map<String, Long>> byTask = new TreeMap<>();
    private final Map<Integer, Map<String, Long>> reported = new HashMap<>();

    /** Tasks that have reached the end of their input; sending an event to a task that has ended would fail the job. */
    private final Set<Integer> over = new HashSet<>();

    private boolean begun;

    Slowest(SplitEnumeratorContext<Split> context) {
        this.context = context;
    }

    /** A task reports its watermark. */
    void reached(int task, SlowestWatermarkEvent now) {
        byTask.put(task, now.watermarks());
        if (now.over()) {
            over.add(task);
            context.sendEventToSourceReader(task, new SlowestWatermarkEvent(Map.of(), true));
        }
        if (!begun) {
            begun = true;
            context.callAsync(() -> true, (done, failure) -> send(), 0, SplitsReader.TELL_EVERY_MS);
        }
    }

    /** A task has started, and has not reported a watermark yet. */
    void begins(int task) {
        byTask.remove(task);
        reported.remove(task);
        over.remove(task);
    }

    private void send() {
        for (int task : context.registeredReaders().keySet()) {
            Map<String, Long> others = others(task);
            if (!over.contains(task) && !others.isEmpty() && !others.equals(reported.put(task, others))) {
                context.sendEventToSourceReader(task, new SlowestWatermarkEvent(others, false));
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
