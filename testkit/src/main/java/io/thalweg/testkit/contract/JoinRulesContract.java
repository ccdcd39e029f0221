// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.EventTimeFunction;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.topology.IntervalJoinedStreams;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.testkit.FaultySource;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules of interval joins, for any runner: the result is that of two nested loops over lists. */
@SuppressWarnings("NullAway") // like user code without null checks
@Timeout(900)
public abstract class JoinRulesContract {
    private static final long DISORDER_MS = 5;
    private static final long SEED = Long.getLong("thalweg.seed", 4711);
    private static final SideOutput<Order> LATE_ORDERS = SideOutput.of("late orders", Order.class);
    private static final SideOutput<Payment> LATE_PAYMENTS = SideOutput.of("late payments", Payment.class);

    /** A way to run topologies; at a parallelism of more than one it tests more. */
    protected abstract TestRunner road();

    record Order(@Nullable Long key, long time, long number) implements Serializable {}

    record Payment(long number, long time, @Nullable Long key) implements Serializable {}

    record Paid(@Nullable Long order, @Nullable Long payment) implements Serializable {}

    /** Which records come out without a partner. */
    private enum Kind {
        INNER,
        LEFT,
        RIGHT,
        FULL;

        boolean left() {
            return this == LEFT || this == FULL;
        }

        boolean right() {
            return this == RIGHT || this == FULL;
        }
    }

    private final Random random = new Random(SEED);
    private final Topology topology = Topology.named("shop");

    /** Each list is a split. */
    private final List<List<Order>> orders = List.of(orders(100, 0), orders(60, 1_000));

    private final List<List<Payment>> payments = List.of(payments(90, 0), payments(80, 2_000));

    /** By the name of the sink. */
    private final Map<String, List<Object>> expected = new LinkedHashMap<>();

    private long bad;
    private long late;

