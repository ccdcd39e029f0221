// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.SideOutput;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What graph comes of two streams that are joined by time, and what is refused. */
final class IntervalJoinTest {
    record Order(long id, long time) {}

    record Payment(long order, Integer code, long time) {}

    record Paid(long id) {}

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Topology topology = Topology.named("shop");
    private final Stream<Order> untimedOrders =
            topology.from(Sources.of(new Order(1, 1))).name("orders");
    private final Stream<Payment> untimedPayments =
            topology.from(Sources.of(new Payment(1, 1, 1))).name("payments");

    private Stream<Order> orders() {
        return untimedOrders.eventTime(Order::time, Duration.ZERO).name("order times");
    }

    private Stream<Payment> payments() {
        return untimedPayments.eventTime(Payment::time, Duration.ZERO).name("payment times");
    }

    private static KeyedJoin<Long, Order, Payment> keyed(Stream<Order> orders, Stream<Payment> payments) {
        return orders.join(payments).where(Order::id).equalTo(Payment::order);
    }

    @Test
    void shouldLeadEachStreamToItsInput() {
        keyed(orders(), payments())
                .between(MINUTE.negated(), Duration.ZERO)
                .left((order, payment) -> new Paid(order.id()))
                .to(Sinks.discard());

        TopologyGraph graph = topology.graph();
        Node join = graph.nodes().stream()
                .filter(node -> node.name().equals("interval-join"))
                .findFirst()
                .orElseThrow();
        assertThat(join.output()).isEqualTo(Type.of(Paid.class));
        assertThat(join.timed()).isTrue();
        assertThat(join.spec().stateful()).isTrue();
        assertThat(join.spec().describe()).isEqualTo("left join, right PT-1M to PT0S from left");
        assertThat(graph.inputsOf(join)).extracting(Edge::input).containsExactly(0, 1);
        assertThat(graph.inputsOf(join))
                .extracting(edge -> graph.node(edge.from()).name())
                .containsExactly("order times", "payment times");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNeedEventTimeOfBoth(boolean ordersTimed) {
        keyed(ordersTimed ? orders() : untimedOrders, ordersTimed ? untimedPayments : payments())
                .between(Duration.ZERO, MINUTE)
                .inner((order, payment) -> new Paid(order.id()))
                .to(Sinks.discard());

        assertThatThrownBy(topology::graph)
                .isInstanceOf(TopologyException.class)
                .hasMessage(
                        "topology 'shop', operator 'interval-join': it joins by event time, which both streams need;"
                                + " give each of its sources eventTime(…) before the first grouping");
    }

    /** The compiler refuses them, unless somebody casts. */
    @Test
    void shouldRefuseKeysThatAreNeverEqual() {
        NullableFunction<Payment, Integer> code = Payment::code;
        NullableFunction<Payment, Long> said = Stream.cast(code);
        KeyedJoin<Long, Order, Payment> join =
                orders().join(payments()).where(Order::id).equalTo(said);

        assertThatThrownBy(() -> join.between(Duration.ZERO, MINUTE))
                .isInstanceOf(TopologyException.class)
                .hasMessage(
                        "topology 'shop', operator 'interval-join': the key of the left stream is a Long (Order::id)"
                                + " and the key of the right stream a Integer (Payment::code): they would never be equal; convert"
                                + " one of them, as in record -> (long) record.id()");
    }

    @Test
    void shouldRefuseArraysAsKeys() {
        assertThatThrownBy(() -> orders().join(payments())
                        .where(order -> new long[] {order.id()})
                        .equalTo(payment -> new long[] {payment.order()})
                        .between(Duration.ZERO, MINUTE))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("an array is equal only to itself");
    }

    @Test
    void shouldRefuseBoundsThatHoldNothing() {
        assertThatThrownBy(() -> keyed(orders(), payments()).between(MINUTE, Duration.ZERO))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("between(PT1M, PT0S) holds nothing, because the lower bound is the greater one");
        assertThatThrownBy(() -> keyed(orders(), payments()).between(Duration.ZERO, Duration.ofNanos(1)))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("PT0.000000001S, which is no whole number of milliseconds");
        assertThatThrownBy(() -> keyed(orders(), payments()).between(Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("is too long");
    }

    @Test
    void shouldRefuseASideOutputThatNobodyEmitsTo() {
        SideOutput<Order> late = SideOutput.of("late", Order.class);
        keyed(orders(), payments())
                .between(Duration.ZERO, MINUTE)
                .inner((order, payment) -> new Paid(order.id()))
                .side(late)
                .to(Sinks.discard());

        assertThatThrownBy(topology::graph)
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("its late records go nowhere; add lateLeftTo(…) or lateRightTo(…)");
    }

    @Test
    void shouldRefuseOneSideOutputOfTwoTypes() {
        assertThatThrownBy(() -> keyed(orders(), payments())
                        .between(Duration.ZERO, MINUTE)
                        .lateLeftTo(SideOutput.of("late", Order.class))
                        .lateRightTo(SideOutput.of("late", Payment.class))
                        .inner((order, payment) -> new Paid(order.id())))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("side output \"late\" is to hold a Order and a Payment");
    }
}
