// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.graph.GraphFeature;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import java.util.Set;

/** Runs topologies: embedded in this JVM, or on a cluster. Thread-safe; each {@link #start} is a job of its own. */
public interface Runner {
    /** The name of the engine in this project, in plans and in {@code --on}. */
    String EMBEDDED = "embedded";

    /**
     * Starts a job and returns as soon as it is running. Later failures are reported by {@link RunningJob#await()}.
     *
     * @throws io.thalweg.api.graph.TopologyException if the graph cannot run here, or not with these settings
     * @throws JobFailedException if it cannot be started
     */
    RunningJob start(TopologyGraph graph);

    /**
     * How the graph would run there.
     *
     * @throws io.thalweg.api.graph.TopologyException if the graph cannot run there, or not with these settings
     */
    PlanInfo plan(TopologyGraph graph);

    /** What it can do of that which not every runner can; it refuses a graph that asks for more. */
    Set<GraphFeature> features();

    /** The {@linkplain #plan plan} for a person to read. */
    default String explain(TopologyGraph graph) {
        return PlanText.of(plan(graph));
    }
}
