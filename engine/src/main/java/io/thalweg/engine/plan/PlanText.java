// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import java.util.stream.Collectors;

/** A plan for a person to read: what {@code --explain} prints. */
public final class PlanText {
    private PlanText() {}

    public static String of(Plan plan) {
        TopologyGraph graph = plan.graph();
        StringBuilder text = new StringBuilder("topology ").append(graph.name()).append('\n');
        for (Chain chain : plan.chains()) {
            text.append("\nchain ").append(chain.id()).append(": ").append(names(chain));
            text.append("\n  ").append(chain.parallelism()).append(chain.parallelism() == 1 ? " task" : " tasks");
            text.append(chain.blocking() ? ", each on a thread of its own\n" : "\n");
            for (Node node : chain.nodes()) {
                text.append("  ")
                        .append(node.name())
                        .append(": ")
                        .append(node.spec().describe());
                if (node.output() != null) {
                    text.append(" -> ").append(node.output());
                }
                text.append(node.timed() ? ", with event time\n" : "\n");
            }
        }
        String apart = graph.edges().stream()
                .filter(edge -> !plan.fused(edge))
                .map(edge -> describe(plan, edge))
                .collect(Collectors.joining());
        return text.append(apart.isEmpty() ? "\nno queues: everything is fused\n" : "\nqueues\n" + apart)
                .toString();
    }

    private static String describe(Plan plan, Edge edge) {
        Chain from = plan.chainOf(edge.from());
        Chain to = plan.chainOf(edge.to());
        String port = edge.port().isEmpty() ? "" : " (side '" + edge.port() + "')";
        return "  " + plan.graph().node(edge.from()).name() + port + " -> "
                + plan.graph().node(edge.to()).name() + ": "
                + edge.grouping().describe() + ", " + from.parallelism() + " to " + to.parallelism()
                + ", records " + edge.type()
                + "\n    not fused: " + plan.reason(edge) + "\n";
    }

    static String names(Chain chain) {
        return chain.nodes().stream().map(Node::name).collect(Collectors.joining(" + "));
    }
}
