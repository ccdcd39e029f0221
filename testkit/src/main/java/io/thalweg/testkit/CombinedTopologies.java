// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Combines many topologies into one, without connections between them: for runners that take seconds to start a job.
 */
public final class CombinedTopologies {
    private CombinedTopologies() {}

    /** The combined graph. Operators of the n-th graph are named {@code n: operator}. */
    public static TopologyGraph of(String name, List<TopologyGraph> graphs) {
        List<Node> nodes = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        List<Edge> feedback = new ArrayList<>();
        for (int number = 0; number < graphs.size(); number++) {
            int first = nodes.size();
            for (Node node : graphs.get(number).nodes()) {
                nodes.add(new Node(
                        first + node.id(),
                        number + ": " + node.name(),
                        node.named(),
                        node.spec(),
                        node.parallelism(),
                        node.isolated(),
                        node.blocking(),
                        node.output(),
                        node.timed()));
            }
            graphs.get(number).edges().forEach(edge -> edges.add(moved(edge, first)));
            graphs.get(number).feedback().forEach(edge -> feedback.add(moved(edge, first)));
        }
        return new TopologyGraph(name, nodes, edges, feedback);
    }

    private static Edge moved(Edge edge, int by) {
        return new Edge(by + edge.from(), edge.port(), by + edge.to(), edge.input(), edge.grouping(), edge.type());
    }

    /** The records of the sinks of the n-th graph, under the names that they have there. */
    public static Map<String, List<Object>> sinks(Outcome outcome, int number) {
        String prefix = number + ": ";
        Map<String, List<Object>> sinks = new LinkedHashMap<>();
        outcome.sinks().forEach((name, records) -> {
            if (name.startsWith(prefix)) {
                sinks.put(name.substring(prefix.length()), records);
            }
        });
        return sinks;
    }
}
