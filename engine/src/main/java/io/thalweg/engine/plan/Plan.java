// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.Timing;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.run.ChainBreak;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a graph runs: the parallelism of each operator, which edges are fused, and the resulting chains. */
public final class Plan {
    private final TopologyGraph graph;
    private final int[] parallelism;

    /** Runs on a thread of its own. */
    private final boolean[] blocking;

    /** Why an edge is not fused; absent if it is. */
    private final Map<Edge, String> apart = new HashMap<>();

    private final List<Chain> chains = new ArrayList<>();

    /** @throws TopologyException if the graph cannot run with this parallelism */
    public Plan(TopologyGraph graph, int defaultParallelism) {
        this.graph = graph;
        parallelism = new int[graph.nodes().size()];
        blocking = new boolean[graph.nodes().size()];
        for (Node node : graph.nodes()) {
            parallelism[node.id()] = graph.parallelism(node, defaultParallelism);
        }
        for (Node node : graph.nodes()) {
            blocking[node.id()] = node.blocking() || keepsToBlockingSource(node);
        }
        for (Edge edge : graph.edges()) {
            String reason = whyApart(edge);
            if (reason != null) {
                apart.put(edge, reason);
            }
        }
        for (Edge edge : graph.feedback()) {
            checkForward(edge);
            apart.put(edge, ChainBreak.ledBack(graph.node(edge.to())));
        }
        gatherChains();
        checkEventTime();
    }

    /** True if the node only passes records on or reads their times, so that it may share the thread of a blocking source. */
    private boolean keepsToBlockingSource(Node node) {
        NodeSpec spec = node.spec();
        List<Edge> inputs = graph.inputsOf(node);
        return inputs.size() == 1
                && !isLedBackTo(node)
                && spec.passesInputOn()
                && !spec.stateful()
                && spec.table() == null
                && blocking[inputs.get(0).from()]
                && (graph.node(inputs.get(0).from()).spec().source() != null
                        || keepsToBlockingSource(graph.node(inputs.get(0).from())));
    }

    private boolean isLedBackTo(Node node) {
        return graph.feedback().stream().anyMatch(edge -> edge.to() == node.id());
    }

    private void checkForward(Edge edge) {
        int before = parallelism[edge.from()];
        int after = parallelism[edge.to()];
        if (edge.grouping().needsEqualParallelism() && before != after) {
            throw new TopologyException(
                    graph.name(),
                    graph.node(edge.to()).name(),
                    "forward from '" + graph.node(edge.from()).name() + "' needs equal parallelism, but it is " + before
                            + " there and " + after + " here");
        }
    }

    private @Nullable String whyApart(Edge edge) {
        Node from = graph.node(edge.from());
        Node to = graph.node(edge.to());
        int before = parallelism[from.id()];
        int after = parallelism[to.id()];
        checkForward(edge);
        if (isLedBackTo(to)) {
            return ChainBreak.ledBack(to);
        }
        if (graph.inputsOf(to).size() > 1) {
            return ChainBreak.severalInputs(to);
        }
        if (to.spec().asynchronous()) {
            return ChainBreak.awaitsAnswers(to);
        }
        if (from.isolated() || to.isolated()) {
            return ChainBreak.isolated(to.isolated() ? to : from);
        }
        if (blocking[from.id()] != blocking[to.id()]) {
            return ChainBreak.mayBlock(blocking[to.id()] ? to : from);
        }
        if ((before == 1 && after == 1) || straight(edge)) {
            return null;
        }
        return ChainBreak.regrouped(edge, before, after);
    }

    /** True if records go from task i to task i. */
    public boolean straight(Edge edge) {
        boolean equal = parallelism[edge.from()] == parallelism[edge.to()];
        return equal && edge.grouping().leadsOn();
    }

    private void gatherChains() {
        Map<Integer, List<Node>> byHead = new HashMap<>();
        int[] headOf = new int[parallelism.length];
        List<Integer> heads = new ArrayList<>();
        for (Node node : graph.nodes()) {
            List<Edge> inputs = graph.inputsOf(node);
            boolean fused = inputs.size() == 1 && fused(inputs.get(0));
            headOf[node.id()] = fused ? headOf[inputs.get(0).from()] : node.id();
            if (!fused) {
                heads.add(node.id());
            }
            byHead.computeIfAbsent(headOf[node.id()], head -> new ArrayList<>()).add(node);
        }
        for (int head : heads) {
            List<Node> nodes = byHead.getOrDefault(head, List.of());
            chains.add(new Chain(chains.size(), List.copyOf(nodes), parallelism[head], blocking[head]));
        }
    }

    private void checkEventTime() {
        for (Chain chain : chains) {
            for (Node node : chain.nodes()) {
                if (node.spec().timing() == Timing.ASSIGNS
                        && chain.head().spec().source() == null) {
                    throw new TopologyException(
                            graph.name(),
                            node.name(),
                            "eventTime must run in its source's task, but '"
                                    + chain.head().name() + "' before it does not; give both the same parallelism");
                }
            }
        }
    }

    public TopologyGraph graph() {
        return graph;
    }

    public int parallelism(Node node) {
        return parallelism[node.id()];
    }

    public boolean fused(Edge edge) {
        return !apart.containsKey(edge);
    }

    @Nullable String reason(Edge edge) {
        return apart.get(edge);
    }

    public List<Chain> chains() {
        return chains;
    }

    public Chain chainOf(int node) {
        return chains.stream()
                .filter(chain -> chain.nodes().stream().anyMatch(member -> member.id() == node))
                .findFirst()
                .orElseThrow();
    }
}
