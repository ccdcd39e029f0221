// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.SeveralAggregates;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A whole topology as immutable, checked data, which every runner runs as it is. Made by {@link
 * io.thalweg.api.topology.Topology#graph}.
 *
 * @param name of the topology
 * @param nodes its operators, in topological order; the index of a node is its id
 * @param edges the streams between them
 */
public record TopologyGraph(String name, List<Node> nodes, List<Edge> edges) implements Serializable {
    /** Copies the lists. */
    public TopologyGraph {
        nodes = List.copyOf(nodes);
        edges = List.copyOf(edges);
    }

    /** The edges that lead to a node. */
    public List<Edge> inputsOf(Node node) {
        return edges.stream().filter(edge -> edge.to() == node.id()).toList();
    }

    /** The edges that start at a node. */
    public List<Edge> outputsOf(Node node) {
        return edges.stream().filter(edge -> edge.from() == node.id()).toList();
    }

    /** What is allowed but likely to be a mistake, one line for the user each. */
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

    /** The node with this id. */
    public Node node(int id) {
        return nodes.get(id);
    }

    /**
     * For messages: {@code orders -> till}, {@code payments -> till (second input)}, {@code till (side 'unpaid') ->
     * sink}.
     */
    public String describe(Edge edge) {
        String port = edge.port().equals(Edge.MAIN) ? "" : " (side '" + edge.port() + "')";
        String input = edge.input() == 0 ? "" : " (second input)";
        return node(edge.from()).name() + port + " -> " + node(edge.to()).name() + input;
    }

    /**
     * The number of tasks of an operator: its own parallelism if it has one; otherwise that of the operator before, if
     * records stay in their task; otherwise the default.
     */
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
