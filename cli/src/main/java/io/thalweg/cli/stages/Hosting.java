// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.GraphFeature;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import io.thalweg.engine.HostedSettings;
import io.thalweg.run.BadLimit;
import io.thalweg.run.FeatureRules;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Tolerance;
import java.util.List;
import java.util.Set;

/** How the tasks of a job run one by one on the caller's thread. */
final class Hosting {
    /** Of a turn of a source. */
    private static final int STEP = 256;

    static final HostedSettings SETTINGS = new HostedSettings(
            1, true, false, BadLimit.none(), STEP, Guarantee.NONE, false, false, 1, null, Tolerance.NONE, "stages");

    /** All tasks are open, and each may finish by itself. */
    static final HostedOrders GO = new HostedOrders(1, 0, 0, Long.MAX_VALUE, true, true, false, true, 0, List.of());

    private Hosting() {}

    /** @throws io.thalweg.api.graph.TopologyException if tasks of this graph cannot run one by one */
    static HostedPlan plan(TopologyGraph job, StageGraphs graphs) {
        FeatureRules.check(job, "thalweg stages", Set.of(GraphFeature.DIRECT_GROUPING, GraphFeature.TICKS));
        return new HostedPlan(graphs.graph(), 1);
    }

    static JobFailedException failure(String topology, String task, Throwable thrown) {
        return new JobFailedException(HostedPlan.failure(topology, task, thrown), thrown);
    }
}
