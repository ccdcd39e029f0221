// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.flink.record.CodecType;
import io.thalweg.run.ChainBreak;
import io.thalweg.run.PlanBuilder;
import io.thalweg.run.RunSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.instance.SlotSharingGroupId;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.jspecify.annotations.Nullable;

/** Describes as data how a topology runs on Flink: each vertex of the job is a chain. */
final class FlinkPlan implements PlanBuilder.Crossing {
    private final TopologyGraph graph;
    private final RunSettings settings;
    private final Map<String, JobVertex> vertexOf = new HashMap<>();

    private FlinkPlan(TopologyGraph graph, RunSettings settings) {
        this.graph = graph;
        this.settings = settings;
    }

    static PlanInfo of(TopologyGraph graph, RunSettings settings, JobGraph job) {
        FlinkPlan plan = new FlinkPlan(graph, settings);
        PlanBuilder builder = new PlanBuilder(graph, settings);
        builder.withoutAcks();
        for (JobVertex vertex : job.getVerticesSortedTopologicallyFromSources()) {
            List<String> operators = Translation.operators(vertex);
            operators.forEach(operator -> plan.vertexOf.put(operator, vertex));
            builder.chain(operators, vertex.getParallelism(), "");
        }
        return builder.build("Flink " + EnvironmentInformation.getVersion(), promise(settings), plan);
    }

    private static String promise(RunSettings settings) {
        Guarantee guarantee = settings.guarantee();
        if (guarantee == Guarantee.NONE || settings.checkpoints() == null) {
            return Guarantee.NONE.words();
        }
        if (guarantee == Guarantee.EXACTLY_ONCE) {
            return guarantee.words() + "; print and Sinks.each may repeat records after a restart";
        }
        return guarantee == Guarantee.ACKED
                ? Guarantee.AT_LEAST_ONCE.words()
                        + " (Flink has no acks for single records, so acked becomes at-least-once)"
                : guarantee.words();
    }

    @Override
    public String codec(Edge edge) {
        return CodecType.writtenBy(edge.type(), graph.node(edge.from()).timed());
    }

    /** Why Flink did not chain the operators, by its known rules. */
    @Override
    public @Nullable String reason(Edge edge) {
        Node from = graph.node(edge.from());
        Node to = graph.node(edge.to());
        JobVertex vertex = vertexOf.get(from.name());
        JobVertex behind = vertexOf.get(to.name());
        if (vertex != null && vertex.equals(behind)) {
            return null;
        }
        if (graph.inputsOf(to).size() > 1) {
            return ChainBreak.severalInputs(to);
        }
        if (from.isolated() || to.isolated()) {
            return ChainBreak.isolated(to.isolated() ? to : from);
        }
        if (Translation.keepsApart(from) || Translation.keepsApart(to)) {
            return ChainBreak.mayBlock(Translation.keepsApart(to) ? to : from);
        }
        int before = graph.parallelism(from, settings.parallelism());
        int after = graph.parallelism(to, settings.parallelism());
        if (before != after || !edge.grouping().leadsOn()) {
            return ChainBreak.regrouped(edge, before, after);
        }
        boolean together = vertex == null || behind == null || groupOf(vertex).equals(groupOf(behind));
        return together ? "Flink does not chain them" : "they are in different slot sharing groups";
    }

    private static SlotSharingGroupId groupOf(JobVertex vertex) {
        return vertex.getSlotSharingGroup().getSlotSharingGroupId();
    }
}
