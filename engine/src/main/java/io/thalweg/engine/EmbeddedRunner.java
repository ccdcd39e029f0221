// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.graph.GraphFeature;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.engine.plan.Plan;
import io.thalweg.engine.plan.PlanDescription;
import io.thalweg.run.FeatureRules;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.OutputRules;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.SystemsReady;
import java.util.Set;

/** Runs topologies inside this JVM. Any thread may call; each {@link #start} is a job of its own. */
public final class EmbeddedRunner implements Runner {
    private final RunSettings settings;

    public EmbeddedRunner(RunSettings settings) {
        this.settings = settings;
    }

    /**
     * Waits until the systems that sources and sinks talk to answer, starts a job and returns. What fails after that, opening a file
     * included, is thrown by {@link Job#await()}.
     *
     * @throws io.thalweg.api.graph.TopologyException if the graph cannot run with these settings
     * @throws JobFailedException if such a system does not answer, or a source cannot list its splits
     */
    @Override
    public Job start(TopologyGraph graph) {
        check(graph);
        graph.warnings().forEach(settings.warnings());
        SystemsReady.await(graph, settings);
        Job job = new Job(graph, settings);
        job.start();
        return job;
    }

    @Override
    public Set<GraphFeature> features() {
        return Set.of(
                GraphFeature.DIRECT_GROUPING, GraphFeature.TICKS, GraphFeature.OWN_THREADS, GraphFeature.FEEDBACK);
    }

    private void check(TopologyGraph graph) {
        FeatureRules.check(graph, "the embedded engine", features());
        FeatureRules.checkExactlyOnce(graph, settings.guarantee());
        FeatureRules.checkFeedback(graph, settings);
        OutputRules.check(graph, settings);
    }

    @Override
    public PlanInfo plan(TopologyGraph graph) {
        check(graph);
        return PlanDescription.of(new Plan(graph, settings.parallelism()), settings);
    }
}