    private List<Order> orders(int count, long from) {
        List<Order> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(new Order(key(), time(i), from + i));
        }
        return made;
    }

    private List<Payment> payments(int count, long from) {
        List<Payment> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(new Payment(from + i, time(i), key()));
        }
        return made;
    }

    private @Nullable Long key() {
        int key = random.nextInt(5);
        return key == 4 ? null : Long.valueOf(key);
    }

    /** Some are late: they lie more than the disorder that is allowed behind others. Some are before 1970. */
    private long time(int i) {
        return i * 2L - 40 - random.nextInt(14);
    }

    private static @Nullable Long orderKey(Order order) {
        return checked(order.key(), order.number(), 19, 7);
    }

    private static @Nullable Long paymentKey(Payment payment) {
        return checked(payment.key(), payment.number(), 23, 4);
    }

    private static @Nullable Long checked(@Nullable Long key, long number, long modulus, long bad) {
        if (number % modulus == bad) {
            throw new BadRecordException("its key cannot be read", String.valueOf(number));
        }
        return key;
    }

    private static @Nullable Paid paid(@Nullable Order order, @Nullable Payment payment) {
        Long one = order == null ? null : order.number();
        Long other = payment == null ? null : payment.number();
        long sum = (one == null ? 0 : one) + (other == null ? 0 : other);
        if (sum % 43 == 6) {
            throw new BadRecordException("the pair is bad", one + " " + other);
        }
        return sum % 17 == 3 ? null : new Paid(one, other);
    }

    /** Says at what event time a record comes. */
    static final class AtTime implements Operator<Paid, String> {
        private OperatorContext context;

        @Override
        public void open(OperatorContext opened) {
            context = opened;
        }

        @Override
        public void process(Paid paid, Output<String> output) {
            output.emit(text(paid, context.eventTime()));
        }
    }

    private static String text(Paid paid, long time) {
        return paid + " at " + time;
    }

    private <T> Stream<T> from(Class<T> type, List<List<T>> splits, EventTimeFunction<T> time) {
        List<Stream<T>> streams = new ArrayList<>();
        for (List<T> each : splits) {
            streams.add(topology.from(new FaultySource<>(Type.of(type), each))
                    .eventTime(time, Duration.ofMillis(DISORDER_MS)));
        }
        return streams.get(0).union(streams.subList(1, streams.size()));
    }

    /** All in one job, because starting one takes a while on some runners. */
    @Test
    void shouldComeToWhatIsExpected() throws Exception {
        Stream<Order> left = from(Order.class, orders, Order::time);
        Stream<Payment> right = from(Payment.class, payments, Payment::time);
        join(left, right, Kind.INNER, -5, 0);
        join(left, right, Kind.INNER, -30, 40);
        join(left, right, Kind.LEFT, -3, 7);
        join(left, right, Kind.LEFT, -9, -4);
        join(left, right, Kind.RIGHT, 2, 6);
        join(left, right, Kind.FULL, 0, 0);
        join(left, right, Kind.FULL, -4, 3);

        Outcome outcome = road().run(topology.graph());

        expected.forEach((sink, records) ->
                assertThat(outcome.sink(sink)).as(sink).containsExactlyInAnyOrderElementsOf(records));
        assertThat(outcome.bad()).isEqualTo(bad);
        assertThat(outcome.late()).isEqualTo(late);
    }

    private void join(Stream<Order> left, Stream<Payment> right, Kind kind, long lower, long upper) {
        IntervalJoinedStreams<Order, Payment> near = left.join(right)
                .where(JoinRulesContract::orderKey)
                .equalTo(JoinRulesContract::paymentKey)
                .between(Duration.ofMillis(lower), Duration.ofMillis(upper))
                .lateLeftTo(LATE_ORDERS)
                .lateRightTo(LATE_PAYMENTS);
        Stream<Paid> joined = switch (kind) {
            case INNER -> near.inner(JoinRulesContract::paid);
            case LEFT -> near.left(JoinRulesContract::paid);
            case RIGHT -> near.right(JoinRulesContract::paid);
            case FULL -> near.full(JoinRulesContract::paid);
        };
        String name = kind + " " + lower + " " + upper;
        joined.name(name);
        joined.process(AtTime::new).to(Sinks.discard()).name(name + " pairs");
        joined.keyBy(paid -> 0)
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .map(count -> count.start() + ": " + count.value())
                .to(Sinks.discard())
                .name(name + " windows");
        joined.side(LATE_ORDERS).to(Sinks.discard()).name(name + " late orders");
        joined.side(LATE_PAYMENTS).to(Sinks.discard()).name(name + " late payments");
        expect(kind, lower, upper, name);
    }

    // ---- the two loops

    private void expect(Kind kind, long lower, long upper, String name) {
        List<Order> lefts = new ArrayList<>();
        List<Object> lateOrders = new ArrayList<>();
        for (List<Order> split : orders) {
            long reached = Long.MIN_VALUE;
            for (Order order : split) {
                if (order.number() % 19 == 7) {
                    bad++;
                } else if (order.time() <= reached) {
                    lateOrders.add(order);
                } else {
                    lefts.add(order);
                }
                reached = Math.max(reached, order.time() - DISORDER_MS - 1);
            }
        }
        List<Payment> rights = new ArrayList<>();
        List<Object> latePayments = new ArrayList<>();
        for (List<Payment> split : payments) {
            long reached = Long.MIN_VALUE;
            for (Payment payment : split) {
                if (payment.number() % 23 == 4) {
                    bad++;
                } else if (payment.time() <= reached) {
                    latePayments.add(payment);
                } else {
                    rights.add(payment);
                }
                reached = Math.max(reached, payment.time() - DISORDER_MS - 1);
            }
        }
        late += lateOrders.size() + latePayments.size();
        assertThat(lateOrders).hasSizeBetween(3, 60);
        assertThat(latePayments).hasSizeBetween(3, 60);
        expected.put(name + " late orders", lateOrders);
        expected.put(name + " late payments", latePayments);
        results(kind, lower, upper, name, lefts, rights);
    }

    private void results(Kind kind, long lower, long upper, String name, List<Order> lefts, List<Payment> rights) {
        List<Object> pairs = new ArrayList<>();
        Map<Long, Long> windows = new HashMap<>();
        Set<Order> paid = new HashSet<>();
        Set<Payment> used = new HashSet<>();
        for (Order order : lefts) {
            for (Payment payment : rights) {
                long later = payment.time() - order.time();
                if (order.key() != null && order.key().equals(payment.key()) && lower <= later && later <= upper) {
                    paid.add(order);
                    used.add(payment);
                    result(order, payment, Math.max(order.time(), payment.time()), pairs, windows);
                }
            }
        }
        int found = pairs.size();
        for (Order order : lefts) {
            if (kind.left() && !paid.contains(order)) {
                result(order, null, order.time() + Math.max(0, upper), pairs, windows);
            }
        }
        for (Payment payment : rights) {
            if (kind.right() && !used.contains(payment)) {
                result(null, payment, payment.time() - Math.min(0, lower), pairs, windows);
            }
        }
        assertThat(found).as(name).isPositive();
        assertThat(pairs.size() - found).as(name).isGreaterThanOrEqualTo(kind == Kind.INNER ? 0 : 10);
        expected.put(name + " pairs", pairs);
        List<Object> counts = new ArrayList<>();
        windows.forEach((start, count) -> counts.add(start + ": " + count));
        expected.put(name + " windows", counts);
    }

    private void result(
            @Nullable Order order, @Nullable Payment payment, long time, List<Object> pairs, Map<Long, Long> windows) {
        try {
            Paid paid = paid(order, payment);
            if (paid != null) {
                pairs.add(text(paid, time));
                windows.merge(Math.floorDiv(time, 10) * 10, 1L, Long::sum);
            }
        } catch (BadRecordException e) {
            bad++;
        }
    }

    // ---- what an operator may do with time

    /** Emits before the current time. */
    static final class Backwards implements Operator<Order, Long> {
        private OperatorContext context;

        @Override
        public void open(OperatorContext opened) {
            context = opened;
        }

        @Override
        public void process(Order order, Output<Long> output) {
            output.emitAt(context.eventTime() - 1, order.number());
        }
    }

    @Test
    void shouldNotEmitBeforeTheTimeInHand() {
        from(Order.class, orders, Order::time)
                .process(Backwards::new)
                .name("backwards")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(() -> road().run(topology.graph()))
                .hasMessageContaining("operator 'backwards'")
                .hasMessageContaining("is before");
    }
}
