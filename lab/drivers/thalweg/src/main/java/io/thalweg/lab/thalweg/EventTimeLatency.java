// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures how old records are when they reach a sink, by their event times, to the millisecond: a stage of its own before each sink
 * whose input has event times. Records of before the job began, or of the future, have no latency that says anything of the engine, and are passed on.
 */
final class EventTimeLatency implements Operator<Object, Object> {
    private static final long NS_PER_MS = 1_000_000;

    private final Cell cell;
    private final long sinceMs;
    private @Nullable OperatorContext context;
    private @Nullable SinkMeter meter;

    private EventTimeLatency(Cell cell, long sinceMs) {
        this.cell = cell;
        this.sinceMs = sinceMs;
    }

    /**
     * The graph with such a stage before each sink.
     *
     * @return the graph itself if no sink's input has event times
     */
    static TopologyGraph in(TopologyGraph graph, Cell cell, long sinceMs) {
        List<Node> nodes = new ArrayList<>();
        int[] ids = new int[graph.nodes().size()];
        int[] stages = new int[graph.nodes().size()];
        for (Node node : graph.nodes()) {
            boolean timed = node.spec().sink() != null
                    && graph.inputsOf(node).stream()
                            .anyMatch(edge -> graph.nodes().get(edge.from()).timed());
            if (timed) {
                stages[node.id()] = nodes.size();
                nodes.add(stage(graph, node, nodes.size(), cell, sinceMs));
            } else {
                stages[node.id()] = -1;
            }
            ids[node.id()] = nodes.size();
            nodes.add(copy(node, nodes.size()));
        }
        List<Edge> edges = new ArrayList<>();
        for (Edge edge : graph.edges()) {
            int stage = stages[edge.to()];
            edges.add(copy(edge, ids, stage < 0 ? ids[edge.to()] : stage));
            if (stage >= 0 && stage == edges.get(edges.size() - 1).to() && isFirst(graph, edge)) {
                edges.add(new Edge(stage, Edge.MAIN, ids[edge.to()], 0, new Grouping.Auto(), edge.type()));
            }
        }
        List<Edge> feedback = graph.feedback().stream()
                .map(edge -> copy(edge, ids, ids[edge.to()]))
                .toList();
        return new TopologyGraph(graph.name(), nodes, edges, feedback);
    }

    private static boolean isFirst(TopologyGraph graph, Edge edge) {
        return graph.inputsOf(graph.nodes().get(edge.to())).get(0).equals(edge);
    }

    private static Edge copy(Edge edge, int[] ids, int to) {
        return new Edge(ids[edge.from()], edge.port(), to, edge.input(), edge.grouping(), edge.type());
    }

    private static Node copy(Node node, int id) {
        return new Node(
                id,
                node.name(),
                node.named(),
                node.spec(),
                node.parallelism(),
                node.isolated(),
                node.blocking(),
                node.output(),
                node.timed());
    }

    private static Node stage(TopologyGraph graph, Node sink, int id, Cell cell, long sinceMs) {
        Type<Object> type = graph.inputsOf(sink).get(0).type();
        int required = sink.spec().sink() == null ? 0 : sink.spec().sink().requiredParallelism();
        return new Node(
                id,
                "age before " + sink.name(),
                true,
                new NodeSpec.Process(() -> new EventTimeLatency(cell, sinceMs)),
                sink.parallelism() == 0 ? required : sink.parallelism(),
                false,
                false,
                type,
                true);
    }

    @Override
    public void open(OperatorContext opened) {
        context = opened;
        meter = Meters.of(cell).sink();
    }

    @Override
    public void process(Object value, Output<Object> output) {
        if (context != null && meter != null) {
            long eventMs = context.eventTime();
            long ageMs = System.currentTimeMillis() - eventMs;
            if (eventMs >= sinceMs && ageMs >= 0) {
                meter.timed(ageMs * NS_PER_MS);
            }
        }
        output.emit(value);
    }

    @Override
    public void close() {
        if (meter != null) {
            meter.close();
        }
    }
}
