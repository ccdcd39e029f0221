// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import io.thalweg.doctor.observation.PythonWork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/** Adds up what the Python processes of operators told: of each, from the first time to the last. Not thread-safe. */
final class PythonWorks {
    /** They tell twice a second. One that has told nothing for so long has ended. */
    private static final Duration SILENT = Duration.ofSeconds(2);

    /** What a process told at a time: figures that grow. */
    private record Told(
            Instant at,
            String takes,
            String packing,
            long cpuNs,
            long functionNs,
            long waitedNs,
            long threadsNs,
            long rows,
            long batches) {}

    private record Seen(Told first, Told last) {
        long grown(ToLongFunction<Told> figure) {
            return figure.applyAsLong(last) - figure.applyAsLong(first);
        }

        boolean knows(ToLongFunction<Told> figure) {
            return figure.applyAsLong(first) >= 0 && figure.applyAsLong(last) >= 0;
        }
    }

    private final Map<String, Map<Long, Seen>> operators = new HashMap<>();

    void add(RecordedEvent event) {
        add(
                event.getString("operator"),
                event.getLong("pid"),
                new Told(
                        event.getStartTime(),
                        event.getString("takes"),
                        event.getString("packing"),
                        event.getLong("cpuNs"),
                        event.getLong("functionNs"),
                        event.getLong("waitedNs"),
                        event.getLong("threadsNs"),
                        event.getLong("rows"),
                        event.getLong("batches")));
    }

    private void add(String operator, long pid, Told told) {
        operators
                .computeIfAbsent(operator, name -> new LinkedHashMap<>())
                .merge(pid, new Seen(told, told), PythonWorks::both);
    }

    /** A recording is not in the order of time. */
    private static Seen both(Seen one, Seen other) {
        return new Seen(
                one.first().at().isAfter(other.first().at()) ? other.first() : one.first(),
                one.last().at().isAfter(other.last().at()) ? one.last() : other.last());
    }

    /** Operators whose processes told at least twice. */
    Map<String, PythonWork> byOperator() {
        Map<String, PythonWork> works = new HashMap<>();
        operators.forEach((operator, processes) -> {
            List<Seen> seen = new ArrayList<>(processes.values());
            seen.removeIf(each -> each.first().equals(each.last()));
            if (!seen.isEmpty()) {
                works.put(operator, work(seen));
            }
        });
        return works;
    }

    private static PythonWork work(List<Seen> seen) {
        Instant end = seen.stream()
                .map(each -> each.last().at())
                .max(Instant::compareTo)
                .orElseThrow();
        Told any = seen.get(0).last();
        boolean tells = !any.takes().equals("arrow");
        return new PythonWork(
                (int) seen.stream()
                        .filter(each -> each.last().at().isAfter(end.minus(SILENT)))
                        .count(),
                any.takes(),
                any.packing(),
                seen.stream()
                        .mapToLong(each -> Duration.between(
                                        each.first().at(), each.last().at())
                                .toNanos())
                        .sum(),
                sum(seen, Told::rows),
                sum(seen, Told::batches),
                known(seen, Told::cpuNs),
                tells ? known(seen, Told::functionNs) : null,
                tells ? known(seen, Told::waitedNs) : null,
                known(seen, Told::threadsNs));
    }

    private static long sum(List<Seen> seen, ToLongFunction<Told> figure) {
        return seen.stream().mapToLong(each -> each.grown(figure)).sum();
    }

    private static @Nullable Long known(List<Seen> seen, ToLongFunction<Told> figure) {
        return seen.stream().allMatch(each -> each.knows(figure)) ? Long.valueOf(sum(seen, figure)) : null;
    }
}
