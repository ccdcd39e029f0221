// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Addressed;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.testkit.FaultySource;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of connected streams, for any runner. */
@SuppressWarnings("NullAway") // like user code without null checks
@Timeout(900)
public abstract class ConnectRulesContract {
    private static final long ORDERS = 300;
    private static final long PAYMENTS = 500;
    private static final long PATIENCE_MS = 40;
    private static final Duration DISORDER = Duration.ofMillis(30);

    /** A way to run topologies; at a parallelism of more than one it tests more. */
    protected abstract TestRunner road();

    /** False of the oracle, for which an operator is one task. */
    protected boolean hasTasks() {
        return true;
    }

    record Order(@Nullable Long id, long time) implements Serializable {}

    record Payment(@Nullable Long order, long time, double sum) implements Serializable {}

    record Paid(long id, double sum) implements Serializable {}

    private final Topology topology = Topology.named("shop");

    private static Order order(long number) {
        return new Order(number, number * 5 ^ 7);
    }

    private static Payment payment(long number) {
        return new Payment(number * 7 % ORDERS, number * 3 ^ 5, number);
    }

    private Stream<Order> orders() {
        return topology.from(
                Sources.generate(ORDERS, ConnectRulesContract::order).splitInto(3));
    }

    private Stream<Payment> payments() {
        return topology.from(
                Sources.generate(PAYMENTS, ConnectRulesContract::payment).splitInto(2));
    }

    /** By the name of the sink. */
    private final Map<String, List<?>> expected = new LinkedHashMap<>();

    private long bad;

    /** All in one job, because starting one takes a while on some runners. */
    @Test
    void shouldComeToWhatIsExpected() throws Exception {
        shareStateAndTimersByKey();
        handEachTaskWhatItsGroupingsLeadThere();
        haveEventTimeOnlyIfBothHave(false);
        haveEventTimeOnlyIfBothHave(true);
        connectAStreamWithItself();
        countBadKeysOfBothInputs(true);
        countBadKeysOfBothInputs(false);
        groupByKeysOfDifferentTypes();
        countBadRecordsOfAnInput();
        if (hasTasks()) {
            choosePartitionsAsAsked();
            goToTheTaskThatTheyName();
        }

        Outcome outcome = run();

        expected.forEach((sink, records) -> assertThat(outcome.sink(sink))
                .as(sink)
                .containsExactlyInAnyOrderElementsOf(List.<Object>copyOf(records)));
        assertThat(outcome.bad()).isEqualTo(bad);
    }

    @Test
    void shouldNameAPartitionerThatChoosesATaskThatIsNotThere() {
        orders().partitionBy((order, tasks) -> order.id() == 17 ? tasks : 0)
                .process(Numbered::new)
                .name("numbered")
                .to(Sinks.discard());

        assertThatThrownBy(this::run)
                .hasMessageContaining("numbered'")
                .hasMessageMatching(
                        "(?s).*the partitioner chose task [1-9] for Order\\[id=17, time=.*, but they are numbered"
                                + " from 0 to [0-9].*");
    }

    @Test
    void shouldNameARecordForATaskThatIsNotThere() {
        orders().map(order -> new Sent(order.id() == 17 ? 3 : 0, order.id()))
                .as(Sent.class)
                .direct()
                .process(Addressees::new)
                .name("addressees")
                .parallelism(3)
                .to(Sinks.discard());

        assertThatThrownBy(this::run)
                .hasMessageContaining("addressees'")
                .hasMessageMatching("(?s).*Sent\\[to=3, id=17] is for task 3, but they are numbered from 0 to 2.*");
    }

    private Outcome run() throws Exception {
        return road().run(topology.graph());
    }

    /** What is paid for each order within forty milliseconds of it, before or after; orders without payment go to the side. */
    static final class Till implements KeyedTwoInputOperator<Long, Order, Payment, Paid> {
        static final SideOutput<Order> UNPAID = SideOutput.of("unpaid", Order.class);

