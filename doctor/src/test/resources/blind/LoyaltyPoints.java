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

/** Points of each customer. Seven of ten purchases are made without a card, and are booked on the customer "none". */
public final class LoyaltyPoints implements TopologyDefinition {
    record Purchase(String customer, double amount) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(
                                1_000_000_000L,
                                i -> new Purchase(i % 10 < 7 ? "none" : "c" + i * 7919 % 20_000, 5 + i % 95))
                        .splitInto(2))
                .name("purchases")
                .keyBy(Purchase::customer)
                .process(Points::new)
                .name("points")
                .to(Sinks.discard());
    }

    static final class Points implements KeyedOperator<String, Purchase, Double> {
        private ValueState<Double> points;

        @Override
        public void open(KeyedContext context) {
            points = context.state("points", Type.of(Double.class));
        }

        @Override
        public void process(String customer, Purchase purchase, Output<Double> output) {
            Double before = points.get();
            double now = before == null ? 0 : before * 0.99;
            for (int tier = 1; tier <= 400; tier++) {
                now += Math.log1p(purchase.amount() / tier) / 400;
            }
            points.set(now);
            if (now > 1_000_000) {
                output.emit(now);
            }
        }
    }
}
