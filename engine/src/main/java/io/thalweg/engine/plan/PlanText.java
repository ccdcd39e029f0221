// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A plan for a person to read: what {@code --explain} prints. */
public final class PlanText {
    private static final String GAP = "   ";

    private PlanText() {}

    /** @param threads most workers that share the tasks that do not block */
    public static String of(Plan plan, int threads) {
        int tasks = plan.chains().stream().mapToInt(Chain::parallelism).sum();
        int blocking = plan.chains().stream()
                .filter(Chain::blocking)
                .mapToInt(Chain::parallelism)
                .sum();
        int workers = Math.min(threads, tasks - blocking);
        StringBuilder text = new StringBuilder("topology ")
                .append(plan.graph().name())
                .append(": ")
                .append(count(plan.chains().size(), "chain"))
                .append(", ")
                .append(count(tasks, "task"))
                .append(", ")
                .append(count(workers, "worker thread"))
                .append('\n');
        for (Chain chain : plan.chains()) {
            chain(chain, text);
        }
        text.append(edges(plan));
        if (threads > 1) {
            text.append(decoding(plan, threads));
        }
        return text.toString();
    }

    /** Which sources have workers decode what they read; how many depends on how many splits there are when it starts. */
    private static String decoding(Plan plan, int threads) {
        List<List<String>> rows = new ArrayList<>();
        for (Node node : plan.graph().nodes()) {
            Source<Object> source = node.spec().source();
            if (source != null && source.decodesInPieces()) {
                rows.add(List.of(
                        node.name(),
                        "by all " + threads + " workers, if it has " + count(threads / 2, "split")
                                + " at most; else each split by its own reader"));
            }
        }
        return rows.isEmpty() ? "" : "\ndecoding\n" + aligned(rows);
    }

    private static void chain(Chain chain, StringBuilder text) {
        text.append("\nchain ").append(chain.id()).append(": ").append(count(chain.parallelism(), "task"));
        text.append(chain.blocking() ? ", each on a thread of its own\n" : "\n");
        List<List<String>> rows = new ArrayList<>();
        for (Node node : chain.nodes()) {
            String what = node.spec().describe();
            rows.add(List.of(node.name(), what.equals(node.name()) ? "" : what));
        }
        text.append(aligned(rows));
    }

    /** Every edge: from where to where, grouping, tasks, records and their codec, and how it is crossed. */
    private static String edges(Plan plan) {
        TopologyGraph graph = plan.graph();
        List<List<String>> rows = new ArrayList<>();
        for (Edge edge : graph.edges()) {
            Node from = graph.node(edge.from());
            String reason = plan.reason(edge);
            rows.add(List.of(
                    graph.describe(edge),
                    grouping(plan, edge),
                    plan.parallelism(from) + " to " + plan.parallelism(graph.node(edge.to())),
                    codec(edge.type()) + (from.timed() ? ", event time" : ""),
                    reason == null ? "fused" : "not fused: " + reason));
        }
        return "\nedges\n" + aligned(rows);
    }

    /** What was asked for, or what holds if nothing was or a choice was left. */
    public static String grouping(Plan plan, Edge edge) {
        if (plan.straight(edge)) {
            return "forward";
        }
        return edge.grouping().leadsOn() ? "shuffle" : edge.grouping().describe();
    }

    /** {@code Long}, {@code Event (record)}, {@code Image (PngCodec)}. */
    public static String codec(Type<Object> type) {
        Class<?> codec = type.codec().getClass();
        if (!codec.getPackageName().equals(Codec.class.getPackageName())) {
            return type + " (" + codec.getSimpleName() + ")";
        }
        Class<?> raw = type.raw();
        if (raw.isRecord()) {
            return type + " (record)";
        }
        return raw.isEnum() ? type + " (enum)" : type.toString();
    }

    public static String aligned(List<List<String>> rows) {
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

    public static String names(Chain chain) {
        return chain.nodes().stream().map(Node::name).collect(Collectors.joining("+"));
    }
}
