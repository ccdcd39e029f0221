// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.files.JsonLines;

/** Writes 50,000 records a second into a file of JSON lines. */
public final class HealthyExport implements TopologyDefinition {
    record Row(long id, String name, double value) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Row(i, "name-" + i % 1000, i % 777 / 7.0))
                        .rate(50_000))
                .name("rows")
                .filter(row -> row.value() > 1)
                .name("worth")
                .to(JsonLines.write(settings.required("out"), Row.class))
                .name("file");
    }
}
