// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Addressed;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BroadcastOperator;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the graph builder makes of names and streams, and what it refuses. */
final class GraphBuilderTest {
    private static final SideOutput<String> BROKEN = SideOutput.of("broken", String.class);
    private static final KeySpec WORD = new KeySpec(word -> word, objects(String.class));
    private static final NodeSpec PEEK = new NodeSpec.Peek(record -> {});

    private final GraphBuilder graph = GraphBuilder.named("words");

    /** Takes lines apart. */
    static final class Split implements Operator<String, String> {
        @Override
        public void process(String line, Output<String> output) {
            for (String word : line.split(" ")) {
                output.emit(word);
            }
        }

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(BROKEN);
        }
    }

    /** Lengths. */
    static final class Lengths implements Operator<String, Integer> {
        @Override
        public void process(String word, Output<Integer> output) {
            output.emit(word.length());
        }
    }

    /** Two inputs. */
    static final class Both implements TwoInputOperator<Object, Object, Object> {
        @Override
        public void processFirst(Object record, Output<Object> output) {
            output.emit(record);
        }

        @Override
        public void processSecond(Object record, Output<Object> output) {
            output.emit(record);
        }
    }

    /** Rules. */
    static final class Rules implements BroadcastOperator<Object, Object, Object> {
        @Override
        public void process(Object record, Output<Object> output) {
            output.emit(record);
        }

        @Override
        public void processBroadcast(Object rule, Output<Object> output) {}
    }

    @SuppressWarnings("unchecked") // as the graph holds them
    private static Type<Object> objects(Class<?> of) {
        return (Type<Object>) (Type<?>) Type.of(of);
    }

    private void lines() {
        graph.source("lines", Sources.of("a b", "b"));
    }

    private void refused(String message) {
        assertThatThrownBy(graph::build).isInstanceOf(TopologyException.class).hasMessage("topology 'words'" + message);
    }

    @SuppressWarnings("unchecked") // as the graph holds it
    private static Aggregate<Object, Object, Object> count() {
        return (Aggregate<Object, Object, Object>) (Aggregate<?, ?, ?>) Aggregates.count();
    }

    @Test
    void shouldBuildAGraphInWhateverOrderItIsDescribed() {
        graph.connect("count", "out");
        graph.connect("split", "count");
        graph.connect("split", "rejects").side(BROKEN);
        graph.connect("lines", "split").grouped(new Grouping.Shuffle());
        graph.sink("out", Sinks.discard());
        graph.sink("rejects", Sinks.discard());
        graph.operator("count", new NodeSpec.Running(WORD, count()))
                .as(Type.of(io.thalweg.api.operator.Keyed.class, Type.of(String.class), Type.of(Long.class)));
        graph.process("split", Split::new).parallelism(3);
        lines();

        TopologyGraph built = graph.build();
        assertThat(built.nodes()).extracting(Node::name).containsExactly("lines", "split", "rejects", "count", "out");
        assertThat(built.edges().stream()
                        .map(edge ->
                                built.describe(edge) + ", " + edge.grouping().describe() + ", " + edge.type()))
                .containsExactlyInAnyOrder(
                        "lines -> split, shuffle, String",
                        "split -> count, by key String, String",
                        "count -> out, auto, Keyed<String, Long>",
                        "split (side 'broken') -> rejects, auto, String");
        assertThat(built.node(1).parallelism()).isEqualTo(3);
        assertThat(built.node(1).output()).isEqualTo(Type.of(String.class));
    }

    /** Taken apart and put together by name in another order, a graph of the fluent API stays as it is. */
    @Test
    void shouldBuildWhatTheFluentApiDoes() {
        Topology topology = Topology.named("words");
        Stream<String> split = topology.from(Sources.of("a b", "b"))
                .shuffle()
                .process(Split::new)
                .name("split");
        split.side(BROKEN).to(Sinks.discard()).name("rejects");
        Stream<Integer> lengths = split.partitionBy((word, tasks) -> 0)
                .process(Lengths::new)
                .parallelism(2)
                .isolate();
        split.connect(lengths.broadcast()).process(Both::new).as(String.class).to(Sinks.discard());
        split.map(String::length)
                .union(lengths)
                .keyBy(n -> n)
                .distinct()
                .limit(3)
                .to(Sinks.discard());
        TopologyGraph fluent = topology.graph();

        List<Node> nodes = new ArrayList<>(fluent.nodes());
        Collections.reverse(nodes);
        for (Node node : nodes) {
            NodeBuilder added = graph.operator(node.name(), node.spec());
            if (node.parallelism() > 0) {
                added.parallelism(node.parallelism());
            }
            if (node.isolated()) {
                added.isolate();
            }
            if (node.output() != null) {
                added.as(node.output());
            }
        }
        for (Edge edge : fluent.edges()) {
            EdgeBuilder added = graph.connect(
                            fluent.node(edge.from()).name(),
                            fluent.node(edge.to()).name())
                    .input(edge.input())
                    .grouped(edge.grouping());
            if (!edge.port().equals(Edge.MAIN)) {
                added.side(BROKEN);
            }
        }

        assertThat(described(graph.build())).containsExactlyInAnyOrderElementsOf(described(fluent));
    }

    private static List<String> described(TopologyGraph graph) {
        List<String> parts = new ArrayList<>();
        for (Edge edge : graph.edges()) {
            parts.add(graph.describe(edge) + ": " + edge.grouping() + " of " + edge.type());
        }
        for (Node node : graph.nodes()) {
            parts.add(node.name() + ": " + node.spec() + " " + node.parallelism() + " " + node.isolated() + " "
                    + node.output() + " " + node.timed());
        }
        return parts;
    }

    @Test
    void shouldRefuseAGraphWithoutOperators() {
        refused(": it has no operators; begin with from(source), or source(…) of a graph builder");
    }

    @Test
    void shouldRefuseAGraphWithoutASource() {
        graph.operator("look", PEEK);
        graph.sink("out", Sinks.discard());
        graph.connect("look", "out");

        refused(": it has no source; add one");
    }

    @Test
    void shouldNameTheNearestOfUnknownOperators() {
        lines();
        graph.sink("out", Sinks.discard());
        graph.connect("line", "out");

        refused(", operator 'out': it is connected with 'line', and there is no such operator; did you mean lines?");
    }

    @Test
    void shouldRefuseTwoOperatorsOfOneName() {
        lines();
        lines();

        refused(", operator 'lines': the name is given to two operators; names must be unique");
    }

    @Test
    void shouldRefuseAnOperatorWithoutInput() {
        lines();
        graph.sink("out", Sinks.discard());

        refused(", operator 'out': nothing leads to it; connect an operator with it");
    }

    @Test
    void shouldRefuseASecondInputThatNothingLeadsTo() {
        lines();
        graph.operator("both", new NodeSpec.Connect(Both::new)).as(Type.of(String.class));
        graph.connect("lines", "both");

        refused(", operator 'both': nothing leads to its second input; connect an operator with it");
    }

    @Test
    void shouldRefuseTwoStreamsToOneInput() {
        lines();
        graph.source("more", Sources.of("c"));
        graph.sink("out", Sinks.discard());
        graph.connect("lines", "out");
        graph.connect("more", "out");

        refused(", operator 'out': the streams of 'lines' and 'more' lead to it, which takes one; unite them with a"
                + " union before it");
    }

    @Test
    void shouldRefuseAnInputThatIsNotThere() {
        lines();
        graph.sink("out", Sinks.discard());
        graph.connect("lines", "out").input(1);

        refused(", operator 'out': stream 'lines' is led to its input 1, and a sink has only input 0");
    }

    @Test
    void shouldRefuseAStreamToASource() {
        lines();
        graph.source("more", Sources.of("c"));
        graph.connect("lines", "more");

        refused(", operator 'more': stream 'lines' is led to its input 0, and a source has none");
    }

    @Test
    void shouldRefuseAStreamFromASink() {
        lines();
        graph.sink("out", Sinks.discard());
        graph.sink("behind", Sinks.discard());
        graph.connect("lines", "out");
        graph.connect("out", "behind");

        refused(", operator 'behind': it is to get the stream of 'out', which is a sink and emits nothing");
    }

    @Test
    void shouldRefuseAStreamThatEndsNowhere() {
        lines();

        refused(", operator 'lines': its stream ends nowhere; lead it to a sink with to(…)");
    }

    @Test
    void shouldRefuseTypesThatDoNotFit() {
        lines();
        graph.process("lengths", Lengths::new);
        graph.process("split", Split::new);
        graph.connect("lines", "lengths");
        graph.connect("lengths", "split");

        refused(", operator 'split': it takes String, and 'lengths' emits Integer; convert them with a map between the"
                + " two, or correct the type with as(Type.of(…))");
    }

    @Test
    void shouldRefuseToUniteStreamsOfDifferentTypes() {
        lines();
        graph.process("lengths", Lengths::new);
        graph.operator("all", new NodeSpec.Union());
        graph.connect("lines", "lengths");
        graph.connect("lines", "all");
        graph.connect("lengths", "all");

        refused(", operator 'all': it takes String, and 'lengths' emits Integer; convert them with a map between the"
                + " two, or correct the type with as(Type.of(…))");
    }

    @Test
    void shouldRefuseATypeThatASinkDoesNotTake() {
        lines();
        graph.sink("out", Sinks.discard()).takes(0, Type.of(Long.class));
        graph.connect("lines", "out");

        refused(", operator 'out': it takes Long, and 'lines' emits String; convert them with a map between the two, or"
                + " correct the type with as(Type.of(…))");
    }

    @Test
    void shouldRefuseATypeForAnInputThatIsNotThere() {
        lines();
        graph.sink("out", Sinks.discard()).takes(1, Type.of(Long.class));
        graph.connect("lines", "out");

        refused(", operator 'out': a type is declared for its input 1, and a sink has only input 0");
    }

    @Test
    void shouldRefuseAnUnknownType() {
        lines();
        graph.operator("map", new NodeSpec.Map(record -> record));
        graph.connect("lines", "map");

        refused(", operator 'map': the type of its records cannot be read from its function; say it with"
                + " .as(Type.of(…)) right after it");
    }

    @Test
    void shouldRefuseACycleAndNameItsOperators() {
        lines();
        graph.operator("all", new NodeSpec.Union());
        graph.operator("a", PEEK);
        graph.operator("b", PEEK);
        graph.sink("out", Sinks.discard());
        graph.connect("lines", "all");
        graph.connect("all", "a");
        graph.connect("a", "b");
        graph.connect("b", "all");
        graph.connect("b", "out");

        refused(", operator 'all': its stream leads back to it: all -> a -> b -> all; remove one of these, or make it"
                + " feedback()");
    }

    @Test
    void shouldRefuseAGroupingThatIsNotByTheKeyOfTheOperator() {
        lines();
        graph.operator("distinct", new NodeSpec.Distinct(WORD));
        graph.connect("lines", "distinct").grouped(new Grouping.Shuffle());

        refused(", operator 'distinct': a distinct needs the records of 'lines' grouped by its own key, and they are"
                + " grouped shuffle; leave the grouping out, or use new Grouping.ByKey(…) with the same KeySpec");
    }

    @Test
    void shouldRefuseRulesThatAreNotBroadcast() {
        lines();
        graph.operator("rules", new NodeSpec.Broadcast(Rules::new)).as(Type.of(String.class));
        graph.connect("lines", "rules");
        graph.connect("lines", "rules").input(1);

        refused(", operator 'rules': each of its tasks must get all records of 'lines', and they are grouped auto; use"
                + " new Grouping.Broadcast()");
    }

    @Test
    void shouldRefuseASideOutputThatIsNotDeclared() {
        lines();
        graph.process("lengths", Lengths::new);
        graph.sink("out", Sinks.discard());
        graph.connect("lines", "lengths");
        graph.connect("lengths", "out").side(BROKEN);

        refused(", operator 'lengths': nothing would ever come out of side(\"broken\"): Lengths emits to no side"
                + " output; name those it emits to in its method sideOutputs()");
    }

    @Test
    void shouldRefuseOperatorsOfAnotherGraph() {
        NodeBuilder other = GraphBuilder.named("others").source("lines", Sources.of("a"));

        assertThatThrownBy(() -> graph.connect(other, graph.sink("out", Sinks.discard())))
                .isInstanceOf(TopologyException.class)
                .hasMessage("topology 'words', operator 'out': it is given a stream of this topology and one of"
                        + " topology 'others'; streams that meet must come from one topology");
    }

    @Test
    void shouldRefuseAnImpossibleNumberOfTasks() {
        NodeBuilder limit = graph.operator("some", new Limit(3));

        assertThatThrownBy(() -> limit.parallelism(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a limit runs in 1 task, not in 2");
        assertThatThrownBy(() -> graph.process("split", Split::new).parallelism(257))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parallelism must be from 1 to 256, not 257");
    }

    // ---- what not every runner can do

    /** For a task. */
    record Command(int task) implements Addressed {}

    /** Ticks. */
    static final class Echo implements ThreadedOperator<String, String> {
        @Override
        public void start(SharedOutput<String> output) {}

        @Override
        public void process(String value, Output<String> output) {}
    }

    static final class Ticker implements TickingOperator<String, String> {
        private final Duration every;

        Ticker(Duration every) {
            this.every = every;
        }

        @Override
        public void process(String record, Output<String> output) {}

        @Override
        public Duration tickEvery() {
            return every;
        }

        @Override
        public void onTick(long time, Output<String> output) {
            output.emit("tick");
        }
    }

    @Test
    void shouldSayWhatItAsksOfARunner() {
        lines();
        graph.source("commands", Sources.of(new Command(1)));
        graph.operator("all", new NodeSpec.Union());
        graph.process("ticker", () -> new Ticker(Duration.ofMillis(10)));
        graph.process("echo", Echo::new);
        graph.sink("out", Sinks.discard());
        graph.sink("worker", Sinks.discard()).parallelism(2);
        graph.connect("lines", "all");
        graph.connect("all", "ticker");
        graph.connect("ticker", "echo");
        graph.connect("echo", "out");
        graph.connect("ticker", "all").feedback();
        graph.connect("commands", "worker").grouped(new Grouping.Direct());

        TopologyGraph built = graph.build();
        assertThat(built.features())
                .containsOnly(
                        entry(GraphFeature.DIRECT_GROUPING, List.of("worker")),
                        entry(GraphFeature.TICKS, List.of("ticker")),
                        entry(GraphFeature.OWN_THREADS, List.of("echo")),
                        entry(GraphFeature.FEEDBACK, List.of("all")));
        assertThat(built.feedback()).extracting(built::describe).containsExactly("ticker -> all");
        assertThat(built.edges()).hasSize(5);
    }

    @Test
    void shouldRefuseADirectGroupingOfRecordsThatNameNoTask() {
        lines();
        graph.sink("out", Sinks.discard()).parallelism(2);
        graph.connect("lines", "out").grouped(new Grouping.Direct());

        refused(", operator 'out': the records of 'lines' are grouped direct, and a String names no task; let it"
                + " implement Addressed");
    }

    @Test
    void shouldRefuseADirectGroupingToTasksThatNobodyKnows() {
        graph.source("commands", Sources.of(new Command(1)));
        graph.sink("worker", Sinks.discard());
        graph.connect("commands", "worker").grouped(new Grouping.Direct());

        refused(", operator 'worker': the records of 'commands' name its tasks, and the run decides how many there are;"
                + " give it a parallelism(n)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000999S", "PT876600H0.001S", "PT2562047788015215H30M7S"})
    void shouldRefuseIntervalsOfTicksThatAreOutOfRange(Duration every) {
        lines();
        graph.process("ticker", () -> new Ticker(every));
        graph.sink("out", Sinks.discard());
        graph.connect("lines", "ticker");
        graph.connect("ticker", "out");

        refused(", operator 'ticker': Ticker ticks every " + every
                + "; let tickEvery() return from a millisecond to 100 years");
    }

    @Test
    void shouldRefuseFeedbackThatLeadsForward() {
        lines();
        graph.operator("look", PEEK);
        graph.sink("out", Sinks.discard());
        graph.connect("lines", "look");
        graph.connect("look", "out");
        graph.connect("lines", "out").feedback();

        refused(", operator 'out': the feedback of 'lines' does not lead back; connect it without feedback()");
    }

    @Test
    void shouldRefuseFeedbackOfAnotherType() {
        lines();
        graph.process("split", Split::new);
        graph.process("lengths", Lengths::new);
        graph.connect("lines", "split");
        graph.connect("split", "lengths");
        graph.connect("lengths", "split").feedback();

        refused(", operator 'split': it takes String, and 'lengths' emits Integer; convert them with a map between the"
                + " two, or correct the type with as(Type.of(…))");
    }
}
