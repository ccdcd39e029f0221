// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.TopologyGraph;
import java.util.ArrayList;
import java.util.List;

/**
 * An input of a task that another engine runs: from one upstream task, along one edge.
 *
 * @param link number of the edge in the graph
 * @param chain that the records come from
 * @param task of that chain
 */
public record HostedInput(int link, int chain, int task) {
    /** The inputs of a task, in the order of their numbers. */
    public static List<HostedInput> of(Plan plan, Chain chain, int index) {
        TopologyGraph graph = plan.graph();
        List<HostedInput> inputs = new ArrayList<>();
        for (int link = 0; link < graph.edges().size(); link++) {
            Edge edge = graph.edges().get(link);
            if (edge.to() != chain.head().id()) {
                continue;
            }
            Chain from = plan.chainOf(edge.from());
            for (int task = 0; task < from.parallelism(); task++) {
                if (!plan.straight(edge) || task == index) {
                    inputs.add(new HostedInput(link, from.id(), task));
                }
            }
        }
        return inputs;
    }

    /** By identity: a stream may lead to the same union twice. */
    @SuppressWarnings("ReferenceEquality")
    static int link(TopologyGraph graph, Edge edge) {
        for (int link = 0; link < graph.edges().size(); link++) {
            if (graph.edges().get(link) == edge) {
                return link;
            }
        }
        throw new IllegalArgumentException("the graph has no " + edge);
    }
}
