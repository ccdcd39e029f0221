// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** The volume of each paper. A file of settings gives its queues room for two batches of two records. */
public final class Trades implements TopologyDefinition {
    record Trade(int paper, long pieces) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(100_000_000_000L, i -> new Trade((int) (i * 31 % 3000), i % 100)).splitInto(2))
                .name("trades")
                .keyBy(Trade::paper)
                .aggregate(Aggregates.sum(Trade::pieces))
                .name("volume")
                .to(Sinks.discard());
    }
}
