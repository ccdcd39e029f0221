// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.CheckpointedTwoInputOperator;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.TwoInputOperator;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** What graph comes of two streams that are connected, and what is refused. */
final class ConnectTest {
    record Order(long id, String text) {}

    record Payment(long order, int account, double sum) {}

    record Paid(String text, double sum) {}

    private static final SideOutput<Order> UNPAID = SideOutput.of("unpaid", Order.class);

    private final Topology topology = Topology.named("shop");
    private final Stream<Order> orders =
            topology.from(Sources.of(new Order(1, "tea"))).name("orders");
    private final Stream<Payment> payments =
            topology.from(Sources.of(new Payment(1, 2, 3))).name("payments");

    static class Payments implements KeyedTwoInputOperator<Long, Order, Payment, Paid> {
        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(UNPAID);
        }

        @Override
        public void processFirst(Long id, Order order, Output<Paid> output) {}

        @Override
        public void processSecond(Long id, Payment payment, Output<Paid> output) {}
    }

    static class Tellers implements TwoInputOperator<Order, Payment, String> {
        @Override
        public void processFirst(Order order, Output<String> output) {}

        @Override
        public void processSecond(Payment payment, Output<String> output) {}
    }

    static final class Counters extends Tellers implements CheckpointedTwoInputOperator<Order, Payment, String> {
        @Override
        public byte[] save() {
            return new byte[0];
        }

        @Override
        public void restore(List<byte[]> saved) {}
    }

    static final class Twins implements KeyedTwoInputOperator<Long, Order, Order, String> {
        @Override
        public void processFirst(Long key, Order order, Output<String> output) {}

        @Override
        public void processSecond(Long key, Order order, Output<String> output) {}
    }

    static final class AnyKey<K> implements KeyedTwoInputOperator<K, Order, Payment, String> {
        @Override
        public void processFirst(K key, Order order, Output<String> output) {}

        @Override
        public void processSecond(K key, Payment payment, Output<String> output) {}
    }

    private Node node(String name) {
        return topology.graph().nodes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused() {
        return assertThatThrownBy(topology::graph).isInstanceOf(TopologyException.class);
    }

    @Test
    void shouldLeadEachStreamToItsInput() {
        orders.keyBy(Order::id)
                .connect(payments.keyBy(Payment::order))
                .process(Payments::new)
                .to(Sinks.discard());

        TopologyGraph graph = topology.graph();
        Node connected = node("keyed-connect");
        assertThat(connected.output()).isEqualTo(Type.of(Paid.class));
        assertThat(connected.spec().inputs()).isEqualTo(2);
        assertThat(connected.spec().stateful()).isTrue();
        assertThat(graph.inputsOf(connected)).extracting(Edge::input).containsExactly(0, 1);
        assertThat(graph.inputsOf(connected))
                .extracting(edge -> graph.node(edge.from()).name())
                .containsExactly("orders", "payments");
        for (Edge edge : graph.inputsOf(connected)) {
            assertThat(edge.grouping())
                    .isEqualTo(new Grouping.ByKey(connected.spec().keyedBy(edge.input())));
        }
    }

    @Test
    void shouldKeepTheGroupingOfEachStream() {
        orders.shuffle().connect(payments.broadcast()).process(Tellers::new).to(Sinks.discard());

        Node connected = node("connect");
        assertThat(connected.output()).isEqualTo(Type.of(String.class));
        assertThat(connected.spec().stateful()).isFalse();
        assertThat(topology.graph().inputsOf(connected))
                .extracting(Edge::grouping)
                .containsExactly(new Grouping.Shuffle(), new Grouping.Broadcast());
    }

    @Test
    void shouldKnowThatACheckpointBringsFieldsBack() {
        orders.connect(payments).process(Counters::new).to(Sinks.discard());

        assertThat(node("connect").spec().stateful()).isTrue();
    }

    @Test
    void shouldConnectAStreamWithItself() {
        orders.keyBy(Order::id)
                .connect(orders.keyBy(Order::id))
                .process(Twins::new)
                .to(Sinks.discard());
        payments.to(Sinks.discard());

        TopologyGraph graph = topology.graph();
        assertThat(graph.edges()).doesNotHaveDuplicates();
        assertThat(graph.nodes()).extracting(Node::name).contains("keyed-connect");
    }

    /** The compiler refuses most of them; a type that is said may be another one. */
    @Test
    void shouldRefuseKeysOfDifferentTypes() {
        KeyedStream<List<Long>, Order> byId =
                orders.keyBy(order -> List.of(order.id()), Type.list(Type.of(Long.class)));
        Type<List<Long>> said = Stream.cast(Type.list(Type.of(Integer.class)));
        KeyedStream<List<Long>, Payment> byAccount = payments.keyBy(payment -> List.of(payment.order()), said);

        assertThatThrownBy(() -> byId.connect(byAccount))
                .isInstanceOf(TopologyException.class)
                .hasMessageStartingWith("topology 'shop', operator 'keyed-connect': the key of the first stream is a"
                        + " List<Long> (a lambda in ConnectTest.")
                .hasMessageContaining(") and the key of the second stream a List<Integer> (a lambda in ConnectTest.")
                .hasMessageEndingWith(
                        "): they would never be equal; convert one of them, as in" + " record -> (long) record.id()");
    }

    @Test
    void shouldRefuseAKeyThatIsNeverEqual() {
        orders.keyBy(order -> new long[] {order.id()})
                .connect(payments.keyBy(payment -> new long[] {payment.order()}))
                .process(AnyKey<long[]>::new)
                .as(String.class)
                .to(Sinks.discard());

        refused().hasMessageContaining("keyed-connect").hasMessageContaining("an array is equal only to itself");
    }

    @Test
    void shouldRefuseStreamsOfTwoTopologies() {
        Stream<Order> other = Topology.named("warehouse").from(Sources.of(new Order(1, "tea")));

        assertThatThrownBy(() -> other.connect(payments).process(Tellers::new))
                .isInstanceOf(TopologyException.class)
                .hasMessage("topology 'warehouse', operator 'connect': it is given a stream of this topology and one of"
                        + " topology 'shop'; streams that meet must come from one topology");
        assertThatThrownBy(() -> other.union(orders)).hasMessageContaining("operator 'union'");
    }

    @Test
    void shouldLeadToSideOutputsThatAreEmittedTo() {
        Stream<Paid> paid =
                orders.keyBy(Order::id).connect(payments.keyBy(Payment::order)).process(Payments::new);
        paid.to(Sinks.discard());
        paid.side(UNPAID).to(Sinks.discard());

        assertThat(topology.graph().outputsOf(node("keyed-connect"))).hasSize(2);
    }

    @Test
    void shouldRefuseASideOutputThatNobodyEmits() {
        Stream<String> told = orders.connect(payments).process(Tellers::new).name("tell");
        told.to(Sinks.discard());
        told.side(UNPAID).to(Sinks.discard());

        refused()
                .hasMessageStartingWith("topology 'shop', operator 'tell'")
                .hasMessageContaining("Tellers emits to no side output");
    }

    @Test
    void shouldTellInputsApartInItsDescription() {
        orders.keyBy(Order::id)
                .connect(payments.keyBy(Payment::order))
                .process(Payments::new)
                .to(Sinks.discard());
        GraphDescription.Step step = GraphDescription.of(topology.graph()).step("keyed-connect");

        assertThat(step).isNotNull();
        assertThat(step.kind()).isEqualTo("keyed-connect");
        assertThat(step.types()).isEqualTo("key Long, records Paid");
        assertThat(step.keyFunction()).isEqualTo("Order::id and Payment::order");
        assertThat(step.inputs()).containsExactly("0 by key Long Order", "1 by key Long Payment to its second input");
    }
}
