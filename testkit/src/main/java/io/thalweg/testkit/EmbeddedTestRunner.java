// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.JobStats;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs topologies on the embedded engine, stepped if it has no threads. */
final class EmbeddedTestRunner implements TestRunner {
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final RunSettings settings;
    private final Set<HardCase> hard;
    private final long seed;

    EmbeddedTestRunner(RunSettings settings, Set<HardCase> hard, long seed) {
        this.settings = hard.contains(HardCase.SMALL_BATCHES) ? settings.withSteps(1, 2, 1) : settings;
        this.hard = Set.copyOf(hard);
        this.seed = seed;
    }

    @Override
    public Outcome run(TopologyGraph graph) throws Exception {
        Map<String, CollectSink<Object>> sinks = new LinkedHashMap<>();
        TopologyGraph collecting = collecting(graph, sinks);
        Job job = new EmbeddedRunner(settings).start(harden(collecting, hard, seed));
        if (settings.threads() == 0) {
            stepToEnd(job);
        } else if (!job.await(LONGEST)) {
            IllegalStateException failure = Stacks.addTo(
                    new IllegalStateException("the job did not end within " + LONGEST + ": " + job.stats()));
            job.cancel();
            throw failure;
        }
        return outcome(job.await(), sinks);
    }

    /** The same topology with sinks that collect records. */
    static TopologyGraph collecting(TopologyGraph graph, Map<String, CollectSink<Object>> sinks) {
        return GraphRewrite.sinks(graph, (node, sink) -> {
            CollectSink<Object> collect =
                    CollectSink.of(graph.inputsOf(node).get(0).type());
            sinks.put(node.name(), collect);
            return collect;
        });
    }

    static Outcome outcome(JobStats stats, Map<String, CollectSink<Object>> sinks) {
        Map<String, List<Object>> records = new LinkedHashMap<>();
        sinks.forEach((name, sink) -> {
            if (!sink.finished()) {
                throw new IllegalStateException("the job ended, but not all tasks of sink '" + name + "' finished");
            }
            records.put(name, sink.records());
        });
        return new Outcome(records, stats.recordsBad(), stats.recordsLate());
    }

    static void stepToEnd(Job job) {
        StepLimit limit = new StepLimit(job);
        while (job.step()) {
            limit.stepped();
        }
    }

    /** The same topology with those hard cases that change the graph. */
    static TopologyGraph harden(TopologyGraph graph, Set<HardCase> hard, long seed) {
        TopologyGraph harder = graph;
        if (hard.contains(HardCase.EMPTY_POLLS)) {
            harder = GraphRewrite.sources(harder, (node, source) -> new HesitantSource<>(source, seed + node.id()));
        }
        if (hard.contains(HardCase.ALIGNED)) {
            harder = GraphRewrite.aligned(harder);
        }
        if (hard.contains(HardCase.CODECS)) {
            harder = GraphRewrite.checkCodecs(harder);
        }
        return hard.contains(HardCase.SERIALIZED)
                ? Serialized.copyOf(harder, "topology '" + harder.name() + "'")
                : harder;
    }
}
