// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Receipts by shop, 20,000 a second with acks and as many in flight as usual; one shop has a tenth of them. */
public final class HealthyReceipts implements TopologyDefinition {
    record Receipt(int shop, long cents) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(
                                1_000_000_000L, i -> new Receipt(i % 10 == 0 ? 1 : (int) (i * 7919 % 3000), i % 9000))
                        .splitInto(2)
                        .rate(20_000))
                .name("receipts")
                .partitionBy((receipt, tasks) -> receipt.shop() % tasks)
                .map(receipt -> "shop " + receipt.shop() + " took " + receipt.cents())
                .name("text")
                .to(Sinks.each(text -> {}));
    }
}
