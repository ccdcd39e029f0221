// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.time.Duration;

/** Carts that are forgotten two seconds after their last change, so that state stays as large as it is. */
public final class HealthyCarts implements TopologyDefinition {
    record Change(long cart, long time, int goods) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(
                                1_000_000_000L,
                                i -> new Change(i / 4, 1_517_900_000_000L + i / 20, (int) (i % 5000)))
                        .rate(20_000))
                .name("changes")
                .eventTime(Change::time, Duration.ofMillis(200))
                .keyBy(Change::cart)
                .process(Cart::new)
                .name("carts")
                .to(Sinks.discard());
    }

    static final class Cart implements KeyedOperator<Long, Change, Integer> {
        private ValueState<Integer> goods;

        @Override
        public void open(KeyedContext context) {
            goods = context.state("goods", Type.of(Integer.class), TimeToLive.ofEventTime(Duration.ofSeconds(2)));
        }

        @Override
        public void process(Long cart, Change change, Output<Integer> output) {
            Integer before = goods.get();
            goods.set((before == null ? 0 : before) + change.goods());
            output.emit(goods.get());
        }
    }
}
