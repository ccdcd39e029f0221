// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Balances of 20,000 accounts, exactly once, with a checkpoint every two seconds. */
public final class HealthyAccounts implements TopologyDefinition {
    record Booking(int account, long cents) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Booking((int) (i * 7919 % 20_000), i % 500 - 100))
                        .splitInto(2)
                        .rate(100_000))
                .name("bookings")
                .keyBy(Booking::account)
                .process(Balance::new)
                .name("balance")
                .to(Sinks.discard());
    }

    static final class Balance implements KeyedOperator<Integer, Booking, String> {
        private ValueState<Long> cents;

        @Override
        public void open(KeyedContext context) {
            cents = context.state("cents", Type.of(Long.class));
        }

        @Override
        public void process(Integer account, Booking booking, Output<String> output) {
            Long before = cents.get();
            long now = (before == null ? 0 : before) + booking.cents();
            cents.set(now);
            if (now < 0) {
                output.emit("account " + account + " is overdrawn");
            }
        }
    }
}
