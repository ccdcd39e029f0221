// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.graph.GraphFeature;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
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
}
