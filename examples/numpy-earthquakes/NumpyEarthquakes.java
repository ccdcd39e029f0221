// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Csv;
import io.thalweg.files.JsonLines;
import io.thalweg.python.Python;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Earthquakes by the nearest of some cities, which numpy finds for a batch of them at a time.
 *
 * <p>Settings: {@code in=FILE} reads another file of USGS events, {@code python=COMMAND} is an interpreter that has numpy, {@code
 * out=FILE.csv} also writes what was found.
 */
public final class NumpyEarthquakes implements TopologyDefinition {
    record Event(Properties properties, Geometry geometry) {}

    record Properties(@Nullable String place) {}

    /** Longitude, latitude and depth. */
    record Geometry(List<Double> coordinates) {}

    record Quake(@Nullable String place, double longitude, double latitude) {}

    record Nearest(String city, double km, @Nullable String place) {}

    record City(String city, long quakes, double nearestKm) {}

    record Found(long quakes, double nearestKm) {}

    @Override
    public void define(Topology topology, Settings settings) {
        String in = settings.has("in")
                ? settings.text("in", "")
                : settings.file("in", "../earthquakes/earthquakes.jsonl").toString();
        Stream<Quake> quakes = topology.from(JsonLines.read(in, Event.class)).map(NumpyEarthquakes::quake);

        // region job
        Stream<Nearest> nearest = Python.operator(settings.file("script", "nearest.py"), "nearest")
                .interpreter(settings.text("python", "python3"))
                .batch(1_000, Duration.ofMillis(20))
                .map(quakes, Nearest.class)
                .name("nearest");
        // endregion

        nearest.keyBy(Nearest::city)
                .window(Windows.whole())
                .aggregate(Aggregates.into(
                        Found.class,
                        Aggregates.named("quakes", Aggregates.count()),
                        Aggregates.named("nearestKm", Aggregates.min(Nearest::km))))
                .map(result -> new City(
                        result.key(), result.value().quakes(), result.value().nearestKm()))
                .to(Sinks.<City>table("Earthquakes by the nearest city")
                        .sortedBy((a, b) -> Long.compare(b.quakes(), a.quakes())));
        if (settings.has("out")) {
            nearest.to(Csv.write(settings.text("out", ""), Nearest.class));
        }
    }

    private static Quake quake(Event event) {
        List<Double> at = event.geometry().coordinates();
        return new Quake(event.properties().place(), at.get(0), at.get(1));
    }
}
