// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.BadLimit;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs a topology on the test's own thread, step by step, by a clock that the test controls. All sources and sinks are
 * replaced: the test adds records to sources by their names, and reads from sinks by theirs. The hard cases are on
 * unless switched off. Any number of records may be bad: {@link #bad()} returns them. Not thread-safe; must be closed.
 *
 * <pre>{@code
 * Topology topology = Topology.named("test");
 * new Job().define(topology, Settings.none());
 * try (TopologyTester tester = TopologyTester.of(topology)) {
 *     tester.add("readings", new Reading("a", 31.0)).end();
 *     assertThat(tester.records("hot")).hasSize(1);
 * }
 * }</pre>
 */
public final class TopologyTester implements AutoCloseable {
    private static final int MOST_STEPS = 1_000_000;

    /** Hesitant sources return nothing at most once in a row, so two steps without work mean that there is none. */
    private static final int QUIET_STEPS = 2;

    private final Map<String, TestSource<Object>> sources = new LinkedHashMap<>();
    private final Map<String, CollectSink<Object>> sinks = new LinkedHashMap<>();
    private final List<BadRecord> bad = new ArrayList<>();
    private final Job job;
    private static final long NS_PER_MS = 1_000_000;

    private long nowNs = 1;

    /** The test has the failure of the job. */
    private boolean failureThrown;

    private TopologyTester(TopologyGraph graph, Options options) {
        TopologyGraph tested = GraphRewrite.sinks(GraphRewrite.sources(graph, this::source), (node, sink) -> {
            CollectSink<Object> collect =
                    CollectSink.of(graph.inputsOf(node).get(0).type());
            sinks.put(node.name(), collect);
            return collect;
        });
        RunSettings settings = RunSettings.defaults()
                .withThreads(0)
                .withParallelism(options.parallelism)
                .withClock(new Clock() {
                    @Override
                    public long nowNs() {
                        return nowNs;
                    }

                    @Override
                    public long epochMs() {
                        return nowNs / NS_PER_MS;
                    }
                })
                .withBadLimit(BadLimit.none())
                .withBadRecords((topology, operator, record) -> bad.add(record));
        if (options.hard.contains(HardCase.SMALL_BATCHES)) {
            settings = settings.withSteps(1, 2, 1);
        }
        job = new EmbeddedRunner(settings).start(EmbeddedTestRunner.harden(tested, options.hard, options.seed));
    }

    private Source<Object> source(Node node, Source<Object> source) {
        TestSource<Object> test = TestSource.of(source.type());
        sources.put(node.name(), test);
        return test;
    }

    /** How a topology is tested. Immutable: each method returns changed options. */
    public static final class Options {
        private final int parallelism;
        private final Set<HardCase> hard;
        private final long seed;

        private Options(int parallelism, Set<HardCase> hard, long seed) {
            this.parallelism = parallelism;
            this.hard = hard;
            this.seed = seed;
        }

        /** Parallelism 2, all hard cases, seed 1. */
        public static Options defaults() {
            return new Options(2, EnumSet.allOf(HardCase.class), 1);
        }

        /** Sets the parallelism of operators that do not set their own. */
        public Options parallelism(int value) {
            return new Options(value, hard, seed);
        }

        /** Switches a hard case off. */
        public Options without(HardCase hardCase) {
            Set<HardCase> fewer = EnumSet.copyOf(hard);
            fewer.remove(hardCase);
            return new Options(parallelism, fewer, seed);
        }

        /** Sets the seed of everything random in the hard cases. */
        public Options seed(long value) {
            return new Options(parallelism, hard, value);
        }
    }

    /**
     * A tester with the default options.
     *
     * @throws io.thalweg.api.graph.TopologyException if the topology is incomplete
     */
    public static TopologyTester of(Topology topology) {
        return of(topology, Options.defaults());
    }

    /**
     * A tester with these options.
     *
     * @throws io.thalweg.api.graph.TopologyException if the topology is incomplete
     */
    public static TopologyTester of(Topology topology, Options options) {
        return new TopologyTester(topology.graph(), options);
    }

    /** Adds records to a source and runs until there is nothing left to do. */
    public TopologyTester add(String source, Object... records) {
        named(sources, source).addTo(0, List.of(records));
        return run();
    }

    /** Adds records without running, so that records of several sources come together. */
    public TopologyTester prepare(String source, Object... records) {
        named(sources, source).addTo(0, List.of(records));
        return this;
    }

    /** Runs until there is nothing left to do. */
    public TopologyTester run() {
        int quiet = 0;
        for (int step = 0; quiet < QUIET_STEPS; step++) {
            if (step == MOST_STEPS) {
                throw new IllegalStateException("the topology is still busy after " + step + " steps: " + job.stats());
            }
            if (!job.step()) {
                throwFailure();
                return this;
            }
            boolean unread = sources.values().stream().anyMatch(TestSource::waits);
            quiet = job.lastStepWorked() || unread ? 0 : quiet + 1;
        }
        return this;
    }

    /** Ends all sources and runs to the end: every window fires. */
    public TopologyTester end() {
        sources.values().forEach(TestSource::end);
        return run();
    }

    /** Advances the clock, for idle sources and processing-time timers. It starts at 1970-01-01 UTC. */
    public TopologyTester advanceClock(Duration by) {
        nowNs += by.toNanos();
        return run();
    }

    /** All records that the sink has received. */
    public List<Object> records(String sink) {
        return named(sinks, sink).records();
    }

    /** The records that the sink has received since this method was last called. */
    public List<Object> newRecords(String sink) {
        return named(sinks, sink).newRecords();
    }

    /** The bad records so far. */
    public List<BadRecord> bad() {
        return List.copyOf(bad);
    }

    /** What was measured so far, such as late records and open windows. */
    public JobStats stats() {
        return job.stats();
    }

    private static <T> T named(Map<String, T> all, String name) {
        T found = all.get(name);
        if (found == null) {
            throw new IllegalArgumentException("there is no '" + name + "', but " + all.keySet());
        }
        return found;
    }

    private void throwFailure() {
        try {
            job.await();
        } catch (JobFailedException e) {
            failureThrown = true;
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Stops the topology if it has not ended.
     *
     * @throws JobFailedException if it fails while it stops, such as in the {@code close} of an operator; a failure that
     *     {@link #run} or another method has thrown is not thrown again
     */
    @Override
    public void close() {
        job.cancel();
        boolean runs = true;
        for (int step = 0; step < MOST_STEPS && runs; step++) {
            runs = job.step();
        }
        if (!runs && !failureThrown) {
            throwFailure();
        }
    }
}
