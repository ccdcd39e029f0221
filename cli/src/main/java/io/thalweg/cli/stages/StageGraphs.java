// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.Timing;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.PeekFunction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A job's graph with every operator in a task of its own, so that what passes between two of them is seen.
 *
 * @param graph with one task for each operator
 * @param nodes for each node, the id that it has in the job's graph; -1 for one that was added
 * @param edges for each edge, its number in the job's graph; -1 for one that was added
 */
record StageGraphs(TopologyGraph graph, List<Integer> nodes, List<Integer> edges) {
    /** Behind every edge: a record that names another would be refused. */
    private static final Grouping ONE_TASK = new Grouping.Global();

    /**
     * For recording. Event times are assigned in the task of the source; so what is between a source and an operator that
     * does so stays fused with it, and an operator that only looks is put before each.
     *
     * @param look makes what looks at the records of the node with an id of the job's graph
     */
    static StageGraphs recording(TopologyGraph job, IntFunction<PeekFunction<Object>> look) {
        Set<Integer> heads = heads(job);
        List<Node> nodes = new ArrayList<>();
        List<Integer> original = new ArrayList<>();
        int[] entry = new int[job.nodes().size()];
        int[] number = new int[job.nodes().size()];
        for (Node node : job.nodes()) {
            boolean source = node.spec().source() != null;
            if (heads.contains(node.id()) && !source) {
                Node before = job.node(job.inputsOf(node).get(0).from());
                entry[node.id()] = nodes.size();
                nodes.add(new Node(
                        nodes.size(),
                        "before " + node.name(),
                        true,
                        new NodeSpec.Peek(look.apply(node.id())),
                        0,
                        false,
                        false,
                        before.output(),
                        before.timed()));
                original.add(-1);
            } else {
                entry[node.id()] = nodes.size();
            }
            number[node.id()] = nodes.size();
            nodes.add(apart(node, nodes.size(), node.spec(), !heads.contains(node.id()), node.blocking()));
            original.add(node.id());
        }
        List<Edge> edges = new ArrayList<>();
        List<Integer> originalEdges = new ArrayList<>();
        for (Edge edge : job.edges()) {
            int to = edge.to();
            originalEdges.add(job.edges().indexOf(edge));
            edges.add(new Edge(number[edge.from()], edge.port(), entry[to], edge.input(), ONE_TASK, edge.type()));
            if (entry[to] != number[to]) {
                edges.add(new Edge(entry[to], Edge.MAIN, number[to], 0, ONE_TASK, edge.type()));
                originalEdges.add(-1);
            }
        }
        return new StageGraphs(new TopologyGraph(job.name(), nodes, edges), original, originalEdges);
    }

    /** For timing: the same ids as in the job's graph, and what assigns event times does nothing. */
    static StageGraphs timing(TopologyGraph job) {
        List<Node> nodes = new ArrayList<>();
        for (Node node : job.nodes()) {
            NodeSpec spec = node.spec();
            if (spec.timing() == Timing.ASSIGNS) {
                spec = new NodeSpec.Peek(value -> {});
            }
            nodes.add(apart(node, node.id(), spec, true, false));
        }
        List<Edge> edges = job.edges().stream()
                .map(edge -> new Edge(edge.from(), edge.port(), edge.to(), edge.input(), ONE_TASK, edge.type()))
                .toList();
        return new StageGraphs(
                new TopologyGraph(job.name(), nodes, edges), numbers(nodes.size()), numbers(edges.size()));
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static Node apart(Node node, int id, NodeSpec spec, boolean isolated, boolean blocking) {
        return new Node(id, node.name(), node.named(), spec, 1, isolated, blocking, node.output(), node.timed());
    }

    /** The nodes that run in the task of a source because one behind them assigns event times, the source included. */
    private static Set<Integer> heads(TopologyGraph job) {
        Set<Integer> heads = new HashSet<>();
        for (Node node : job.nodes()) {
            if (node.spec().timing() == Timing.ASSIGNS) {
                Node at = node;
                while (heads.add(at.id()) && job.inputsOf(at).size() == 1) {
                    at = job.node(job.inputsOf(at).get(0).from());
                }
            }
        }
        return heads;
    }
}
