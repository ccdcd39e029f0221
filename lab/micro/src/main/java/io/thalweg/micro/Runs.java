// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.BadLimit;
import io.thalweg.run.RunSettings;

/** Whole jobs, as a user runs them. */
final class Runs {
    private Runs() {}

    static JobStats run(Topology topology, RunSettings settings) throws InterruptedException {
        return new EmbeddedRunner(settings).start(topology.graph()).await();
    }

    /** One task an operator; threads as by default. */
    static RunSettings narrow() {
        return RunSettings.defaults().withBadLimit(BadLimit.none()).withParallelism(1);
    }
}
