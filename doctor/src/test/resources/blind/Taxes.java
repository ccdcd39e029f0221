// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.util.ArrayList;
import java.util.List;

/** Taxes of sales, each country in its task. All sell the same number; one has twenty times as many rules. */
public final class Taxes implements TopologyDefinition {
    record Sale(int country, int goods, double net) {}

    record Rule(int goods, double rate) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(
                                1_000_000_000L, i -> new Sale((int) (i % 4), (int) (i * 7919 % 10_000), i % 500))
                        .splitInto(2))
                .name("sales")
                .partitionBy((sale, tasks) -> sale.country() % tasks)
                .process(Tax::new)
                .name("tax")
                .parallelism(4)
                .to(Sinks.discard());
    }

    static final class Tax implements Operator<Sale, Double> {
        private final List<Rule> rules = new ArrayList<>();

        @Override
        public void open(OperatorContext context) {
            int size = context.task() == 2 ? 6000 : 300;
            for (int i = 0; i < size; i++) {
                rules.add(new Rule(i % 10_000, 0.07 + i % 13 / 100.0));
            }
        }

        @Override
        public void process(Sale sale, Output<Double> output) {
            double rate = 0.19;
            for (Rule rule : rules) {
                if (rule.goods() == sale.goods()) {
                    rate = rule.rate();
                }
            }
            output.emit(sale.net() * rate);
        }
    }
}
