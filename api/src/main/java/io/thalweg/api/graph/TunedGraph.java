// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * Changes how the operators of a finished graph run, without their topology's code: the graph that comes out does the same. A runner
 * checks it as any other. What cannot be changed is refused with an {@link IllegalArgumentException} whose message is one line.
 */
public final class TunedGraph {
    private TunedGraph() {}

    /**
     * Gives an operator another parallelism.
     *
     * @param tasks from 1 to 256
     * @throws IllegalArgumentException if there is no such operator, or its number of tasks is part of what it does
     */
    public static TopologyGraph withParallelism(TopologyGraph graph, String operator, int tasks) {
        Node node = find(graph, operator);
        Sink<Object> sink = node.spec().sink();
        int required = sink != null ? sink.requiredParallelism() : node.spec() instanceof Limit ? 1 : 0;
        if (required != 0 && required != tasks) {
            throw new IllegalArgumentException("'" + operator + "' runs in " + required
                    + (required == 1 ? " task" : " tasks") + ", not in " + tasks);
        }
        if (graph.features()
                .getOrDefault(GraphFeature.DIRECT_GROUPING, List.of())
                .contains(operator)) {
            throw new IllegalArgumentException(
                    "records name the tasks of '" + operator + "', so their number is part of the job");
        }
        return withNode(graph, node, copy(node, node.spec(), tasks, node.isolated()));
    }

    /**
     * Keeps an operator from being fused with its neighbours, or allows it.
     *
     * @throws IllegalArgumentException if there is no such operator
     */
    public static TopologyGraph withIsolated(TopologyGraph graph, String operator, boolean isolated) {
        Node node = find(graph, operator);
        return withNode(graph, node, copy(node, node.spec(), node.parallelism(), isolated));
    }

    /**
     * Sends the records that come to an operator to all of its tasks in turn, or takes such a shuffle away.
     *
     * @throws IllegalArgumentException if there is no such operator, or none of its inputs can be changed so
     */
    public static TopologyGraph withShuffle(TopologyGraph graph, String operator, boolean shuffled) {
        Node node = find(graph, operator);
        UnaryOperator<Grouping> change = grouping -> {
            boolean changes = shuffled
                    ? grouping instanceof Grouping.InTurn || grouping instanceof Grouping.Forward
                    : grouping instanceof Grouping.Shuffle;
            return !changes ? grouping : shuffled ? new Grouping.Shuffle() : new Grouping.Auto();
        };
        List<Edge> edges = new ArrayList<>();
        boolean changed = false;
        for (Edge edge : graph.edges()) {
            Grouping grouping = edge.to() == node.id() ? change.apply(edge.grouping()) : edge.grouping();
            changed |= !grouping.equals(edge.grouping());
            edges.add(new Edge(edge.from(), edge.port(), edge.to(), edge.input(), grouping, edge.type()));
        }
        if (!changed) {
            throw new IllegalArgumentException(
                    shuffled
                            ? "no input of '" + operator
                                    + "' can be shuffled: it is, or records must go to certain tasks"
                            : "no input of '" + operator + "' is shuffled");
        }
        return new TopologyGraph(graph.name(), graph.nodes(), edges, graph.feedback());
    }

    /**
     * Replaces every sink, so that the job runs without writing.
     *
     * @param replacement of the sink of a node; must require the same parallelism
     */
    public static TopologyGraph withSinks(TopologyGraph graph, Replacement replacement) {
        List<Node> nodes = new ArrayList<>();
        for (Node node : graph.nodes()) {
            Sink<Object> sink = node.spec().sink();
            nodes.add(
                    sink == null
                            ? node
                            : copy(
                                    node,
                                    new NodeSpec.Sink(replacement.of(node, sink)),
                                    node.parallelism(),
                                    node.isolated()));
        }
        return new TopologyGraph(graph.name(), nodes, graph.edges(), graph.feedback());
    }

    /**
     * Replaces every source, so that the job reads otherwise.
     *
     * @param replacement of a source
     */
    public static TopologyGraph withSources(TopologyGraph graph, UnaryOperator<Source<Object>> replacement) {
        return withSources(graph, (node, source) -> replacement.apply(source));
    }

    /**
     * Replaces sources by their place in the graph, so that the job reads otherwise.
     *
     * @param replacement of the source of a node; may be that source itself
     */
    public static TopologyGraph withSources(
            TopologyGraph graph, BiFunction<Node, Source<Object>, Source<Object>> replacement) {
        List<Node> nodes = new ArrayList<>();
        for (Node node : graph.nodes()) {
            Source<Object> source = node.spec().source();
            nodes.add(
                    source == null
                            ? node
                            : copy(
                                    node,
                                    new NodeSpec.Source(replacement.apply(node, source)),
                                    node.parallelism(),
                                    node.isolated()));
        }
        return new TopologyGraph(graph.name(), nodes, graph.edges(), graph.feedback());
    }

    /** Makes a sink that takes the place of another. */
    @FunctionalInterface
    public interface Replacement {
        /** The sink to be used at this node instead of that one. */
        Sink<Object> of(Node node, Sink<Object> sink);
    }

    private static TopologyGraph withNode(TopologyGraph graph, Node before, Node after) {
        List<Node> nodes = new ArrayList<>(graph.nodes());
        nodes.set(before.id(), after);
        return new TopologyGraph(graph.name(), nodes, graph.edges(), graph.feedback());
    }

    private static Node copy(Node node, NodeSpec spec, int parallelism, boolean isolated) {
        return new Node(
                node.id(),
                node.name(),
                node.named(),
                spec,
                parallelism,
                isolated,
                node.blocking(),
                node.output(),
                node.timed());
    }

    private static Node find(TopologyGraph graph, String operator) {
        List<String> names = graph.nodes().stream().map(Node::name).toList();
        int at = names.indexOf(operator);
        if (at < 0) {
            String nearest = Suggestion.of(operator, names);
            throw new IllegalArgumentException("there is no operator '" + operator + "'"
                    + (nearest.isEmpty() ? "; there are " + String.join(", ", names) : nearest));
        }
        return graph.nodes().get(at);
    }
}
