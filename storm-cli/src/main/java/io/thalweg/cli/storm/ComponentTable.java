// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.api.stats.TaskStats;
import io.thalweg.run.PlainText;
import io.thalweg.stormdoor.ComponentStats;
import io.thalweg.stormdoor.StormRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What each component did, under the names of Storm's UI. */
final class ComponentTable {
    private static final List<String> HEAD = List.of(
            "component",
            "executors",
            "tasks",
            "emitted",
            "transferred",
            "executed",
            "acked",
            "failed",
            "execute ms",
            "process ms",
            "complete ms",
            "capacity");

    private static final List<String> TIMES = List.of("ms", "latency", "mean", "p50", "p90", "p99", "p99.9", "most");

    private ComponentTable() {}

    /** Of one that runs elsewhere, what its tasks did: they are not the components, but chains of operators. */
    static List<String> lines(String topology, StormRun run) {
        List<ComponentStats> components = run.stats();
        return components.isEmpty() ? ofTasks(topology, run.job().stats().tasks()) : lines(topology, components);
    }

    private static List<String> ofTasks(String topology, List<TaskStats> tasks) {
        Map<List<String>, long[]> sums = new LinkedHashMap<>();
        for (TaskStats task : tasks) {
            long[] sum = sums.computeIfAbsent(task.operators(), none -> new long[3]);
            sum[0]++;
            sum[1] += task.recordsIn();
            sum[2] += task.recordsOut();
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("operators", "tasks", "in", "out"));
        sums.forEach((operators, sum) -> rows.add(List.of(
                String.join("+", operators), Long.toString(sum[0]), Long.toString(sum[1]), Long.toString(sum[2]))));
        List<String> lines = new ArrayList<>();
        lines.add("topology " + topology);
        lines.addAll(aligned(rows, 1));
        return lines;
    }

    static List<String> lines(String topology, List<ComponentStats> components) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (ComponentStats each : components) {
            boolean spout = each.spout();
            rows.add(List.of(
                    each.component(),
                    Integer.toString(each.executors()),
                    Integer.toString(each.tasks()),
                    Long.toString(each.emitted()),
                    Long.toString(each.transferred()),
                    spout ? "" : Long.toString(each.executed()),
                    Long.toString(each.acked()),
                    Long.toString(each.failed()),
                    spout ? "" : decimal(each.execute().mean()),
                    spout ? "" : decimal(each.process().mean()),
                    spout ? decimal(each.complete().mean()) : "",
                    spout ? "" : decimal(each.capacity())));
        }
        List<String> lines = new ArrayList<>();
        lines.add("topology " + topology);
        lines.addAll(aligned(rows, 1));
        List<List<String>> times = new ArrayList<>();
        times.add(TIMES);
        for (ComponentStats each : components) {
            add(times, each.component(), "execute", each.execute());
            add(times, each.component(), "process", each.process());
            add(times, each.component(), "complete", each.complete());
        }
        if (times.size() > 1) {
            lines.addAll(aligned(times, 2));
        }
        for (ComponentStats each : components) {
            if (each.errors() > 0) {
                lines.add("  " + each.component() + " reported " + each.errors() + " errors, the last one: "
                        + PlainText.line(String.valueOf(each.lastError())));
            }
        }
        return lines;
    }

    private static void add(List<List<String>> rows, String component, String what, ComponentStats.Latency latency) {
        if (latency.times() > 0) {
            rows.add(List.of(
                    component,
                    what,
                    decimal(latency.mean()),
                    decimal(latency.p50()),
                    decimal(latency.p90()),
                    decimal(latency.p99()),
                    decimal(latency.p999()),
                    decimal(latency.most())));
        }
    }

    /** @param names so many columns, from the left, are text */
    private static List<String> aligned(List<List<String>> rows, int names) {
        int[] widths = new int[rows.get(0).size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ");
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? " " : "  ").append(i < names ? row.get(i) + pad : pad + row.get(i));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.3f", number);
    }
}
