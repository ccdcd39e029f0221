// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@link PlanInfo} of a graph: a runner adds its chains and decides how each edge is crossed; what follows from graph and
 * settings alone is described here, in the same words for every runner. Not thread-safe.
 */
public final class PlanBuilder {
    /** How a runner crosses an edge. */
    public interface Crossing {
        /** What writes the edge's records; empty if that follows from their type. */
        String codec(Edge edge);

        /** Why the edge's operators are not in one chain; null if they are. */
        @Nullable String reason(Edge edge);
    }

    private final TopologyGraph graph;
    private final RunSettings settings;
    private final List<PlanInfo.Chain> chains = new ArrayList<>();
    private final Map<String, Integer> chainOf = new HashMap<>();
    private final List<PlanInfo.Option> options = new ArrayList<>();
    private int workers;
    private boolean acked = true;

    /**
     * @param graph whose plan is described
     * @param settings what the job was asked for; they become options of the plan
     */
    public PlanBuilder(TopologyGraph graph, RunSettings settings) {
        this.graph = graph;
        this.settings = settings;
    }

    /** @param runsAs what is special about its tasks; may be empty */
    public void chain(List<String> operators, int parallelism, String runsAs) {
        operators.forEach(operator -> chainOf.put(operator, chains.size()));
        chains.add(new PlanInfo.Chain(chains.size(), operators, parallelism, runsAs));
    }

    /** @param operator that it holds for; empty if it holds for the whole job */
    public void option(String operator, String name, String value) {
        options.add(new PlanInfo.Option(operator, name, value));
    }

    /** @param value threads that share the tasks that do not block; 0, the default, if the job has no such threads */
    public void workers(int value) {
        workers = value;
    }

    /** The runner does not confirm records one by one, whatever the settings say. */
    public void withoutAcks() {
        acked = false;
    }

    /**
     * @param promise the guarantee, with what this runner has to say of it
     * @return with what else the settings promise
     */
    public PlanInfo build(String runner, String promise, Crossing crossing) {
        option("", "guarantee", promise);
        promised();
        return new PlanInfo(
                graph.name(),
                runner,
                workers,
                graph.nodes().stream().map(this::operator).toList(),
                chains,
                Stream.concat(
                                graph.edges().stream().map(edge -> edge(edge, crossing, false)),
                                graph.feedback().stream().map(edge -> edge(edge, crossing, true)))
                        .toList(),
                options);
    }

    private void promised() {
        AckSettings acks = settings.acks();
        if (acks != null && acked) {
            option("", "max-pending", acks.maxPending() + " records of a source task");
            option("", "ack-timeout", acks.timeout().toMillis() + " ms");
        }
        CheckpointSettings checkpoints = settings.checkpoints();
        if (checkpoints != null) {
            option("", "checkpoint-dir", checkpoints.directory().toString());
            option("", "checkpoint-interval", checkpoints.interval().toMillis() + " ms");
            option("", "checkpoint-timeout", checkpoints.timeout().toMillis() + " ms");
        }
        if (settings.restart().times() > 0) {
            option("", "restart", restart(settings.restart()));
        }
        if (settings.tries() > 0) {
            option("", "tries", String.valueOf(settings.tries()));
        }
        if (settings.queueBatches() != RunSettings.QUEUE_BATCHES) {
            option("", "queue", settings.queueBatches() + " batches");
        }
        if (settings.batchRecords() != RunSettings.BATCH_RECORDS) {
            option("", "batch", settings.batchRecords() + " records");
        }
    }

    private static String restart(Restart restart) {
        String times = restart.times() == Integer.MAX_VALUE ? "" : "at most " + restart.times() + " times, ";
        String wait = restart.first().toMillis() + " ms";
        return restart.first().equals(restart.longest())
                ? times + "after " + wait
                : times + "after " + wait + " at first, " + restart.longest().toMillis() + " ms at most";
    }

    private PlanInfo.Operator operator(Node node) {
        NodeSpec spec = node.spec();
        String description = description(spec);
        return new PlanInfo.Operator(
                node.name(),
                spec.kind(),
                description,
                chainOf.getOrDefault(node.name(), -1),
                tasks(node),
                spec.stateful(),
                !description.endsWith(NodeSpec.NOT_DETERMINISTIC));
    }

    /** A connector that cannot describe itself is no reason not to run. */
    private static String description(NodeSpec spec) {
        try {
            return spec.describe();
        } catch (RuntimeException e) {
            return spec.kind() + " (its describe() failed: " + e + ")";
        }
    }

    private PlanInfo.Edge edge(Edge edge, Crossing crossing, boolean feedback) {
        Node from = graph.node(edge.from());
        Node to = graph.node(edge.to());
        String reason = crossing.reason(edge);
        return new PlanInfo.Edge(
                from.name(),
                to.name(),
                edge.port().equals(Edge.MAIN) ? "" : edge.port(),
                edge.input(),
                grouping(edge),
                tasks(from),
                tasks(to),
                edge.type().toString(),
                crossing.codec(edge),
                from.timed(),
                reason == null,
                reason == null ? "" : reason,
                feedback);
    }

    /** What was asked for, or what holds if nothing was or a choice was left. */
    private String grouping(Edge edge) {
        if (!edge.grouping().leadsOn()) {
            return edge.grouping().describe();
        }
        return tasks(graph.node(edge.from())) == tasks(graph.node(edge.to())) ? "forward" : "shuffle";
    }

    private int tasks(Node node) {
        return graph.parallelism(node, settings.parallelism());
    }
}
