// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.GraphFeature;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Addressed;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.run.Runner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules for the plan of a topology, for any runner within this JVM. */
@Timeout(900)
public abstract class PlanRulesContract {
    private final Topology topology = Topology.named("plan");

    /** A runner with two tasks, without a guarantee. */
    protected abstract Runner runner();

    /**
     * What the streams of these topologies carry.
     *
     * @param river the key
     * @param level the value
     */
    public record Reading(String river, long level) {}

    /** Two streams meet here. */
    public static final class Compare implements TwoInputOperator<Reading, Long, String> {
        @Override
        public void processFirst(Reading reading, Output<String> output) {}

        @Override
        public void processSecond(Long mark, Output<String> output) {}
    }

    private void describe() {
        Stream<Reading> readings = topology.from(Sources.generate(40, n -> new Reading("river" + n % 3, n)))
                .name("gauge")
                .eventTime(Reading::level, Duration.ZERO)
                .name("time");
        readings.keyBy(Reading::river)
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .name("counts")
                .map(WindowResult::value)
                .as(Long.class)
                .name("values")
                .parallelism(1)
                .to(Sinks.discard())
                .name("totals");
        Stream<Reading> high =
                readings.filter(reading -> reading.level() > 5).name("high").isolate();
        high.limit(3).name("some").to(Sinks.discard()).name("first");
        readings.map(Reading::river).name("slow").blocking().to(Sinks.discard()).name("rivers");
        Stream<Long> marks = topology.from(Sources.of(7L, 8L)).name("marks");
        readings.connect(marks.broadcast())
                .process(Compare::new)
                .name("compare")
                .to(Sinks.discard())
                .name("compared");
    }

    @Test
    void shouldSayWhatOperatorsThereAre() {
        describe();

        List<PlanInfo.Operator> operators = runner().plan(topology.graph()).operators();
        assertThat(operators.stream().map(each -> each.name() + " " + each.kind() + " " + each.parallelism()))
                .containsExactlyInAnyOrder(
                        "gauge source 2",
                        "time event-time 2",
                        "counts window 2",
                        "values map 1",
                        "totals sink 1",
                        "high filter 2",
                        "some limit 1",
                        "first sink 1",
                        "slow map 2",
                        "rivers sink 2",
                        "marks source 2",
                        "compare connect 2",
                        "compared sink 2");
        assertThat(names(operators, each -> !each.deterministic())).containsExactly("some");
        assertThat(names(operators, PlanInfo.Operator::stateful)).contains("counts", "some");
        assertThat(operators)
                .filteredOn(each -> each.name().equals("counts"))
                .allSatisfy(each -> assertThat(each.description()).isEqualTo("window tumbling 10 ms"));
    }

    /** What they hold depends on the order in which records of several tasks come. */
    @Test
    void shouldMarkWindowsOfANumberOfRecords() throws Exception {
        topology.from(Sources.generate(40, n -> new Reading("river" + n % 3, n)))
                .keyBy(Reading::river)
                .window(Windows.count(7, 3))
                .aggregate(Aggregates.count())
                .name("sevens")
                .to(Sinks.discard());

        assertThat(runner().plan(topology.graph()).operators())
                .filteredOn(each -> !each.deterministic())
                .singleElement()
                .satisfies(each -> assertThat(each.description())
                        .startsWith("window sliding 7 records by 3 records")
                        .endsWith(", in the order of arrival (not deterministic)"));
        assertThat(runner().explain(topology.graph()))
                .containsPattern("sevens +window sliding 7 records by 3 records, .*not deterministic");
    }

    private static List<String> names(List<PlanInfo.Operator> operators, Predicate<PlanInfo.Operator> which) {
        return operators.stream().filter(which).map(PlanInfo.Operator::name).toList();
    }

