// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.ProcessingTimers;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.flink.record.CodecType;
import io.thalweg.run.RunSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** How a topology runs on Flink, for a person to read. */
final class Explanation {
    private static final String GAP = "   ";

    private Explanation() {}

    static String of(TopologyGraph graph, RunSettings settings, JobGraph job) {
        List<JobVertex> vertices = job.getVerticesSortedTopologicallyFromSources();
        int tasks = vertices.stream().mapToInt(JobVertex::getParallelism).sum();
        StringBuilder text = new StringBuilder("topology ")
                .append(graph.name())
                .append(" on Flink ")
                .append(EnvironmentInformation.getVersion())
                .append(": ")
                .append(vertices.size())
                .append(vertices.size() == 1 ? " vertex, " : " vertices, ")
                .append(tasks)
                .append(tasks == 1 ? " task\n" : " tasks\n")
                .append("guarantee: ")
                .append(promise(settings))
                .append('\n');
        Map<String, Integer> vertexOf = new HashMap<>();
        for (int i = 0; i < vertices.size(); i++) {
            JobVertex vertex = vertices.get(i);
            List<String> operators = Translation.operators(vertex);
            text.append("\nvertex ")
                    .append(i)
                    .append(": ")
                    .append(vertex.getParallelism())
                    .append(vertex.getParallelism() == 1 ? " task\n" : " tasks\n");
            for (String operator : operators) {
                vertexOf.put(operator, i);
                text.append("  ").append(operator).append('\n');
            }
        }
        return text.append(edges(graph, settings, vertexOf))
                .append(ProcessingTimers.marks(graph))
                .toString();
    }

    private static String promise(RunSettings settings) {
        Guarantee guarantee = settings.guarantee();
        if (guarantee == Guarantee.NONE || settings.checkpoints() == null) {
            return "none";
        }
        String every =
                ", by a checkpoint every " + settings.checkpoints().interval().toMillis() + " ms";
        return guarantee == Guarantee.ACKED
                ? "at-least-once" + every + " (Flink has no acks for single records, so acked becomes at-least-once)"
                : guarantee.words() + every;
    }

    private static String edges(TopologyGraph graph, RunSettings settings, Map<String, Integer> vertexOf) {
        List<List<String>> rows = new ArrayList<>();
        for (Edge edge : graph.edges()) {
            Node from = graph.node(edge.from());
            Node to = graph.node(edge.to());
            boolean chained = vertexOf.getOrDefault(from.name(), -1).equals(vertexOf.getOrDefault(to.name(), -2));
            int before = graph.parallelism(from, settings.parallelism());
            int after = graph.parallelism(to, settings.parallelism());
            boolean straight = before == after && edge.grouping().leadsOn();
            Grouping grouping = edge.grouping();
            rows.add(List.of(
                    graph.describe(edge),
                    grouping.leadsOn() ? straight ? "forward" : "shuffle" : grouping.describe(),
                    before + " to " + after,
                    edge.type() + " (" + CodecType.writtenBy(edge.type(), from.timed()) + ")"
                            + (from.timed() ? ", event time and stamp" : ""),
                    chained ? "chained" : "serialized"));
        }
        return "\nedges\n" + aligned(rows);
    }

    private static String aligned(List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < row.size(); i++) {
                int column = i;
                int width = rows.stream()
                        .mapToInt(each -> each.get(column).length())
                        .max()
                        .orElse(0);
                line.append(row.get(i))
                        .append(" ".repeat(width - row.get(i).length()))
                        .append(GAP);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
