// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import static io.thalweg.api.operator.Aggregates.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.thalweg.api.codec.Equality;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OrderFunction;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.Windows;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.RandomAccess;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a user may write, and what is refused when the topology is built. */
final class TopologyTest {
    record Fact(
            String key, long time, long number, @Nullable Long amount, double share, LocalDate day) {}

    record Longs(long a, long b) {}

    record Mixed(
            @Nullable Long number,
            @Nullable Double share,
            @Nullable String key) {}

    record Row(int id, long number, String text) {}

    private static final SideOutput<Fact> ODD = SideOutput.of("odd", Fact.class);

    private final Topology topology = Topology.named("test");
    private final Stream<Fact> facts = topology.from(Sources.of(new Fact("a", 1, 2, 3L, 4, LocalDate.EPOCH)))
            .eventTime(Fact::time, Duration.ZERO);

    private AbstractThrowableAssert<?, ? extends Throwable> refused() {
        return assertThatThrownBy(topology::graph).isInstanceOf(TopologyException.class);
    }

    /** That these compile is what is tested: javac must find the types of lambdas and of method references. */
    @Test
    void shouldInferTypesOfAggregates() {
        WindowedStream<String, Fact> windows =
                facts.keyBy(fact -> fact.key()).window(Windows.tumbling(Duration.ofMinutes(1)));
        windows.aggregate(Aggregates.sum(fact -> fact.number())).map(r -> r.value() + 1);
        windows.aggregate(Aggregates.countNonNull(fact -> fact.amount())).map(r -> r.value() + 1);
        windows.aggregate(Aggregates.max(fact -> fact.number())).map(r -> r.value() + 1);
        windows.aggregate(Aggregates.max(fact -> fact.amount())).map(r -> r.value() + 1);
        windows.aggregate(Aggregates.max(fact -> fact.number() > 1 ? fact.day() : null))
                .map(r -> r.value().plusDays(1));
        windows.aggregate(Aggregates.min(Fact::share)).map(r -> r.value() / 2);
        windows.aggregate(Aggregates.min(Fact::key, Comparator.<String>reverseOrder()))
                .map(r -> r.value().length());
        windows.aggregate(Aggregates.min(fact -> fact.key(), (a, b) -> a.length() - b.length()))
                .map(r -> r.value().length());
        windows.aggregate(Aggregates.max(fact -> fact.key(), OrderFunction.by(String::length)))
                .map(r -> r.value().length());
        windows.aggregate(Aggregates.top(3, Fact.class, Fact::amount))
                .map(r -> r.value().size());
        windows.aggregate(Aggregates.top(3, Fact.class, fact -> fact.day()))
                .map(r -> r.value().size());
        windows.aggregate(Aggregates.top(3, Fact.class, (a, b) -> Long.compare(a.number(), b.number())))
                .map(r -> r.value().size());
        windows.aggregate(Aggregates.top(
                3,
                Fact.class,
                OrderFunction.by(Fact::share).thenBy(fact -> fact.key()).reversed()));
        windows.aggregate(Aggregates.into(
                        Mixed.class,
                        Aggregates.max(fact -> fact.number()),
                        Aggregates.mean(fact -> fact.amount()),
                        Aggregates.min(Fact::key)))
                .map(r -> r.value().key());
        windows.aggregate(Aggregates.into(
                        Mixed.class,
                        named("key", Aggregates.max(fact -> fact.key())),
                        named("share", Aggregates.mean(Fact::share)),
                        named("number", Aggregates.sumOfLongs(fact -> fact.amount()))))
                .map(r -> r.value().key());
        facts.keyBy(Fact::key)
                .aggregate(Aggregates.max(fact -> fact.day()))
                .map(r -> r.value().plusDays(1));
        assertThat(facts.type()).isNotNull();
    }

    @Test
    void shouldWarnOfNeighboursThatCouldBeSwapped() {
        facts.keyBy(Fact::key)
                .aggregate(Aggregates.into(Longs.class, Aggregates.count(), Aggregates.sum(Fact::number)))
                .name("sums")
                .to(Sinks.discard());

        assertThat(topology.graph().warnings())
                .containsExactly(
                        "topology 'test', operator 'sums': components 'a' and 'b' of record Longs are both of type"
                                + " long, so two aggregates of into(…) that were swapped would go unnoticed; name them:"
                                + " into(Longs.class, named(\"a\", …), …)");
    }