    @Test
    void shouldSayHowEachEdgeIsCrossed() {
        describe();

        PlanInfo plan = runner().plan(topology.graph());
        assertThat(plan.edges().stream()
                        .map(edge -> edge.from() + " -> " + edge.to() + " " + edge.input() + ", " + edge.grouping()
                                + ", " + edge.tasksFrom() + " to " + edge.tasksTo() + ", " + edge.type() + ", "
                                + edge.timed()))
                .containsExactlyInAnyOrder(
                        "gauge -> time 0, forward, 2 to 2, Reading, false",
                        "time -> counts 0, by key String, 2 to 2, Reading, true",
                        "counts -> values 0, shuffle, 2 to 1, WindowResult<String, Long>, true",
                        "values -> totals 0, forward, 1 to 1, Long, true",
                        "time -> high 0, forward, 2 to 2, Reading, true",
                        "high -> some 0, shuffle, 2 to 1, Reading, true",
                        "some -> first 0, forward, 1 to 1, Reading, true",
                        "time -> slow 0, forward, 2 to 2, Reading, true",
                        "slow -> rivers 0, forward, 2 to 2, String, true",
                        "time -> compare 0, forward, 2 to 2, Reading, true",
                        "marks -> compare 1, broadcast, 2 to 2, Long, false",
                        "compare -> compared 0, forward, 2 to 2, String, false");
        assertThat(plan.edges())
                .allSatisfy(edge -> assertThat(edge.reason().isEmpty()).isEqualTo(edge.fused()));
        Map<String, String> reasons = new TreeMap<>();
        plan.edges().forEach(edge -> reasons.put(edge.from() + " -> " + edge.to(), edge.reason()));
        assertThat(reasons)
                .containsEntry("gauge -> time", "")
                .containsEntry("time -> counts", "each record goes to the task of its key")
                .containsEntry("counts -> values", "the parallelism changes from 2 to 1")
                .containsEntry("values -> totals", "")
                .containsEntry("time -> high", "'high' is isolated")
                .containsEntry("high -> some", "'high' is isolated")
                .containsEntry("some -> first", "")
                .containsEntry("time -> slow", "'slow' may block")
                .containsEntry("time -> compare", "'compare' has several inputs")
                .containsEntry("marks -> compare", "'compare' has several inputs");
    }

    @Test
    void shouldPutEveryOperatorIntoOneChain() {
        describe();

        PlanInfo plan = runner().plan(topology.graph());
        assertThat(plan.chains().stream().flatMap(chain -> chain.operators().stream()))
                .containsExactlyInAnyOrderElementsOf(
                        plan.operators().stream().map(PlanInfo.Operator::name).toList());
        Map<String, PlanInfo.Operator> byName =
                plan.operators().stream().collect(Collectors.toMap(PlanInfo.Operator::name, Function.identity()));
        for (int number = 0; number < plan.chains().size(); number++) {
            PlanInfo.Chain chain = plan.chains().get(number);
            assertThat(chain.number()).isEqualTo(number);
            assertThat(chain.operators().stream().map(byName::get)).allSatisfy(operator -> {
                assertThat(operator.chain()).isEqualTo(chain.number());
                assertThat(operator.parallelism()).isEqualTo(chain.parallelism());
            });
        }
        assertThat(plan.edges())
                .allSatisfy(edge ->
                        assertThat(edge.fused()).isEqualTo(chainOf(plan, edge.from()) == chainOf(plan, edge.to())));
    }

    private static int chainOf(PlanInfo plan, String operator) {
        return plan.chains().stream()
                .filter(chain -> chain.operators().contains(operator))
                .findFirst()
                .orElseThrow()
                .number();
    }

    @Test
    void shouldBeInTheStats_whichHaveItsTasks() throws Exception {
        describe();
        PlanInfo plan = runner().plan(topology.graph());

        JobStats stats = runner().start(topology.graph()).await();
        assertThat(stats.plan()).isEqualTo(plan);
        assertThat(stats.topology()).isEqualTo(plan.topology());
        Map<List<String>, Long> tasks =
                stats.tasks().stream().collect(Collectors.groupingBy(TaskStats::operators, Collectors.counting()));
        assertThat(tasks).isEqualTo(plan.chains().stream().collect(Collectors.toMap(PlanInfo.Chain::operators, chain ->
                (long) chain.parallelism())));
    }

