// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Runs topologies on the embedded engine, step by step, takes checkpoints periodically, kills or cancels the job at some step
 * and continues from the last one, repeatedly, each time with another parallelism where the results allow it.
 */
final class CrashingTestRunner implements TestRunner {
    private static final int MOST_TASKS = 4;

    private final RunSettings settings;
    private final Set<HardCase> hard;
    private final long seed;
    private final Path directory;

    CrashingTestRunner(RunSettings settings, Set<HardCase> hard, long seed, Path directory) {
        RunSettings stepped = settings.withThreads(0);
        this.settings = hard.contains(HardCase.SMALL_BATCHES) ? stepped.withSteps(1, 2, 1) : stepped;
        this.hard = Set.copyOf(hard);
        this.seed = seed;
        this.directory = directory;
    }

    @Override
    public Outcome run(TopologyGraph graph) throws Exception {
        Random random = new Random(seed);
        CheckpointSettings checkpoints = CheckpointSettings.in(directory).restoringLatest();
        boolean givesUp = seed % 2 == 0; // aborts a checkpoint that is not complete when the next one is requested
        RunSettings guarded = settings.withGuarantee(
                Guarantee.EXACTLY_ONCE, givesUp ? checkpoints.withTimeout(Duration.ofNanos(1)) : checkpoints);
        boolean broadcasts = graph.edges().stream().anyMatch(edge -> emittedByEachTask(graph, edge));
        int crashes = 1 + random.nextInt(5);
        for (int crash = 0; ; crash++) {
            Map<String, CollectSink<Object>> sinks = new LinkedHashMap<>();
            TopologyGraph harder =
                    EmbeddedTestRunner.harden(EmbeddedTestRunner.collecting(graph, sinks), hard, seed + crash);
            RunSettings run =
                    crash == 0 || broadcasts ? guarded : guarded.withParallelism(1 + random.nextInt(MOST_TASKS));
            Job job = new EmbeddedRunner(run).start(harder);
            int last = crash < crashes ? random.nextInt(1 << random.nextInt(12)) : Integer.MAX_VALUE;
            if (ends(job, last, 1 + random.nextInt(60), random)) {
                return EmbeddedTestRunner.outcome(job.await(), sinks);
            }
            if (random.nextInt(3) == 0) {
                job.cancel();
            } else {
                job.kill();
            }
            EmbeddedTestRunner.stepToEnd(job);
        }
    }

    /** A broadcast makes more records if there are more tasks, unless it only changes what a keyed operator does. */
    private static boolean emittedByEachTask(TopologyGraph graph, Edge edge) {
        boolean keyed = graph.node(edge.to()).spec().keyedBy(0) != null;
        return edge.grouping().copies() && !keyed;
    }

    private static boolean ends(Job job, int mostSteps, int everySteps, Random random) {
        StepLimit limit = new StepLimit(job);
        for (int step = 0; step < mostSteps; step++) {
            if (random.nextInt(everySteps) == 0) {
                job.checkpoint();
            }
            if (!job.step()) {
                return true;
            }
            limit.stepped();
        }
        return false;
    }
}
