// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.Keyed;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.testkit.TestSource;
import io.thalweg.testkit.contract.ProcessingTimerRulesContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SequentialInterpreterTest {
    private static final SideOutput<Long> ODD = SideOutput.of("odd", Long.class);

    private final Topology topology = Topology.named("test");

    @Test
    void shouldApplyFunctionsInOrder() {
        List<Long> seen = new ArrayList<>();
        SequentialInterpreterTest.seen = seen;
        numbers(5)
                .map(n -> n * 10)
                .filter(n -> n != 20)
                .peek(n -> SequentialInterpreterTest.seen.add(n))
                .flatMap(n -> List.of(n, n + 1))
                .as(Long.class)
                .to(Sinks.discard());

        assertThat(run().values("sink")).containsExactly(0L, 1L, 10L, 11L, 30L, 31L, 40L, 41L);
        assertThat(seen).containsExactly(0L, 10L, 30L, 40L);
    }

    private static List<Long> seen = List.of();

    @Test
    void shouldHandAStreamToEachOfItsUses() {
        Stream<Long> numbers = numbers(3);
        numbers.to(Sinks.discard()).name("first");
        numbers.union(numbers.map(n -> -n)).to(Sinks.discard()).name("second");

        Interpretation run = run();

        assertThat(run.values("first")).containsExactly(0L, 1L, 2L);
        assertThat(run.values("second")).containsExactly(0L, 1L, 2L, 0L, -1L, -2L);
    }

    @Test
    void shouldCountAndDropWhatAFunctionCallsBad() {
        numbers(4)
                .map(n -> {
                    if (n % 2 == 1) {
                        throw new BadRecordException("odd", n.toString());
                    }
                    return n;
                })
                .name("even")
                .to(Sinks.discard());

        Interpretation run = run();

        assertThat(run.values("sink")).containsExactly(0L, 2L);
        assertThat(run.bad()).containsOnlyKeys("even").containsEntry("even", 2L);
    }

    @Test
    void shouldFailWithTheOperatorsName() {
        numbers(4).map(n -> 1 / (n - 2)).name("inverse").to(Sinks.discard());

        assertThatThrownBy(this::run)
                .hasMessageContaining("operator 'inverse' failed")
                .hasMessageContaining("by zero");
    }

    @Test
    void shouldMakeOneCopyForEachTaskBehindABroadcast() {
        numbers(2).broadcast().map(n -> n).parallelism(3).to(Sinks.discard()).name("three");
        numbers(2).broadcast().map(n -> n).to(Sinks.discard()).name("default");

        Interpretation run = SequentialInterpreter.interpret(topology.graph(), 2);

        assertThat(run.values("three")).hasSize(6);
        assertThat(run.values("default")).containsExactly(0L, 1L, 0L, 1L);
    }

    @Test
    void shouldReadAllSplitsAndKeepThemApart() {
        topology.from(Sources.generate(6, n -> n).splitInto(3))
                .eventTime(n -> n, Duration.ZERO)
                .to(Sinks.discard());

        assertThat(run().elements("sink"))
                .containsExactly(
                        new Element(0L, 0, Long.MIN_VALUE, 0),
                        new Element(3L, 3, -1, 0),
                        new Element(1L, 1, Long.MIN_VALUE, 1),
                        new Element(4L, 4, 0, 1),
                        new Element(2L, 2, Long.MIN_VALUE, 2),
                        new Element(5L, 5, 1, 2));
    }

    @Test
    void shouldReadASourceThatKeepsARate() {
        topology.from(Sources.generate(100, n -> n).rate(7)).to(Sinks.discard());

        assertThat(run().values("sink")).hasSize(100);
    }

    @Test
    void shouldPassWindowsOnToWindows() {
        timed(1, 5, 12, 23)
                .keyBy(n -> "all")
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .window(Windows.tumbling(Duration.ofMillis(20)))
                .aggregate(Aggregates.sum(result -> result.value()))
                .map(WindowResult::value)
                .as(Long.class)
                .to(Sinks.discard());

        assertThat(run().elements("sink")).containsExactly(new Element(3L, 19, 18, -1), new Element(1L, 39, 38, -1));
    }

    @Test
    void shouldEmitRunningResults() {
        numbers(5).keyBy(n -> n % 2).aggregate(Aggregates.sum(n -> n)).to(Sinks.discard());

        assertThat(run().values("sink"))
                .containsExactly(
                        new Keyed<>(0L, 0L),
                        new Keyed<>(0L, 2L),
                        new Keyed<>(0L, 6L),
                        new Keyed<>(1L, 1L),
                        new Keyed<>(1L, 4L));
    }

    @Test
    void shouldLetTheFirstOfEachKeyPass() {
        numbers(7).keyBy(n -> n % 3).distinct().to(Sinks.discard());

        assertThat(run().values("sink")).containsExactly(0L, 1L, 2L);
    }

    @Test
    void shouldJoinWithTheLastRowOfAKey() {
        record Row(long key, String text) implements java.io.Serializable {}
        numbers(3)
                .join(
                        Sources.of(new Row(1, "old"), new Row(1, "one"), new Row(0, "zero")),
                        Row::key,
                        n -> n,
                        (n, row) -> row == null ? null : row.text())
                .to(Sinks.discard());

        assertThat(run().values("sink")).containsExactly("zero", "one");
    }

    @Test
    void shouldLeadSideOutputsApart() {
        Stream<Long> even = numbers(5).process(Sorter::new);
        even.to(Sinks.discard()).name("even");
        even.side(ODD).to(Sinks.discard()).name("odd");

        Interpretation run = run();

        assertThat(run.values("even")).containsExactly(0L, 2L, 4L, -5L);
        assertThat(run.values("odd")).containsExactly(1L, 3L);
    }

    @Test
    void shouldFireTimersInTheOrderOfTheirTimes() {
        timed(1, 5, 12, 3, 23).keyBy(n -> n % 2).process(Echo::new).to(Sinks.discard());

        assertThat(run().elements("sink"))
                .as("stamps are -, 0, 4, 11 and 11, so that 11 fires before 3 comes and all others at the end")
                .containsExactly(
                        new Element("1 at 11: 2", 11, 10, -1),
                        new Element("1 at 13: 4", 13, 12, -1),
                        new Element("1 at 15: 4", 15, 14, -1),
                        new Element("0 at 22: 1", 22, 21, -1),
                        new Element("1 at 33: 4", 33, 32, -1),
                        new Element("again", 1_033, 1_032, -1));
    }

    @Test
    void shouldRefuseASourceThatDoesNotEnd() {
        topology.from(TestSource.of(Long.class).add(1L)).to(Sinks.discard());

        assertThatThrownBy(this::run).hasMessageContaining("does not end");
    }

    private Stream<Long> numbers(long count) {
        return topology.from(Sources.generate(count, n -> n));
    }

    private Stream<Long> timed(long... times) {
        return topology.from(TestSource.of(Long.class)
                        .addTo(0, Arrays.stream(times).boxed().toList())
                        .end())
                .eventTime(n -> n, Duration.ZERO);
    }

    private Interpretation run() {
        return SequentialInterpreter.interpret(topology.graph(), 1);
    }

    /** Even numbers on, odd ones aside, and how many there were at the end. */
    private static final class Sorter implements Operator<Long, Long> {
        private long count;

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(ODD);
        }

        @Override
        public void process(Long value, Output<Long> output) {
            count++;
            if (value % 2 == 0) {
                output.emit(value);
            } else {
                output.emit(ODD, value);
            }
        }

        @Override
        public void finish(Output<Long> output) {
            output.emit(-count);
        }
    }

    /** Counts records by key and says so ten milliseconds after each. */
    private static final class Echo implements KeyedOperator<Long, Long, String> {
        private KeyedContext context;
        private ValueState<Long> count;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            count = opened.state("count", Type.of(Long.class));
        }

        @Override
        public void process(Long key, Long value, Output<String> output) {
            count.set(Objects.requireNonNullElse(count.get(), 0L) + 1);
            context.setTimer(context.eventTime() + 10);
            context.setTimer(value + 10);
            context.setTimer(value + 1_000);
            context.cancelTimer(value + 1_000);
        }

        @Override
        public void onTimer(Long key, long time, Output<String> output) {
            if (time == 33) {
                context.setTimer(1_033);
            }
            output.emit(time == 1_033 ? "again" : key + " at " + time + ": " + count.get());
        }

        @Override
        public void close() {
            assertThat(context.watermark()).isNotEqualTo(OperatorContext.NO_TIME);
        }
    }

    @Test
    void shouldRefuseTicks_sinceItHasNoClock() {
        Topology topology = Topology.named("ticks");
        topology.from(Sources.of(1L))
                .process(ProcessingTimerRulesContract.Ticker::new)
                .name("ticker")
                .to(Sinks.discard());

        assertThatThrownBy(() -> SequentialInterpreter.interpret(topology.graph(), 1))
                .isInstanceOf(TopologyException.class)
                .hasMessage("topology 'ticks', operator 'ticker': it uses ticks, which the oracle does not support; use"
                        + " processing-time timers in an operator with keys instead");
    }
}