    @Test
    void shouldBePrintedWithEverythingInIt() {
        describe();

        PlanInfo plan = runner().plan(topology.graph());
        String text = runner().explain(topology.graph());
        assertThat(text)
                .startsWith("topology plan")
                .containsPattern("some +limit 3, of those that come first \\(not deterministic\\)")
                .containsPattern("marks -> compare \\(second input\\) +broadcast +2 to 2 +Long")
                .contains("not fused: 'high' is isolated");
        plan.operators().forEach(operator -> assertThat(text).contains(operator.description()));
        plan.options()
                .forEach(option -> assertThat(text).containsPattern(option.name() + " +" + quoted(option.value())));
    }

    private static String quoted(String text) {
        return Pattern.quote(text);
    }

    /**
     * A record that names its task.
     *
     * @param task the number of the task
     */
    public record Mark(int task) implements Addressed {}

    @Test
    void shouldNameADirectGrouping() {
        topology.from(Sources.of(new Mark(1)))
                .name("marks")
                .parallelism(3)
                .direct()
                .map(Mark::task)
                .name("tasks")
                .parallelism(3)
                .to(Sinks.discard());

        assertThat(runner().plan(topology.graph()).edges())
                .filteredOn(edge -> edge.from().equals("marks"))
                .singleElement()
                .satisfies(edge -> {
                    assertThat(edge.grouping()).isEqualTo("direct");
                    assertThat(edge.reason()).isEqualTo("each record goes to the task that it names");
                });
    }

    @Test
    void shouldShowFeedbackOrRefuseItByItsName() {
        GraphBuilder graph = GraphBuilder.named("loop");
        graph.source("numbers", Sources.of(1, 2));
        graph.operator("all", new NodeSpec.Union());
        graph.operator("look", new NodeSpec.Peek(record -> {}));
        graph.sink("out", Sinks.discard());
        graph.connect("numbers", "all");
        graph.connect("all", "look");
        graph.connect("look", "out");
        graph.connect("look", "all").feedback();
        TopologyGraph loop = graph.build();

        if (runner().features().contains(GraphFeature.FEEDBACK)) {
            assertThat(runner().plan(loop).edges())
                    .filteredOn(PlanInfo.Edge::feedback)
                    .singleElement()
                    .satisfies(edge -> assertThat(edge.from() + edge.to()).isEqualTo("lookall"));
            return;
        }
        for (ThrowingCallable run : List.<ThrowingCallable>of(() -> runner().start(loop), () -> runner().plan(loop))) {
            assertThatThrownBy(run)
                    .isInstanceOf(TopologyException.class)
                    .hasMessageMatching("topology 'loop', operator 'all': it uses feedback, which .* does not support;"
                            + " write what is to come back to a topic or a database, and read it from there with a"
                            + " source");
        }
    }

    /** Echoes from a thread of its own. */
    static final class Echo implements ThreadedOperator<Integer, Integer> {
        @Override
        public void start(SharedOutput<Integer> output) {}

        @Override
        public void process(Integer value, Output<Integer> output) {}
    }

    @Test
    void shouldPlanOrRefuseEmissionFromThreadsByItsName() {
        GraphBuilder graph = GraphBuilder.named("echoes");
        graph.source("numbers", Sources.of(1, 2));
        graph.process("echo", Echo::new);
        graph.sink("out", Sinks.discard());
        graph.connect("numbers", "echo");
        graph.connect("echo", "out");
        TopologyGraph echoes = graph.build();

        if (runner().features().contains(GraphFeature.OWN_THREADS)) {
            assertThat(runner().explain(echoes))
                    .contains("process, emits from threads of its own (not deterministic)")
                    .contains("'echo' waits for answers from outside");
            return;
        }
        for (ThrowingCallable run :
                List.<ThrowingCallable>of(() -> runner().start(echoes), () -> runner().plan(echoes))) {
            assertThatThrownBy(run)
                    .isInstanceOf(TopologyException.class)
                    .hasMessageMatching(
                            "topology 'echoes', operator 'echo': it uses emission from threads of its own, which .*"
                                    + " does not support; use async\\(\\) for requests that are answered, and a live source for"
                                    + " records from outside");
        }
    }
}
