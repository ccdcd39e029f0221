// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg.files;

import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Csv;
import io.thalweg.files.JsonLines;

/** Telecom records by city and app: how many, and the sum of their bytes; three fields of 82 are declared. */
public final class JsonGroup implements TopologyDefinition {
    record Probe(Cell cell, Service service, Measures measures) {
        Key key() {
            return new Key(cell.city, service.app);
        }

        long bytesDown() {
            return measures.bytesDown;
        }
    }

    record Cell(String city) {}

    record Service(String app) {}

    record Measures(long bytesDown) {}

    record Key(String city, String app) {}

    record Figures(long n, long bytesDown) {}

    record Row(String city, String app, long n, long bytesDown) {
        static Row of(Key key, Figures figures) {
            return new Row(key.city, key.app, figures.n, figures.bytesDown);
        }
    }

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(JsonLines.read(settings.text("in", "-"), Probe.class))
                .keyBy(Probe::key)
                .window(Windows.whole())
                .aggregate(Aggregates.into(
                        Figures.class,
                        Aggregates.named("n", Aggregates.count()),
                        Aggregates.named("bytesDown", Aggregates.sum(Probe::bytesDown))))
                .map(result -> Row.of(result.key(), result.value()))
                .to(Csv.write(settings.text("out", "-"), Row.class));
    }
}
