// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Cleans measurements in small steps, each isolated "so that it is seen in the metrics". */
public final class Clean implements TopologyDefinition {
    record Value(int sensor, double value) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(100_000_000_000L, i -> new Value((int) (i % 1000), i % 4096)).splitInto(2))
                .name("values")
                .filter(value -> value.sensor() != 13)
                .name("known")
                .isolate()
                .map(value -> new Value(value.sensor(), value.value() * 0.25))
                .name("scale")
                .isolate()
                .filter(value -> value.value() < 1000)
                .name("plausible")
                .isolate()
                .map(value -> new Value(value.sensor(), value.value() - 273.15))
                .name("celsius")
                .isolate()
                .filter(value -> value.value() > -60)
                .name("warm")
                .isolate()
                .to(Sinks.discard());
    }
}
