// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Adds up clicks, an addition each, with an ack for every single one. */
public final class Clicks implements TopologyDefinition {
    record Click(int page, int weight) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(100_000_000_000L, i -> new Click((int) (i & 127), (int) (i & 3))).splitInto(2))
                .name("clicks")
                .filter(click -> click.weight() > 0)
                .name("counted")
                .shuffle()
                .map(click -> click.page() + click.weight())
                .name("add")
                .to(Sinks.each(sum -> {}));
    }
}
