// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.CoGroup;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the guide shows of joins, run and checked. */
final class JoinsGuideTest {
    // region records
    record Order(long id, long time, String goods) {}

    record Payment(@Nullable Long order, long time, double sum) {}

    record Paid(long order, @Nullable Double sum) {}
    // endregion

    record Balance(long order, double open) {}

    // region balance
    static List<Balance> balance(CoGroup<Long, Order, Payment> hour) {
        Long order = hour.key(); // null if a payment does not say what it is for
        double paid = hour.right().stream().mapToDouble(Payment::sum).sum();
        return order == null || hour.left().isEmpty() ? List.of() : List.of(new Balance(order, 10 - paid));
    }
    // endregion

    // region function
    static Paid paid(Order order, @Nullable Payment payment) {
        return new Paid(order.id(), payment == null ? null : payment.sum());
    }
    // endregion

    record Priced(long order, double price) {}

    /** Stands for a client of a service. */
    private static final class Prices {
        CompletableFuture<Double> lookup(String goods) {
            return CompletableFuture.completedFuture(goods.equals("milk") ? null : (double) goods.length());
        }
    }

    private static final Prices PRICES = new Prices();

    // region price
    static CompletionStage<Double> price(Order order) {
        return PRICES.lookup(order.goods()); // of a client that does not block
    }

    static @Nullable Priced priced(Order order, @Nullable Double price) {
        return price == null ? null : new Priced(order.id(), price);
    }
    // endregion

    @Test
    void shouldLookThingsUp() throws Exception {
        Topology topology = Topology.named("shop");
        Stream<Order> orders = topology.from(
                Sources.of(new Order(1, 0, "tea"), new Order(2, 60_000, "milk"), new Order(3, 600_000, "rice")));
        CollectSink<Priced> sink = CollectSink.of(Priced.class);
        // region async
        orders.async()
                .concurrency(50)
                .timeout(Duration.ofSeconds(5))
                .retry(3, Duration.ofMillis(100))
                .cache(Order::goods, 10_000, Duration.ofMinutes(1))
                .join(JoinsGuideTest::price, JoinsGuideTest::priced)
                .to(sink);
        // endregion
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();
        assertThat(sink.records()).containsExactlyInAnyOrder(new Priced(1, 3), new Priced(3, 4));
    }

    /** The source never ends by itself. */
    @Test
    void shouldTakeTheFirstOnly() throws Exception {
        Topology topology = Topology.named("first");
        Stream<Long> numbers = topology.from(Sources.generate(Long.MAX_VALUE, n -> n));
        CollectSink<Long> sink = CollectSink.of(Long.class);
        // region limit
        numbers.limit(100).to(sink);
        // endregion
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();
        assertThat(sink.records()).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void shouldJoinByTime() throws Exception {
        Topology topology = Topology.named("shop");
        Stream<Order> orders = topology.from(
                        Sources.of(new Order(1, 0, "tea"), new Order(2, 60_000, "milk"), new Order(3, 600_000, "rice")))
                .eventTime(Order::time, Duration.ofSeconds(1));
        Stream<Payment> payments = topology.from(Sources.of(
                        new Payment(2L, 90_000, 2.5),
                        new Payment(null, 100_000, 9),
                        new Payment(1L, 300_001, 4),
                        new Payment(3L, 610_000, 7),
                        new Payment(3L, 1_000, 8)))
                .eventTime(Payment::time, Duration.ofSeconds(1));
        CollectSink<Paid> sink = CollectSink.of(Paid.class);
        CollectSink<Payment> lateSink = CollectSink.of(Payment.class);
        // region interval
        SideOutput<Payment> late = SideOutput.of("late", Payment.class);
        Stream<Paid> paid = orders.join(payments)
                .where(Order::id)
                .equalTo(Payment::order)
                .between(Duration.ZERO, Duration.ofMinutes(5)) // a payment may come up to five minutes after its order
                .lateRightTo(late)
                .left(JoinsGuideTest::paid);
        paid.to(sink);
        paid.side(late).to(lateSink);
        // endregion

        new EmbeddedRunner(RunSettings.defaults().withParallelism(2))
                .start(topology.graph())
                .await();

        assertThat(sink.records()).containsExactlyInAnyOrder(new Paid(1, null), new Paid(2, 2.5), new Paid(3, 7.0));
        assertThat(lateSink.records()).containsExactly(new Payment(3L, 1_000, 8));
    }

    @Test
    void shouldJoinByWindow() throws Exception {
        Topology topology = Topology.named("shop");
        Stream<Order> orders = topology.from(Sources.of(new Order(1, 0, "tea"), new Order(2, 3_600_000, "milk")))
                .eventTime(Order::time, Duration.ofSeconds(1));
        Stream<Payment> payments = topology.from(Sources.of(
                        new Payment(1L, 10, 4),
                        new Payment(1L, 3_599_999, 5),
                        new Payment(null, 3_600_000, 9),
                        new Payment(1L, 3_600_000, 1)))
                .eventTime(Payment::time, Duration.ofSeconds(1));
        CollectSink<Balance> sink = CollectSink.of(Balance.class);
        // region cogroup
        orders.join(payments)
                .where(Order::id)
                .equalTo(Payment::order)
                .window(Windows.tumbling(Duration.ofHours(1)))
                .coGroup(JoinsGuideTest::balance)
                .to(sink);
        // endregion

        new EmbeddedRunner(RunSettings.defaults().withParallelism(2))
                .start(topology.graph())
                .await();

        assertThat(sink.records()).containsExactlyInAnyOrder(new Balance(1, 1), new Balance(2, 10));
    }
}
