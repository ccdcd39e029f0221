// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.engine.HostedPlan;
import io.thalweg.run.PlanBuilder;
import io.thalweg.run.RunSettings;

/** Describes as data how a topology runs on Storm. */
final class StormPlan {
    private StormPlan() {}

    /** @param graph as submitted */
    static PlanInfo of(TopologyGraph graph, RunSettings settings) {
        PlanBuilder builder = new PlanBuilder(graph, settings);
        if (StormRunner.acks(settings) == null) {
            builder.withoutAcks();
        }
        builder.option("", "watch bolt", "one more task, which takes checkpoints and ends the job");
        return new HostedPlan(graph, settings.parallelism())
                .describe(
                        builder,
                        "Storm",
                        settings.guarantee().words() + ": " + meaning(settings),
                        part -> (part.reads() ? "spout " : "bolt ") + TaskHost.component(part.number()));
    }

    private static String meaning(RunSettings settings) {
        if (settings.checkpoints() != null) {
            return "all machines must see the checkpoints under the same name; if a worker dies, all tasks restart from the"
                    + " last one, and sinks get some rows again: the last of each window and key counts";
        }
        return settings.acks() == null
                ? "Storm's at-most-once; the job fails if a worker dies"
                : "Storm's acks: a tuple that failed or was not acked in time is replayed from the spout's memory";
    }
}