    @Test
    void shouldNotWarnOfNamedComponentsNorOfDifferentNeighbours() {
        facts.keyBy(Fact::key)
                .aggregate(Aggregates.into(
                        Longs.class, named("b", Aggregates.count()), named("a", Aggregates.sum(Fact::number))))
                .to(Sinks.discard());
        facts.keyBy(Fact::key)
                .aggregate(Aggregates.into(
                        Mixed.class,
                        Aggregates.max(Fact::number),
                        Aggregates.mean(Fact::amount),
                        Aggregates.min(Fact::key)))
                .to(Sinks.discard());

        assertThat(topology.graph().warnings()).isEmpty();
    }

    // ---- joins

    private static String joined(Fact fact, @Nullable Row row) {
        return row == null ? fact.key() : row.text();
    }

    @Test
    void shouldRefuseADeclaredTypeThatContradictsAKnownOne() {
        Stream<?> counts = facts.keyBy(Fact::key)
                .window(Windows.tumbling(Duration.ofMinutes(1)))
                .aggregate(Aggregates.count())
                .name("counts");

        assertThatThrownBy(() -> counts.as(Longs.class))
                .isInstanceOf(TopologyException.class)
                .hasMessageStartingWith("topology 'test', operator 'counts': its records are of type ")
                .hasMessageEndingWith("Longs) cannot be true; map(…) converts them");
        assertThatThrownBy(() -> facts.as(Runnable.class)).isInstanceOf(TopologyException.class); // a record is final
        facts.as(Record.class).as(Fact.class).as(Object.class);
        facts.map(fact -> (List<String>) new ArrayList<>(List.of(fact.key()))).as(RandomAccess.class);
    }

    @Test
    void shouldRefuseKeysOfDifferentTypes() {
        assertThatThrownBy(
                        () -> facts.join(Sources.of(new Row(1, 1, "one")), Row::id, Fact::number, TopologyTest::joined))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("the key of the table is a Integer (Row::id) and the key of the records a Long"
                        + " (Fact::number): they would never be equal");
        assertThatThrownBy(() -> facts.join(
                        Sources.of(new Row(1, 1, "one")), row -> row.id(), fact -> fact.number(), TopologyTest::joined))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("is a Integer (a lambda in TopologyTest.");
    }

    @Test
    void shouldRefuseATableWithoutAnEnd() {
        facts.join(
                        Sources.socketLines("localhost:9999"),
                        text -> (long) text.length(),
                        Fact::number,
                        (fact, text) -> fact)
                .to(Sinks.discard());
        assertThatThrownBy(topology::graph)
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("localhost:9999 is a live source; read it as a stream");
    }

    @Test
    void shouldTakePrimitiveAndBoxedKeysAsOne() {
        facts.join(Sources.of(new Row(1, 1, "one")), Row::number, Fact::amount, TopologyTest::joined)
                .to(Sinks.discard());

        assertThat(topology.graph().nodes()).hasSize(4);
    }

    @Test
    void shouldRefuseKeysThatAreNeverEqual() {
        assertThatThrownBy(() -> facts.join(
                        Sources.of(new Row(1, 1, "one")),
                        row -> new long[] {row.number()},
                        fact -> new long[] {fact.number()},
                        TopologyTest::joined))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("an array is equal only to itself");
    }

    record Fingerprint(byte[] bytes) {}

