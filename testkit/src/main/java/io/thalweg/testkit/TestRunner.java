// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.oracle.Interpretation;
import io.thalweg.testkit.oracle.SequentialInterpreter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A way to run a bounded topology to its end and to collect its results: embedded, with crashes, on another runner, or
 * by the sequential oracle. The topology's own sinks are not opened. Contract tests run the same topologies on every
 * road and compare.
 */
@FunctionalInterface
public interface TestRunner {
    /**
     * Runs the graph to its end.
     *
     * @throws Exception if the job failed
     */
    Outcome run(TopologyGraph graph) throws Exception;

    /**
     * The embedded engine.
     *
     * @param seed of the random decisions in the hard cases
     */
    static TestRunner embedded(RunSettings settings, Set<HardCase> hard, long seed) {
        return new EmbeddedTestRunner(settings, hard, seed);
    }

    /**
     * The embedded engine with exactly-once, killed at some steps, and each time restored from its last checkpoint.
     *
     * @param directory empty, for the checkpoints
     */
    static TestRunner crashing(RunSettings settings, Set<HardCase> hard, long seed, Path directory) {
        return new CrashingTestRunner(settings, hard, seed, directory);
    }

    /** A runner whose tasks run in this JVM: sinks collect records through static fields. */
    static TestRunner of(Runner runner) {
        return new InProcessTestRunner(runner);
    }

    /**
     * Like {@link #of}, with sinks that write to directories.
     *
     * @param folder empty
     * @param text makes a sink of lines into a directory
     */
    static TestRunner writing(Runner runner, Path folder, Function<String, Sink<String>> text) {
        return new WritingTestRunner(runner, folder, text);
    }

    /** The same runner, with watermark alignment wherever event times are read. */
    static TestRunner aligned(TestRunner road) {
        return graph -> road.run(GraphRewrite.aligned(graph));
    }

    /** The oracle, with which all other runners are compared. */
    static TestRunner sequential(int parallelism) {
        return graph -> {
            Interpretation interpretation = SequentialInterpreter.interpret(graph, parallelism);
            Map<String, List<Object>> sinks = new LinkedHashMap<>();
            interpretation.sinks().forEach((sink, elements) -> sinks.put(sink, interpretation.values(sink)));
            return new Outcome(sinks, interpretation.recordsBad(), interpretation.recordsLate());
        };
    }
}
