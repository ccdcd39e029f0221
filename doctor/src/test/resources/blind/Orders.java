// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Confirms orders, with acks and one record in flight, "so that the order is kept". */
public final class Orders implements TopologyDefinition {
    record Order(long id, String customer, int pieces) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Order(i, "c" + i % 900, (int) (i % 5))))
                .name("orders")
                .filter(order -> order.pieces() > 0)
                .name("not-empty")
                .shuffle()
                .map(order -> order.customer() + " gets " + order.pieces())
                .name("confirm")
                .to(Sinks.each(text -> {}));
    }
}
