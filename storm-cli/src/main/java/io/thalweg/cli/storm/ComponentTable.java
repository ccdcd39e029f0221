// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.stormdoor.ComponentStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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

    private ComponentTable() {}

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
                    spout ? "" : decimal(each.executeMs()),
                    spout ? "" : decimal(each.processMs()),
                    spout ? decimal(each.completeMs()) : "",
                    spout ? "" : decimal(each.capacity())));
        }
        int[] widths = new int[HEAD.size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        List<String> lines = new ArrayList<>();
        lines.add("topology " + topology);
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ");
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                line.append(' ').append(i == 0 ? row.get(i) + pad : ' ' + pad + row.get(i));
            }
            lines.add(line.toString().stripTrailing());
        }
        for (ComponentStats each : components) {
            if (each.errors() > 0) {
                lines.add("  " + each.component() + " reported " + each.errors() + " errors, the last one: "
                        + each.lastError());
            }
        }
        return lines;
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.3f", number);
    }
}
