// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.SeveralAggregates;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A whole topology as immutable data, checked: every road runs it as it stands. Nodes are in topological order. */
public record TopologyGraph(String name, List<Node> nodes, List<Edge> edges) implements Serializable {
    public TopologyGraph {
        nodes = List.copyOf(nodes);
        edges = List.copyOf(edges);
    }

    public List<Edge> inputsOf(Node node) {
        return edges.stream().filter(edge -> edge.to() == node.id()).toList();
    }

    public List<Edge> outputsOf(Node node) {
        return edges.stream().filter(edge -> edge.from() == node.id()).toList();
    }

    /** What is allowed but likely to be a mistake, a line for the user each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (Node node : nodes) {
            Aggregate<?, ?, ?> aggregate = node.spec().aggregate();
            String warning = aggregate instanceof SeveralAggregates<?, ?, ?> several ? several.warning() : null;
            if (warning != null) {
                warnings.add("topology '" + name + "', operator '" + node.name() + "': " + warning);
            }
        }
        return warnings;
    }

    public Node node(int id) {
        return nodes.get(id);
    }

    /** {@code orders -> till}, {@code payments -> till (second input)}, {@code till (side 'unpaid') -> sink}. */
    public String describe(Edge edge) {
        String port = edge.port().equals(Edge.MAIN) ? "" : " (side '" + edge.port() + "')";
        String input = edge.input() == 0 ? "" : " (second input)";
        return node(edge.from()).name() + port + " -> " + node(edge.to()).name() + input;
    }

    /** Tasks of an operator: as many as it says; one that is just led on to stays as wide as what is before it. */
    public int parallelism(Node node, int defaultParallelism) {
        if (node.parallelism() > 0) {
            return node.parallelism();
        }
        List<Edge> inputs = inputsOf(node);
        return inputs.size() == 1 && inputs.get(0).grouping().leadsOn()
                ? parallelism(nodes.get(inputs.get(0).from()), defaultParallelism)
                : defaultParallelism;
    }
}