        private KeyedContext context;
        private ValueState<Order> order;
        private ListState<Payment> payments;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            order = opened.state("order", Type.of(Order.class));
            payments = opened.listState("payments", Type.of(Payment.class));
        }

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(UNPAID);
        }

        @Override
        public void processFirst(Long id, Order ordered, Output<Paid> output) {
            order.set(ordered);
            context.setTimer(ordered.time() + PATIENCE_MS);
        }

        @Override
        public void processSecond(Long id, Payment payment, Output<Paid> output) {
            payments.add(payment);
        }

        @Override
        public void onTimer(Long id, long time, Output<Paid> output) {
            double sum = 0;
            for (Payment payment : payments) {
                sum += Math.abs(payment.time() - order.get().time()) <= PATIENCE_MS ? payment.sum() : 0;
            }
            if (sum == 0) {
                output.emit(UNPAID, order.get());
            } else {
                output.emit(new Paid(id, sum));
            }
        }
    }

    private void shareStateAndTimersByKey() {
        Stream<Paid> paid = orders().eventTime(Order::time, DISORDER)
                .keyBy(Order::id)
                .connect(payments().eventTime(Payment::time, DISORDER).keyBy(Payment::order))
                .process(Till::new)
                .name("till");
        paid.to(Sinks.discard()).name("paid");
        paid.side(Till.UNPAID).to(Sinks.discard()).name("unpaid");
        List<Object> paidThen = new ArrayList<>();
        List<Object> unpaid = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            Order order = order(id);
            double sum = LongStream.range(0, PAYMENTS)
                    .mapToObj(ConnectRulesContract::payment)
                    .filter(payment -> payment.order().equals(order.id()))
                    .filter(payment -> Math.abs(payment.time() - order.time()) <= PATIENCE_MS)
                    .mapToDouble(Payment::sum)
                    .sum();
            (sum == 0 ? unpaid : paidThen).add(sum == 0 ? order : new Paid(id, sum));
        }

        expected.put("paid", paidThen);
        expected.put("unpaid", unpaid);
        assertThat(paidThen).hasSizeBetween(20, 280);
    }

    /** Says what it was handed. */
    static final class Tally implements TwoInputOperator<Order, Payment, String> {
        private OperatorContext context;

        @Override
        public void open(OperatorContext opened) {
            context = opened;
        }

        @Override
        public void processFirst(Order order, Output<String> output) {
            output.emit("order " + order.id() + " at " + context.eventTime());
        }

        @Override
        public void processSecond(Payment payment, Output<String> output) {
            output.emit("paid " + payment.sum());
        }
    }

    private void handEachTaskWhatItsGroupingsLeadThere() {
        orders().shuffle()
                .connect(payments().broadcast())
                .process(Tally::new)
                .parallelism(2)
                .to(Sinks.discard())
                .name("broadcast");
        List<Object> records = new ArrayList<>(LongStream.range(0, ORDERS)
                .mapToObj(id -> "order " + id + " at " + OperatorContext.NO_TIME)
                .toList());
        for (long number = 0; number < PAYMENTS; number++) {
            records.add("paid " + payment(number).sum());
            records.add("paid " + payment(number).sum());
        }
        expected.put("broadcast", records);
    }

    /** What has event time on one side only has none behind it. */
    private void haveEventTimeOnlyIfBothHave(boolean both) {
        Stream<Payment> payments = payments();
        orders().eventTime(Order::time, DISORDER)
                .connect(both ? payments.eventTime(Payment::time, DISORDER) : payments)
                .process(Tally::new)
                .filter(text -> text.startsWith("order"))
                .to(Sinks.discard())
                .name("timed " + both);
        List<Object> records = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            records.add("order " + id + " at " + (both ? order(id).time() : OperatorContext.NO_TIME));
        }
        expected.put("timed " + both, records);
    }

    /** Says which input a record came by. */
    static final class Twins implements KeyedTwoInputOperator<Long, Order, Order, String> {
        @Override
        public void processFirst(Long id, Order order, Output<String> output) {
            output.emit("first " + id);
        }

        @Override
        public void processSecond(Long id, Order order, Output<String> output) {
            output.emit("second " + id);
        }
    }

    private void connectAStreamWithItself() {
        Stream<Order> orders = orders();
        orders.keyBy(Order::id)
                .connect(orders.keyBy(Order::id))
                .process(Twins::new)
                .to(Sinks.discard())
                .name("itself");
        List<Object> records = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            records.add("first " + id);
            records.add("second " + id);
        }
        expected.put("itself", records);
    }

    private Stream<Order> some(Order... orders) {
        return topology.from(new FaultySource<>(Type.of(Order.class), Arrays.asList(orders)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFailAtANullKeyOfEitherInputAndNameTheRecord(boolean second) throws Exception {
        Stream<Order> good = some(new Order(1L, 1), new Order(2L, 2));
        Stream<Order> bad = some(new Order(3L, 3), new Order(null, 4));
        (second ? good : bad)
                .keyBy(Order::id)
                .connect((second ? bad : good).keyBy(Order::id))
                .process(Twins::new)
                .name("twins")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(this::run)
                .hasMessageContaining("operator 'twins'")
                .hasMessageContaining("Order::id, given to keyBy, returned null for record Order[id=null, time=4]");
    }

    private static long evenId(Order order) {
        if (order.id() % 2 == 1) {
            throw new BadRecordException("an odd id", order.toString());
        }
        return order.id();
    }

    private void countBadKeysOfBothInputs(boolean keyed) {
        Stream<Order> one = some(new Order(1L, 1), null, new Order(2L, 2), new Order(3L, 3), new Order(6L, 6));
        Stream<Order> other = some(new Order(4L, 4), new Order(5L, 5), new Order(8L, 8));
        Stream<String> twins = keyed
                ? one.keyBy(ConnectRulesContract::evenId)
                        .connect(other.keyBy(ConnectRulesContract::evenId))
                        .process(Twins::new)
                : one.keyBy(ConnectRulesContract::evenId)
                        .records()
                        .connect(other.keyBy(ConnectRulesContract::evenId).records())
                        .process(Unkeyed::new);
        twins.to(Sinks.discard()).name("bad keys, keyed " + keyed);
        expected.put("bad keys, keyed " + keyed, List.of("first 2", "first 6", "second 4", "second 8"));
        bad += 4;
    }

    static final class Unkeyed implements TwoInputOperator<Order, Order, String> {
        @Override
        public void processFirst(Order order, Output<String> output) {
            output.emit("first " + order.id());
        }

        @Override
        public void processSecond(Order order, Output<String> output) {
            output.emit("second " + order.id());
        }
    }

    /** A grouping by keys of different types is allowed if the operator works by none. */
    /** Says which of how many tasks a record came to. */
    static final class Numbered implements Operator<Order, String> {
        private OperatorContext context;

        @Override
        public void open(OperatorContext opened) {
            context = opened;
        }

        @Override
        public void process(Order order, Output<String> output) {
            output.emit(order.id() + " at " + context.task() + " of " + context.parallelism());
        }
    }

    /** An order for one of several tasks. */
    record Sent(int to, long id) implements Addressed, Serializable {
        @Override
        public int task() {
            if (id % 7 == 6) {
                throw new BadRecordException("it belongs nowhere", toString());
            }
            return to;
        }
    }

    /** Emits for the tasks of the next operator. */
    static final class Sender implements Operator<Order, Sent> {
        private final int tasks;

        Sender(int tasks) {
            this.tasks = tasks;
        }

        @Override
        public void process(Order order, Output<Sent> output) {
            output.emit(new Sent((int) (order.id() / 3 % tasks), order.id()));
        }
    }

    /** Says which of how many tasks a record came to that names one. */
    static final class Addressees implements Operator<Sent, String> {
        private OperatorContext context;

        @Override
        public void open(OperatorContext opened) {
            context = opened;
        }

        @Override
        public void process(Sent sent, Output<String> output) {
            output.emit(sent.id() + " at " + context.task() + " of " + context.parallelism());
        }
    }

    /** With event time and without, and to a single task too, where nobody else asks the record. */
    private void goToTheTaskThatTheyName() {
        for (int tasks = 1; tasks <= 3; tasks++) {
            Stream<Order> from = tasks == 2 ? orders() : orders().eventTime(Order::time, DISORDER);
            String name = "direct to " + tasks;
            int of = tasks;
            from.process(() -> new Sender(of))
                    .as(Sent.class)
                    .direct()
                    .process(Addressees::new)
                    .parallelism(tasks)
                    .to(Sinks.discard())
                    .name(name);
            expected.put(
                    name,
                    LongStream.range(0, ORDERS)
                            .filter(id -> id % 7 != 6)
                            .mapToObj(id -> id + " at " + id / 3 % of + " of " + of)
                            .toList());
            bad += ORDERS / 7;
        }
    }

    private static int third(Order order, int tasks) {
        if (order.id() % 7 == 6) {
            throw new BadRecordException("it belongs nowhere", order.toString());
        }
        return (int) (order.id() / 3 % tasks);
    }

    /** With event time and without, and to a single task too, where nobody else asks the partitioner. */
    private void choosePartitionsAsAsked() {
        for (int tasks = 1; tasks <= 3; tasks++) {
            Stream<Order> from = tasks == 2 ? orders() : orders().eventTime(Order::time, DISORDER);
            String name = "partitions of " + tasks;
            from.partitionBy(ConnectRulesContract::third)
                    .process(Numbered::new)
                    .parallelism(tasks)
                    .to(Sinks.discard())
                    .name(name);
            int of = tasks;
            expected.put(
                    name,
                    LongStream.range(0, ORDERS)
                            .filter(id -> id % 7 != 6)
                            .mapToObj(id -> id + " at " + id / 3 % of + " of " + of)
                            .toList());
            bad += ORDERS / 7;
        }
    }

    private void groupByKeysOfDifferentTypes() {
        some(new Order(1L, 1))
                .keyBy(Order::id)
                .records()
                .connect(some(new Order(2L, 2))
                        .keyBy(order -> "text " + order.id())
                        .records())
                .process(Unkeyed::new)
                .to(Sinks.discard())
                .name("other keys");
        expected.put("other keys", List.of("first 1", "second 2"));
    }

    /** Throws at what comes in on the second input. */
    static final class Picky implements TwoInputOperator<Order, Payment, String> {
        @Override
        public void processFirst(Order order, Output<String> output) {
            if (order.id() % 3 == 0) {
                throw new BadRecordException("by three", order.toString());
            }
            output.emit("order " + order.id());
        }

        @Override
        public void processSecond(Payment payment, Output<String> output) {
            throw new IllegalArgumentException("no money, please: " + payment.sum());
        }
    }

    @Test
    void shouldNameTheOperatorThatFailed() {
        orders().connect(payments())
                .process(Picky::new)
                .name("picky")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(this::run)
                .hasMessageContaining("operator 'picky'")
                .hasMessageContaining("no money, please: ");
    }

    private void countBadRecordsOfAnInput() {
        orders().connect(payments().filter(payment -> false))
                .process(Picky::new)
                .to(Sinks.discard())
                .name("bad records");
        expected.put(
                "bad records",
                LongStream.range(0, ORDERS)
                        .filter(id -> id % 3 > 0)
                        .mapToObj(id -> "order " + id)
                        .toList());
        bad += ORDERS / 3;
    }
}
