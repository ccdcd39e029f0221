// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.OneLine;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at the TaskManagers of a cluster. */
final class TaskManagers {
    /** More are not looked at: each of them is asked for once a second. */
    private static final int MOST = 200;

    private static final Pattern HOST = Pattern.compile("@(.+):\\d+/");
    private static final String CPU = "Status.JVM.CPU.Time";
    private static final String HEAP = "Status.JVM.Memory.Heap.Used";
    private static final String HEAP_MAX = "Status.JVM.Memory.Heap.Max";
    private static final String GC_COUNT = "Status.JVM.GarbageCollector.All.Count";
    private static final String GC_MS = "Status.JVM.GarbageCollector.All.Time";
    private static final String THREADS = "Status.JVM.Threads.Count";
    private static final String NETWORK = "Status.Shuffle.Netty.RequestedMemoryUsage";
    private static final String METRICS = String.join(",", CPU, HEAP, HEAP_MAX, GC_COUNT, GC_MS, THREADS, NETWORK);

    private TaskManagers() {}

    static long slots(FlinkRest rest) throws IOException, InterruptedException {
        return rest.get("/taskmanagers").at("taskmanagers").elements().stream()
                .mapToLong(manager -> manager.at("slotsNumber").count())
                .sum();
    }

    /** @param only ids of those that run tasks of the job; all are looked at if there are none */
    static List<ProcessTotals> look(FlinkRest rest, Set<String> only) throws IOException, InterruptedException {
        List<Answer> all = rest.get("/taskmanagers").at("taskmanagers").elements();
        Map<String, Integer> onHost = new HashMap<>();
        all.forEach(manager -> onHost.merge(host(manager), 1, Integer::sum));
        List<ProcessTotals> totals = new ArrayList<>();
        for (Answer manager : all) {
            String id = manager.at("id").text();
            if ((only.isEmpty() || only.contains(id)) && totals.size() < MOST) {
                int cores = (int) Math.min(manager.at("hardware").at("cpuCores").count(), 100_000);
                totals.add(look(rest, id, Math.max(1, cores / onHost.getOrDefault(host(manager), 1))));
            }
        }
        return totals;
    }

    private static String host(Answer manager) {
        Matcher host = HOST.matcher(manager.at("path").text());
        return host.find() ? host.group(1) : manager.at("path").text();
    }

    private static ProcessTotals look(FlinkRest rest, String id, int cores) throws IOException, InterruptedException {
        Answer metrics =
                rest.find("/taskmanagers/" + URLEncoder.encode(id, StandardCharsets.UTF_8) + "/metrics?get=" + METRICS);
        Map<String, Long> values = new HashMap<>();
        if (metrics != null) { // it may have been lost
            metrics.elements()
                    .forEach(metric -> values.put(
                            metric.at("id").text(), metric.at("value").count()));
        }
        return new ProcessTotals(
                OneLine.of(id),
                cores,
                values.getOrDefault(CPU, 0L),
                values.getOrDefault(THREADS, 0L),
                values.getOrDefault(HEAP, 0L),
                values.getOrDefault(HEAP_MAX, 0L),
                values.getOrDefault(GC_COUNT, 0L),
                values.getOrDefault(GC_MS, 0L),
                values.get(NETWORK));
    }
}
