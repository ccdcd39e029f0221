// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs topologies on any runner that runs in this JVM, with sinks that collect records. */
final class InProcessTestRunner implements TestRunner {
    private static final Duration LONGEST = Duration.ofMinutes(2);
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
            List<Exception> stacks = stacks();
            job.cancel();
            boolean stopped = job.await(LONGEST_STOP);
            IllegalStateException failure = new IllegalStateException("the job did not end within " + LONGEST + ", and "
                    + (stopped ? "was cancelled: " : "could not be cancelled: ") + job.stats());
            stacks.forEach(failure::addSuppressed);
            throw failure;
        }
        return EmbeddedTestRunner.outcome(job.await(), sinks);
    }

    /** Of all threads, for whoever asks why a job did not end. */
    private static List<Exception> stacks() {
        List<Exception> stacks = new ArrayList<>();
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            Exception stack = new Exception("thread " + thread.getName() + ", " + thread.getState());
            stack.setStackTrace(frames);
            stacks.add(stack);
        });
        return stacks;
    }
}
