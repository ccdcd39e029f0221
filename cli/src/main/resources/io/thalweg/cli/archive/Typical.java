// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Csv;
import java.time.Duration;
import java.time.Instant;

/** What many jobs are made of. */
public final class Typical implements TopologyDefinition {
    record Reading(Instant at, String sensor, double value, long count) {}

    record Figures(long readings, double greatest, long count) {}

    record Row(Instant start, String sensor, long readings, double greatest, long count) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Csv.read(settings.required("in"), Reading.class))
                .filter(reading -> reading.count() > 0)
                .eventTime(reading -> reading.at().toEpochMilli(), Duration.ofSeconds(1))
                .keyBy(Reading::sensor)
                .window(Windows.tumbling(Duration.ofSeconds(10)))
                .aggregate(Aggregates.into(
                        Figures.class, Aggregates.count(), Aggregates.max(Reading::value), Aggregates.sum(Reading::count)))
                .map(result -> new Row(
                        result.startTime(),
                        result.key(),
                        result.value().readings(),
                        result.value().greatest(),
                        result.value().count()))
                .to(Csv.write(settings.required("out"), Row.class));
    }
}
