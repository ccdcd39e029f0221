// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import java.io.Serializable;
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

    public Node node(int id) {
        return nodes.get(id);
    }
}
