// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg.files;

import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Csv;
import io.thalweg.files.JsonLines;

/** Earthquakes by network and type of magnitude: how many, the strongest, the sum of significances. */
public final class Quakes implements TopologyDefinition {
    record Event(Properties properties) {}

    record Properties(String net, String magType, double mag, long sig) {
        Key key() {
            return new Key(net, magType);
        }
    }

    record Key(String net, String magType) {}

    record Figures(long n, double mag, long sig) {}

    record Row(String net, String magType, long n, double mag, long sig) {
        static Row of(Key key, Figures figures) {
            return new Row(key.net, key.magType, figures.n, figures.mag, figures.sig);
        }
    }

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(JsonLines.read(settings.text("in", "-"), Event.class))
                .map(Event::properties)
                .keyBy(Properties::key)
                .window(Windows.whole())
                .aggregate(Aggregates.into(
                        Figures.class,
                        Aggregates.named("n", Aggregates.count()),
                        Aggregates.named("mag", Aggregates.max(Properties::mag)),
                        Aggregates.named("sig", Aggregates.sum(Properties::sig))))
                .map(result -> Row.of(result.key(), result.value()))
                .to(Csv.write(settings.text("out", "-"), Row.class));
    }
}
