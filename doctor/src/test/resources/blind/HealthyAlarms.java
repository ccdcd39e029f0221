// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Five thousand readings a second, and hardly anything to do. */
public final class HealthyAlarms implements TopologyDefinition {
    record Reading(int sensor, double celsius) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Reading((int) (i % 200), i % 97))
                        .rate(5_000))
                .name("readings")
                .filter(reading -> reading.celsius() > 90)
                .name("hot")
                .map(reading -> "sensor " + reading.sensor() + " has " + reading.celsius())
                .name("text")
                .to(Sinks.each(text -> {}));
    }
}
