// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.graph.TopologyGraph;

/** Runs topologies somewhere. Any thread may call; each {@link #start} is a job of its own. */
public interface Runner {
    /**
     * Starts a job and returns as soon as it has begun. What fails after that is told by {@link RunningJob#await()}.
     *
     * @throws io.thalweg.api.graph.TopologyException if the graph cannot run there, or not with these settings
     * @throws JobFailedException if it cannot be started
     */
    RunningJob start(TopologyGraph graph);

    /** How the graph would run there, for a person to read. */
    String explain(TopologyGraph graph);
}