    record Own(int[] parts) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Own own && Arrays.equals(parts, own.parts);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(parts);
        }
    }

    /** Each record would be a group of its own, without a word. */
    @Test
    void shouldRefuseKeysThatHoldWhatIsNeverEqual() {
        facts.keyBy(fact -> new Fingerprint(new byte[] {1}))
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .to(Sinks.discard());

        assertThatThrownBy(topology::graph)
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("Fingerprint.bytes: an array is equal only to itself");
    }

    /** All records would be due at once. */
    @Test
    void shouldRefuseARateThatIsNoNumber() {
        assertThatThrownBy(() -> Sources.generate(10, index -> index).rate(0.0 / 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a generator needs a count and a rate of at least 0");
    }

    @Test
    void shouldSayWhichPartOfATypeIsNeverEqual() {
        assertThatThrownBy(() -> Equality.check(Type.list(Type.of(int[].class))))
                .hasMessage("in List<int[]>, an array is equal only to itself; use a record or a List");
        assertThatThrownBy(() -> Equality.check(Type.map(Type.of(String.class), Type.of(Fingerprint.class))))
                .hasMessageStartingWith("Fingerprint.bytes: an array is equal");
        assertThatThrownBy(() -> Equality.check(Type.of(Optional.class, Type.of(StringBuilder.class))))
                .hasMessage("in Optional<StringBuilder>, StringBuilder has no equals of its own; use a record");
        assertThatThrownBy(() -> Aggregates.<Fact, Fingerprint>distinct(fact -> new Fingerprint(new byte[] {1})))
                .hasMessageStartingWith("Fingerprint.bytes: an array is equal");
    }

    @Test
    void shouldTakeKeysOfArraysThatCompareThemselves() {
        Equality.check(Type.list(Type.of(Own.class)));
    }

    // ---- side outputs

    private static final class Odd implements Operator<Fact, Fact> {
        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(ODD);
        }

        @Override
        public void process(Fact fact, Output<Fact> output) {
            output.emit(ODD, fact);
        }
    }

    private static final class Forgetful implements KeyedOperator<String, Fact, Fact> {
        @Override
        public void process(String key, Fact fact, Output<Fact> output) {
            output.emit(ODD, fact);
        }
    }

    @Test
    void shouldLeadToSideOutputsThatAreEmittedTo() {
        Stream<Fact> odd = facts.process(Odd::new);
        odd.to(Sinks.discard());
        odd.side(ODD).to(Sinks.discard());

        assertThat(topology.graph().edges()).hasSize(4);
    }

    @Test
    void shouldRefuseASideOutputThatNobodyEmits() {
        Stream<Fact> forgetful = facts.keyBy(Fact::key).process(Forgetful::new).name("forgetful");
        forgetful.to(Sinks.discard());
        forgetful.side(ODD).to(Sinks.discard());

        refused()
                .hasMessage(
                        "topology 'test', operator 'forgetful': nothing would ever come out of side(\"odd\"): Forgetful"
                                + " emits to no side output; name those it emits to in its method sideOutputs()");
    }

    @Test
    void shouldRefuseASideOutputOfAnotherNameOrType() {
        Stream<Fact> odd = facts.process(Odd::new).name("odd");
        odd.to(Sinks.discard());
        odd.side(SideOutput.of("odd", String.class)).to(Sinks.discard());

        refused().hasMessageContaining("Odd emits to \"odd\" as Fact, and it is read as String");
    }

    @Test
    void shouldRefuseLateRecordsThatWereLedNowhere() {
        Stream<?> counts = facts.keyBy(Fact::key)
                .window(Windows.tumbling(Duration.ofMinutes(1)))
                .aggregate(Aggregates.count())
                .name("counts");
        counts.to(Sinks.discard());
        counts.side(ODD).to(Sinks.discard());

        refused()
                .hasMessageContaining("operator 'counts'")
                .hasMessageContaining("its late records go nowhere; add lateTo(…) before aggregate(…)");
    }

    @Test
    void shouldRefuseASideOutputOfAFunction() {
        facts.filter(fact -> true).side(ODD).to(Sinks.discard());

        refused()
                .hasMessageContaining(
                        "only process(…), windows and joins of two streams have side outputs, and this is a filter");
    }

    // ---- what cannot be serialized

    private String text(Fact fact) {
        return fact.key();
    }

    @Test
    void shouldSayThatAMethodShouldBeStatic() {
        facts.map(this::text).name("text").to(Sinks.discard());

        refused()
                .hasMessage(
                        "topology 'test', operator 'text': this::text keeps the TopologyTest it belongs to, which cannot be"
                                + " serialized; make the method static and write TopologyTest::text");
    }

    @Test
    void shouldNameTheLambdaThatUsesItsObject() {
        facts.map(fact -> text(fact)).name("text").to(Sinks.discard());

        refused()
                .hasMessageContaining(
                        "a lambda in TopologyTest.shouldNameTheLambdaThatUsesItsObject keeps the TopologyTest"
                                + " it belongs to, which cannot be serialized; make what it uses of it static");
    }

    @Test
    void shouldNameTheVariableThatCannotBeSerialized() {
        Thread thread = Thread.currentThread();
        facts.keyBy(Fact::key)
                .aggregate(Aggregates.max(fact -> fact.key() + thread.getName()))
                .to(Sinks.discard());

        refused()
                .hasMessageContaining(
                        "a lambda in TopologyTest.shouldNameTheVariableThatCannotBeSerialized keeps a Thread,"
                                + " which cannot be serialized");
    }

    private final class Inner implements MapFunction<Fact, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String apply(Fact fact) {
            return text(fact);
        }
    }

    @Test
    void shouldSayThatAClassShouldBeStatic() {
        facts.map(new Inner()).to(Sinks.discard());

        refused()
                .hasMessageContaining("Inner is an inner class and keeps the TopologyTest around it, which cannot be"
                        + " serialized; make class Inner static");
    }

    @Test
    void shouldRefuseWindowsThatPartsOfAKeyCannotShare() {
        Stream<Integer> numbers = Topology.named("parts").from(Sources.of(1, 2, 3));
        PartiallyKeyedStream<Integer, Integer> keyed = numbers.partialKeyBy(number -> number);

        assertThatThrownBy(() -> keyed.window(Windows.sliding(Duration.ofMillis(10), Duration.ofMillis(5))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("partialKeyBy cannot aggregate in windows of sliding 10 ms by 5 ms");
        assertThatThrownBy(() -> keyed.window(Windows.whole()).allowedLateness(Duration.ofMillis(1)))
                .hasMessage("partialKeyBy has no allowedLateness; use keyBy");
        assertThatThrownBy(() -> numbers.partialKeyBy(number -> number, 0))
                .hasMessage("partialKeyBy needs at least one part of each key, not 0");
    }

    @Test
    void shouldNameAPartAfterItsWhole() {
        Topology topology = Topology.named("parts");
        topology.from(Sources.of(1, 2, 3))
                .partialKeyBy(number -> number % 2)
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .name("counts")
                .parallelism(3)
                .to(Sinks.discard());

        assertThat(topology.graph().nodes())
                .filteredOn(node -> node.spec().stateful())
                .extracting(Node::name, Node::named, Node::parallelism)
                .containsExactly(tuple("counts (partial)", true, 3), tuple("counts", true, 3));
    }

    @Test
    void shouldRefuseDurationsThatEventTimesCannotHave() {
        Stream<Integer> numbers = Topology.named("times").from(Sources.of(1, 2, 3));

        assertThatThrownBy(() -> Windows.tumbling(Duration.ofNanos(1_500_000)))
                .hasMessage(
                        "the size of a window is PT0.0015S, which is no whole number of milliseconds; event times are");
        assertThatThrownBy(() -> Windows.session(Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessage(
                        "the gap of a session is PT2562047788015215H30M7S, which is too long; it may be 70 million years");
        assertThatThrownBy(() -> Windows.sliding(Duration.ofSeconds(1), Duration.ofSeconds(Long.MIN_VALUE)))
                .hasMessageStartingWith("the step of a window is PT-2562047788015215H-30M-8S, which is too long");
        assertThatThrownBy(() -> numbers.eventTime(number -> 1L, Duration.ofMillis(-1)))
                .hasMessage("the disorder of event times is PT-0.001S; it must not be negative");
        assertThatThrownBy(() -> numbers.window(Windows.whole()).allowedLateness(Duration.ofMillis(-1)))
                .hasMessage("the allowed lateness is PT-0.001S; it must not be negative");
    }
}
