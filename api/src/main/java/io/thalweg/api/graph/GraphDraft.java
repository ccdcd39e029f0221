// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Nodes under construction in topological order, with the streams between them. */
final class GraphDraft {
    private final GraphBuilder graph;
    private final List<Link> links;
    private final List<NodeBuilder> order;

    /** A stream whose ends are found. */
    record Link(EdgeBuilder edge, NodeBuilder from, NodeBuilder to) {
        Grouping grouping() {
            return edge.grouping(to);
        }
    }

    /** @throws TopologyException if there is a cycle */
    GraphDraft(GraphBuilder graph, List<NodeBuilder> nodes, List<Link> links) {
        this.graph = graph;
        this.links = links;
        order = order(nodes);
    }

    GraphBuilder graph() {
        return graph;
    }

    /** In topological order; otherwise as they were added. */
    List<NodeBuilder> nodes() {
        return order;
    }

    /** Streams that lead to a node, without feedback. */
    List<Link> into(NodeBuilder node) {
        return links.stream()
                .filter(link -> link.to() == node && !link.edge().isFeedback())
                .toList();
    }

    List<Link> feedback() {
        return links.stream().filter(link -> link.edge().isFeedback()).toList();
    }

    private List<NodeBuilder> order(List<NodeBuilder> nodes) {
        Map<String, NodeBuilder> left = new LinkedHashMap<>();
        nodes.forEach(node -> left.put(node.name(), node));
        List<NodeBuilder> ordered = new ArrayList<>();
        while (!left.isEmpty()) {
            NodeBuilder next = left.values().stream()
                    .filter(node -> into(node).stream()
                            .noneMatch(link -> left.containsKey(link.from().name())))
                    .findFirst()
                    .orElseThrow(() -> cycle(left));
            left.remove(next.name());
            ordered.add(next);
        }
        return ordered;
    }

    /** @param left by their names; each of them is behind another of them */
    private TopologyException cycle(Map<String, NodeBuilder> left) {
        List<String> back = new ArrayList<>();
        NodeBuilder at = left.values().iterator().next();
        while (!back.contains(at.name())) {
            back.add(at.name());
            at = into(at).stream()
                    .map(Link::from)
                    .filter(node -> left.containsKey(node.name()))
                    .findFirst()
                    .orElseThrow();
        }
        List<String> cycle = new ArrayList<>(back.subList(back.indexOf(at.name()), back.size()));
        cycle.add(at.name());
        Collections.reverse(cycle);
        return graph.problem(
                at.name(),
                "its stream leads back to it: " + String.join(" -> ", cycle)
                        + "; remove one of these, or make it feedback()");
    }
}
