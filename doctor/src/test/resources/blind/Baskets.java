// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The median of each basket's prices, with lists, maps and boxed numbers for every step. */
public final class Baskets implements TopologyDefinition {
    record Basket(long id, int size) {}

    record Median(long id, double price) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Basket(i, 400 + (int) (i % 100)))
                        .splitInto(4))
                .name("baskets")
                .map(Baskets::median)
                .name("median")
                .to(Sinks.discard());
    }

    static Median median(Basket basket) {
        Map<Integer, List<Double>> byKind = new HashMap<>();
        for (int i = 0; i < basket.size(); i++) {
            byKind.computeIfAbsent(1000 + i % 50, kind -> new ArrayList<>())
                    .add(Double.valueOf(basket.id() * 17 % 1000 + i / 10.0));
        }
        List<Double> all = new ArrayList<>();
        for (List<Double> prices : byKind.values()) {
            all.addAll(new ArrayList<>(prices));
        }
        List<Double> copy = new ArrayList<>(all);
        return new Median(basket.id(), copy.get(copy.size() / 2));
    }
}
