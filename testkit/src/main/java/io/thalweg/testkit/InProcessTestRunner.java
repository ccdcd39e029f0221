// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs topologies on any runner that runs in this JVM, with sinks that collect records. */
final class InProcessTestRunner implements TestRunner {
    /** On a busy machine a cluster takes minutes to start a job. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final Duration LONGEST_STOP = Duration.ofSeconds(30);

    private final Runner runner;

    InProcessTestRunner(Runner runner) {
        this.runner = runner;
    }

    @Override
    public Outcome run(TopologyGraph graph) throws Exception {
        Map<String, CollectSink<Object>> sinks = new LinkedHashMap<>();
        RunningJob job = runner.start(EmbeddedTestRunner.collecting(graph, sinks));
        if (!job.await(LONGEST)) {
            IllegalStateException failure =
                    Stacks.addTo(new IllegalStateException("the job did not end within " + LONGEST));
            job.cancel();
            boolean stopped = job.await(LONGEST_STOP);
            throw new IllegalStateException(
                    failure.getMessage() + ", and " + (stopped ? "was cancelled: " : "could not be cancelled: ")
                            + job.stats(),
                    failure);
        }
        return EmbeddedTestRunner.outcome(job.await(), sinks);
    }
}
