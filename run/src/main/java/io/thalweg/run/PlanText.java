// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.stats.PlanInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A plan for a person to read: what {@code --explain} prints, whatever the topology runs on. */
public final class PlanText {
    private static final String GAP = "   ";
    private static final String OF_JOB = "options";

    private PlanText() {}

    /** Lines that end in a line break each. */
    public static String of(PlanInfo plan) {
        int tasks = plan.chains().stream().mapToInt(PlanInfo.Chain::parallelism).sum();
        StringBuilder text = new StringBuilder("topology ")
                .append(plan.topology())
                .append(plan.runner().equals(Runner.EMBEDDED) ? "" : " on " + plan.runner())
                .append(": ")
                .append(count(plan.chains().size(), "chain"))
                .append(", ")
                .append(count(tasks, "task"))
                .append(plan.workers() == 0 ? "" : ", " + count(plan.workers(), "worker thread"))
                .append('\n');
        Map<String, String> descriptions = new HashMap<>();
        plan.operators().forEach(operator -> descriptions.put(operator.name(), operator.description()));
        for (PlanInfo.Chain chain : plan.chains()) {
            text.append("\nchain ").append(chain.number()).append(": ").append(count(chain.parallelism(), "task"));
            text.append(chain.runsAs().isEmpty() ? "" : ", " + chain.runsAs()).append('\n');
            text.append(aligned(chain.operators().stream()
                    .map(name -> List.of(name, described(name, descriptions)))
                    .toList()));
        }
        text.append(section("edges", plan.edges().stream().map(PlanText::edge).toList()));
        options(plan).forEach((name, rows) -> text.append(section(name, rows)));
        return text.toString();
    }

    private static String described(String operator, Map<String, String> descriptions) {
        String description = descriptions.getOrDefault(operator, "");
        return description.equals(operator) ? "" : description;
    }

    /** From where to where, grouping, tasks, records and their codec, and how it is crossed. */
    private static List<String> edge(PlanInfo.Edge edge) {
        return List.of(
                edge.from() + (edge.side().isEmpty() ? "" : " (side '" + edge.side() + "')") + " -> " + edge.to()
                        + (edge.input() == 0 ? "" : " (second input)")
                        + (edge.feedback() ? " (feedback)" : ""),
                edge.grouping(),
                edge.tasksFrom() + " to " + edge.tasksTo(),
                edge.type()
                        + (edge.codec().isEmpty() ? "" : " (" + edge.codec() + ")")
                        + (edge.timed() ? ", event time" : ""),
                edge.fused() ? "fused" : "not fused: " + edge.reason());
    }

    /** Those of operators under the option's name, a row for each operator, then those of the job. */
    private static Map<String, List<List<String>>> options(PlanInfo plan) {
        Map<String, List<List<String>>> sections = new LinkedHashMap<>();
        for (PlanInfo.Option option : plan.options()) {
            if (!option.operator().isEmpty()) {
                sections.computeIfAbsent(option.name(), name -> new ArrayList<>())
                        .add(List.of(option.operator(), option.value()));
            }
        }
        for (PlanInfo.Option option : plan.options()) {
            if (option.operator().isEmpty()) {
                sections.computeIfAbsent(OF_JOB, name -> new ArrayList<>()).add(List.of(option.name(), option.value()));
            }
        }
        return sections;
    }

    private static String section(String name, List<List<String>> rows) {
        return rows.isEmpty() ? "" : "\n" + name + "\n" + aligned(rows);
    }

    private static String aligned(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i))
                        .append(" ".repeat(widths[i] - row.get(i).length()))
                        .append(GAP);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
