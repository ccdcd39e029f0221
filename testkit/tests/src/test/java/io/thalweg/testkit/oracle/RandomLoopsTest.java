// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.EdgeBuilder;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.NodeBuilder;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.HardCase;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random graphs with streams that lead back, on the engine and in the oracle; and loops whose results are known otherwise. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RandomLoopsTest {
    private static final Type<Long> LONG = Type.of(Long.class);
    private static final int MOST = 300;

    private static TestRunner engine(Random random) {
        int threads = random.nextInt(4);
        Set<HardCase> hard = random.nextBoolean() ? Set.of(HardCase.SMALL_BATCHES) : Set.of();
        return TestRunner.embedded(
                RunSettings.defaults().withThreads(threads).withParallelism(1 + random.nextInt(3)),
                hard,
                random.nextLong());
    }

    @Test
    @Timeout(1_200)
    void shouldAgreeWithTheOracle() throws Exception {
        long first = Long.getLong("thalweg.seed", 1);
        int runs = Integer.getInteger("thalweg.loops", 20);
        int led = 0;
        for (long seed = first; seed < first + runs; seed++) {
            Random random = new Random(seed);
            TopologyGraph graph = new Loops(random, false).graph();
            Interpretation expected = SequentialInterpreter.interpret(graph, 2);
            Outcome outcome = engine(random).run(graph);
            for (String sink : outcome.sinks().keySet()) {
                assertThat(outcome.sink(sink))
                        .as("seed %s, sink %s", seed, sink)
                        .containsExactlyInAnyOrderElementsOf(expected.values(sink));
            }
            assertThat(outcome.bad()).as("seed %s", seed).isEqualTo(expected.recordsBad());
            led += graph.feedback().size();
        }
        assertThat(led).as("streams that lead back").isGreaterThanOrEqualTo(runs);
    }

    /**
     * Killed and stopped at random steps, and each time restored from the last checkpoint with another number of tasks. More of them, and
     * one alone, by the same properties as above.
     */
    @Test
    @Timeout(1_200)
    void shouldAgreeWithTheOracle_thoughKilledOnTheWay(@TempDir Path folder) throws Exception {
        long first = Long.getLong("thalweg.seed", 1);
        int runs = Integer.getInteger("thalweg.loops", 20);
        for (long seed = first; seed < first + runs; seed++) {
            Random random = new Random(seed);
            TopologyGraph graph = new Loops(random, true).graph();
            Interpretation expected = SequentialInterpreter.interpret(graph, 2);
            Set<HardCase> hard = EnumSet.allOf(HardCase.class);
            hard.removeIf(each -> random.nextInt(3) == 0);
            Path checkpoints = Files.createDirectory(folder.resolve("seed-" + seed));
            RunSettings settings = RunSettings.defaults()
                    .withParallelism(1 + random.nextInt(3))
                    .withSpecialise(false)
                    .withSteps(random.nextInt(4), 1 << random.nextInt(3), 1 + random.nextInt(4));
            try {
                Outcome outcome =
                        TestRunner.crashing(settings, hard, seed, checkpoints).run(graph);
                for (String sink : outcome.sinks().keySet()) {
                    assertThat(outcome.sink(sink))
                            .as("sink %s", sink)
                            .containsExactlyInAnyOrderElementsOf(expected.values(sink));
                }
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed + ", " + hard + ": " + e.getMessage(), e);
            }
        }
    }

    /** Operators without state, and some that know what was there; what goes round gets smaller, so that all loops become empty. */
    private static final class Loops {
        private final Random random;
        private final boolean stateful;
        private final GraphBuilder graph = GraphBuilder.named("loops");
        private final List<NodeBuilder> nodes = new ArrayList<>();

        Loops(Random random, boolean stateful) {
            this.random = random;
            this.stateful = stateful;
        }

        TopologyGraph graph() {
            nodes.add(source("numbers"));
            if (stateful && random.nextBoolean()) {
                nodes.add(source("more"));
            }
            int sources = nodes.size();
            for (int step = 2 + random.nextInt(6); step > 0; step--) {
                nodes.add(next());
            }
            NodeBuilder all = union(nodes);
            graph.connect(all, graph.operator(new NodeSpec.Sink(cast(Sinks.discard()))));
            for (int back = 1 + random.nextInt(3); back > 0; back--) {
                leadBack(all, sources);
            }
            return graph.build();
        }

        private NodeBuilder source(String name) {
            return graph.source(
                    name,
                    Sources.of(
                            LONG,
                            random.longs(1 + random.nextInt(40), 0, MOST)
                                    .boxed()
                                    .toList()));
        }

        @SuppressWarnings("unchecked") // the graph holds records as Object
        private static Sink<Object> cast(Sink<?> sink) {
            return (Sink<Object>) sink;
        }

        /** Of all streams, or those behind a node. */
        private NodeBuilder union(List<NodeBuilder> of) {
            NodeBuilder union = graph.operator(new NodeSpec.Union());
            of.forEach(each -> grouped(graph.connect(each, union)));
            return union;
        }

        private NodeBuilder next() {
            NodeSpec spec = switch (random.nextInt(stateful ? 5 : 4)) {
                case 4 -> new NodeSpec.Distinct(keyOfAll());
                case 0 -> new NodeSpec.Map(value -> (Long) value + 1);
                case 1 -> new NodeSpec.Filter(value -> (Long) value % 7 != 0);
                case 2 -> new NodeSpec.FlatMap(value -> List.of(value, (Long) value / 2));
                default -> new NodeSpec.Union();
            };
            NodeBuilder node = graph.operator(spec).as(LONG);
            if (random.nextInt(3) == 0) {
                node.parallelism(1 + random.nextInt(3));
            }
            EdgeBuilder edge = graph.connect(nodes.get(random.nextInt(nodes.size())), node);
            if (spec.keyedBy(0) == null) {
                grouped(edge);
            }
            if (stateful && random.nextInt(3) == 0) {
                node.isolate();
            }
            return node;
        }

        /** To any operator but the sources: it is divided, so that it comes to an end. */
        private void leadBack(NodeBuilder all, int sources) {
            int divisor = 4 + random.nextInt(4);
            NodeBuilder less = graph.operator(new NodeSpec.FlatMap(
                            value -> (Long) value < 20 ? List.of() : List.of((Long) value / divisor)))
                    .as(LONG);
            grouped(graph.connect(all, less));
            NodeBuilder to = nodes.get(sources + random.nextInt(nodes.size() - sources));
            EdgeBuilder edge = graph.connect(less, to).feedback();
            if (to.spec().keyedBy(0) == null) {
                grouped(edge);
            }
        }

        private void grouped(EdgeBuilder edge) {
            switch (random.nextInt(stateful ? 5 : 4)) {
                case 4 -> edge.grouped(new Grouping.Custom((value, tasks) -> (int) ((Long) value % tasks)));
                case 0 -> edge.grouped(new Grouping.Shuffle());
                case 1 -> edge.grouped(new Grouping.ByKey(key()));
                case 2 -> edge.grouped(new Grouping.Global());
                default -> {
                    // as it comes
                }
            }
        }
    }

    @SuppressWarnings("unchecked") // the graph holds records as Object
    private static KeySpec key() {
        return new KeySpec(value -> (Long) value % 5, (Type<Object>) (Type<?>) LONG);
    }

    /** Collatz: the steps until 1, as a plain loop counts them. */
    @Test
    void shouldCountTheStepsOfCollatz() throws Exception {
        GraphBuilder graph = GraphBuilder.named("collatz");
        Type<List<Long>> pair = Type.of(List.class, LONG);
        graph.source(
                "numbers",
                Sources.of(LONG, LongStream.rangeClosed(1, 200).boxed().toList()));
        graph.operator("begin", new NodeSpec.Map(value -> List.of(value, value, 0L)))
                .as(pair);
        graph.operator("all", new NodeSpec.Union());
        graph.operator("open", new NodeSpec.Filter(value -> at(value, 1) != 1));
        graph.operator("step", new NodeSpec.Map(value -> List.of(at(value, 0), next(at(value, 1)), at(value, 2) + 1)))
                .as(pair);
        graph.operator("done", new NodeSpec.Filter(value -> at(value, 1) == 1));
        graph.sink("out", Sinks.discard());
        graph.connect("numbers", "begin");
        graph.connect("begin", "all");
        graph.connect("all", "open");
        graph.connect("open", "step").grouped(new Grouping.Shuffle());
        graph.connect("step", "all").feedback();
        graph.connect("all", "done");
        graph.connect("done", "out");
        Map<Long, Long> expected = new HashMap<>();
        for (long number = 1; number <= 200; number++) {
            long steps = 0;
            for (long at = number; at != 1; at = next(at)) {
                steps++;
            }
            expected.put(number, steps);
        }

        for (int seed = 0; seed < 8; seed++) {
            Map<Long, Long> counted = new HashMap<>();
            engine(new Random(seed))
                    .run(graph.build())
                    .sink("out")
                    .forEach(value -> counted.merge(at(value, 0), at(value, 2), (one, other) -> -1L));
            assertThat(counted).isEqualTo(expected);
        }
    }

    private static long at(Object value, int place) {
        return (Long) ((List<?>) value).get(place);
    }

    private static long next(long number) {
        return number % 2 == 0 ? number / 2 : 3 * number + 1;
    }

    /** What can be reached in a graph, with state in the loop that ends it. */
    @Test
    void shouldReachWhatASearchReaches() throws Exception {
        Random random = new Random(11);
        List<List<Long>> edges = IntStream.range(0, 100)
                .mapToObj(node -> random.longs(2, 0, 100).boxed().toList())
                .toList();
        GraphBuilder graph = GraphBuilder.named("reach");
        graph.source("begin", Sources.of(LONG, List.of(3L)));
        graph.operator("all", new NodeSpec.Union());
        graph.operator("new", new NodeSpec.Distinct(keyOfAll()));
        List<List<Long>> serializable = new ArrayList<>(edges);
        graph.operator("next", new NodeSpec.FlatMap(node -> serializable.get(((Long) node).intValue())))
                .as(LONG);
        graph.sink("out", Sinks.discard());
        graph.connect("begin", "all");
        graph.connect("all", "new");
        graph.connect("new", "next");
        graph.connect("next", "all").feedback();
        graph.connect("new", "out");
        TreeSet<Long> reached = new TreeSet<>();
        search(3, edges, reached);

        for (int seed = 0; seed < 8; seed++) {
            assertThat(engine(new Random(seed)).run(graph.build()).sink("out"))
                    .containsExactlyInAnyOrderElementsOf(reached);
        }
        assertThat(SequentialInterpreter.interpret(graph.build(), 2).values("out"))
                .containsExactlyInAnyOrderElementsOf(reached);
    }

    @SuppressWarnings("unchecked") // the graph holds records as Object
    private static KeySpec keyOfAll() {
        return new KeySpec(value -> value, (Type<Object>) (Type<?>) LONG);
    }

    private static void search(long from, List<List<Long>> edges, Set<Long> reached) {
        if (reached.add(from)) {
            edges.get((int) from).forEach(to -> search(to, edges, reached));
        }
    }
}
