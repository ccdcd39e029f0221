// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** One invoice has no customer and throws; the job restarts from its last checkpoint and meets it again. */
public final class Invoices implements TopologyDefinition {
    record Invoice(long id, String customer) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Invoice(i, i == 15_000 ? "" : "c" + i % 800))
                        .rate(20_000))
                .name("invoices")
                .map(invoice -> invoice.customer().substring(1) + " pays " + invoice.id())
                .name("address")
                .to(Sinks.each(text -> {}));
    }
}
