// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.Guarantee;
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
     * Checks that no checkpoints are taken of a graph with feedback, nor needed.
     *
     * @throws TopologyException if they are; the message names the operator that a stream leads back to, or the one with state
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
        if (settings.checkpoints() != null) {
            throw new TopologyException(
                    graph.name(),
                    operators.get(0),
                    "a stream leads back to it, and a checkpoint does not hold the records that are on their way back; use the"
                            + " guarantee none" + (stateful.isEmpty() ? ", or acked without checkpoints" : ""));
        }
        if (settings.guarantee() != Guarantee.NONE && !stateful.isEmpty()) {
            throw new TopologyException(
                    graph.name(),
                    stateful.get(0),
                    "it keeps state, which acks do not restore; a stream leads back to '" + operators.get(0)
                            + "', so that checkpoints cannot restore it either; use the guarantee none");
        }
    }
}
