// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.GraphFeature;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import java.util.List;
import java.util.Set;

/** What a graph may ask of a runner. */
public final class FeatureRules {
    private FeatureRules() {}

    /**
     * Checks that a runner can do what the graph asks for. A runner calls this before anything else.
     *
     * @param runner for the message: {@code Storm}
     * @param features as in {@link Runner#features}
     * @throws TopologyException if the graph uses another; the message names the operator and the feature
     */
    public static void check(TopologyGraph graph, String runner, Set<GraphFeature> features) {
        graph.features().forEach((feature, operators) -> {
            if (!features.contains(feature)) {
                throw new TopologyException(
                        graph.name(),
                        operators.get(0),
                        "it uses " + feature.words() + ", which " + runner + " does not support; " + feature.instead());
            }
        });
    }

    /**
     * Checks that the guarantee can be given to what the graph asks for.
     *
     * @throws TopologyException if exactly-once is asked for a graph with an operator that emits from threads of its own
     */
    public static void checkExactlyOnce(TopologyGraph graph, Guarantee guarantee) {
        List<String> operators = graph.features().getOrDefault(GraphFeature.OWN_THREADS, List.of());
        if (guarantee == Guarantee.EXACTLY_ONCE && !operators.isEmpty()) {
            throw new TopologyException(
                    graph.name(),
                    operators.get(0),
                    "it uses " + GraphFeature.OWN_THREADS.words()
                            + ", of which a checkpoint cannot know what they have emitted, so exactly-once cannot be guaranteed; use"
                            + " --guarantee acked or at-least-once, or async() for requests that are answered");
        }
    }

    /**
     * Checks that what is led back in a graph with feedback can be kept as the guarantee demands.
     *
     * @throws TopologyException if it cannot; the message names the operator that a stream leads back to, or the one with state
     */
    public static void checkFeedback(TopologyGraph graph, RunSettings settings) {
        List<String> operators = graph.features().getOrDefault(GraphFeature.FEEDBACK, List.of());
        if (operators.isEmpty()) {
            return;
        }
        List<String> stateful = graph.nodes().stream()
                .filter(node -> node.spec().stateful())
                .map(Node::name)
                .toList();
        if (settings.guarantee() == Guarantee.ACKED && !stateful.isEmpty()) {
            throw new TopologyException(
                    graph.name(),
                    stateful.get(0),
                    "it keeps state, which acks do not restore; a stream leads back to '" + operators.get(0)
                            + "', and there acks cannot be combined with checkpoints; use the guarantee exactly-once");
        }
        if (settings.guarantee() == Guarantee.ACKED && settings.checkpoints() != null) {
            throw new TopologyException(
                    graph.name(),
                    operators.get(0),
                    "a stream leads back to it, and there acks cannot be combined with checkpoints; use the guarantee exactly-once, or"
                            + " acked without a directory for checkpoints");
        }
        if (settings.checkpoints() != null) {
            graph.feedback().forEach(edge -> checkSaved(graph, edge));
        }
    }

    /** Checks that a checkpoint can hold what is on its way along a stream that leads back. */
    private static void checkSaved(TopologyGraph graph, Edge edge) {
        String stream = "the stream '" + graph.describe(edge) + "' leads back";
        String to = graph.node(edge.to()).name();
        if (edge.grouping().copies()) {
            throw new TopologyException(
                    graph.name(),
                    to,
                    stream
                            + " to all of its tasks (broadcast), and each may have taken another part of it when a checkpoint is taken;"
                            + " lead it back with another grouping, or use the guarantee none");
        }
        try {
            edge.type().codec();
        } catch (CodecException e) {
            throw new TopologyException(
                    graph.name(),
                    to,
                    stream + ", and a checkpoint cannot hold its records: " + e.getMessage()
                            + "; give the side output a type with a codec, or use the guarantee none");
        }
    }
}
