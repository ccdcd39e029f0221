// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.Timing;
import io.thalweg.api.graph.TopologyGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Rewrites graphs so that they have the same result and are harder to run. */
final class GraphRewrite {
    private GraphRewrite() {}

    /** Replaces each source by the result of a function. */
    static TopologyGraph sources(TopologyGraph graph, BiFunction<Node, Source<Object>, Source<Object>> change) {
        return nodes(graph, node -> {
            Source<Object> source = node.spec().source();
            return source == null ? node.spec() : new NodeSpec.Source(change.apply(node, source));
        });
    }

    /** Replaces each sink by the result of a function. */
    static TopologyGraph sinks(TopologyGraph graph, BiFunction<Node, Sink<Object>, Sink<Object>> change) {
        return nodes(graph, node -> {
            Sink<Object> sink = node.spec().sink();
            return sink == null ? node.spec() : new NodeSpec.Sink(change.apply(node, sink));
        });
    }

    /** Turns on watermark alignment wherever event times are read. */
    static TopologyGraph aligned(TopologyGraph graph) {
        return nodes(
                graph,
                node -> node.spec().timing() == Timing.ASSIGNS
                        ? NodeSpec.EventTime.aligned(node.spec(), 0)
                        : node.spec());
    }

    private interface Change {
        NodeSpec of(Node node);
    }

    private static TopologyGraph nodes(TopologyGraph graph, Change change) {
        List<Node> nodes = new ArrayList<>();
        for (Node node : graph.nodes()) {
            nodes.add(new Node(
                    node.id(),
                    node.name(),
                    node.named(),
                    change.of(node),
                    node.parallelism(),
                    node.isolated(),
                    node.blocking(),
                    node.output(),
                    node.timed()));
        }
        return new TopologyGraph(graph.name(), nodes, graph.edges(), graph.feedback());
    }

    /** Adds an operator to each edge that passes records through their codec, fused with the operator before. */
    static TopologyGraph checkCodecs(TopologyGraph graph) {
        List<Node> nodes = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        int[] moved = new int[graph.nodes().size()];
        for (Node node : graph.nodes()) {
            List<Edge> inputs = new ArrayList<>();
            for (Edge edge : graph.inputsOf(node)) {
                Node from = nodes.get(moved[edge.from()]);
                Node check = check(nodes.size(), from, edge, node);
                nodes.add(check);
                edges.add(new Edge(from.id(), edge.port(), check.id(), 0, new Grouping.Auto(), edge.type()));
                inputs.add(new Edge(check.id(), Edge.MAIN, nodes.size(), edge.input(), edge.grouping(), edge.type()));
            }
            moved[node.id()] = nodes.size();
            for (Edge input : inputs) {
                edges.add(new Edge(
                        input.from(), input.port(), nodes.size(), input.input(), input.grouping(), input.type()));
            }
            nodes.add(new Node(
                    nodes.size(),
                    node.name(),
                    node.named(),
                    node.spec(),
                    node.parallelism(),
                    node.isolated(),
                    node.blocking(),
                    node.output(),
                    node.timed()));
        }
        List<Edge> feedback = graph.feedback().stream()
                .map(edge -> new Edge(
                        moved[edge.from()], edge.port(), moved[edge.to()], edge.input(), edge.grouping(), edge.type()))
                .toList();
        return new TopologyGraph(graph.name(), nodes, edges, feedback);
    }

    private static Node check(int id, Node from, Edge edge, Node to) {
        String port = edge.port().equals(Edge.MAIN) ? "" : " (" + edge.port() + ")";
        String name = "codec check " + id + ": " + from.name() + port + " to " + to.name();
        NodeSpec spec = new NodeSpec.Map(new CodecCheck(edge.type(), from.name() + port));
        return new Node(id, name, false, spec, from.parallelism(), false, from.blocking(), edge.type(), from.timed());
    }
}
