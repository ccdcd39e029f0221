// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.SeveralAggregates;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A whole topology as immutable, checked data, which every runner runs as it is. Made by {@link
 * io.thalweg.api.topology.Topology#graph}.
 *
 * @param name of the topology
 * @param nodes its operators, in topological order; the index of a node is its id
 * @param edges the streams between them, from lower to higher ids
 * @param feedback streams that lead back to an operator before, or to the same one
 */
public record TopologyGraph(String name, List<Node> nodes, List<Edge> edges, List<Edge> feedback)
        implements Serializable {
    /** Copies the lists. */
    public TopologyGraph {
        nodes = List.copyOf(nodes);
        edges = List.copyOf(edges);
        feedback = List.copyOf(feedback);
    }

    /** A graph without feedback. */
    public TopologyGraph(String name, List<Node> nodes, List<Edge> edges) {
        this(name, nodes, edges, List.of());
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
            addLoops(warnings, node);
        }
        return warnings;
    }

    /** What a sink writes to a topic that the job reads comes back to it. */
    private void addLoops(List<String> warnings, Node node) {
        Sink<Object> sink = node.spec().sink();
        for (WriteTarget place : sink == null ? List.<WriteTarget>of() : sink.writes()) {
            Node reader = place instanceof WriteTarget.Topic ? readerOf(place) : null;
            if (reader != null) {
                warnings.add("topology '" + name + "', operator '" + node.name() + "': it writes to " + place
                        + ", which operator '" + reader.name()
                        + "' reads: the job reads its own results, without an end unless it drops them");
            }
        }
    }

    /** The first operator that reads what is written to a place, as its input or as a table; null if none does. */
    public @Nullable Node readerOf(WriteTarget place) {
        for (Node node : nodes) {
            Source<Object> source = node.spec().source();
            Source<Object> table = node.spec().table();
            if ((source != null && source.reads(place)) || (table != null && table.reads(place))) {
                return node;
            }
        }
        return null;
    }

    /** What it asks of a runner beyond what every runner does, with the operators that do. */
    public Map<GraphFeature, List<String>> features() {
        Map<GraphFeature, List<String>> features = new EnumMap<>(GraphFeature.class);
        for (Node node : nodes) {
            if (node.spec() instanceof NodeSpec.Process process && process.ticks()) {
                use(features, GraphFeature.TICKS, node);
            }
            if (node.spec() instanceof NodeSpec.Process process && process.asynchronous()) {
                use(features, GraphFeature.OWN_THREADS, node);
            }
        }
        for (Edge edge : edges) {
            if (edge.grouping() instanceof Grouping.Direct) {
                use(features, GraphFeature.DIRECT_GROUPING, node(edge.to()));
            }
        }
        feedback.forEach(edge -> use(features, GraphFeature.FEEDBACK, node(edge.to())));
        return features;
    }

    private static void use(Map<GraphFeature, List<String>> features, GraphFeature feature, Node node) {
        features.computeIfAbsent(feature, unused -> new ArrayList<>()).add(node.name());
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
