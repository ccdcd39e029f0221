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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Earthquakes, scored by a function in Python.
 *
 * <p>Settings: {@code in=FILE} reads another file of USGS events, {@code script=FILE} is another file of Python source, {@code
 * python=COMMAND} another interpreter, {@code out=FILE.csv} also writes the scores.
 */
public final class PythonEarthquakes implements TopologyDefinition {
    record Event(@Nullable Properties properties, @Nullable Geometry geometry) {}

    record Properties(@Nullable Double mag, @Nullable String place) {}

    /** Longitude, latitude and depth in km. */
    record Geometry(@Nullable List<Double> coordinates) {}

    record Quake(
            @Nullable String place,
            @Nullable Double mag,
            @Nullable Double depth) {}

    record Score(@Nullable String place, double mag, double score, String level) {}

    record Level(String level, long quakes) {}

    @Override
    public void define(Topology topology, Settings settings) {
        String in = settings.has("in")
                ? settings.text("in", "")
                : settings.file("in", "../earthquakes/earthquakes.jsonl").toString();
        Stream<Quake> quakes = topology.from(JsonLines.read(in, Event.class)).map(PythonEarthquakes::quake);

        // region job
        Stream<Score> scores = Python.operator(settings.file("script", "scoring.py"), "score")
                .interpreter(settings.text("python", "python3"))
                .map(quakes, Score.class)
                .name("score");
        // endregion

        scores.keyBy(Score::level)
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .map(result -> new Level(result.key(), result.value()))
                .to(Sinks.<Level>table("Earthquakes by level")
                        .sortedBy((a, b) -> a.level().compareTo(b.level())));
        scores.window(Windows.whole())
                .aggregate(Aggregates.top(5, Score.class, Score::score))
                .flatMap(result -> result.value())
                .as(Score.class)
                .to(Sinks.table("The five highest scores"));
        if (settings.has("out")) {
            scores.to(Csv.write(settings.text("out", ""), Score.class));
        }
    }

    private static Quake quake(Event event) {
        Properties properties = event.properties();
        List<Double> at = event.geometry() == null ? null : event.geometry().coordinates();
        return new Quake(
                properties == null ? null : properties.place(),
                properties == null ? null : properties.mag(),
                at == null || at.size() < 3 ? null : at.get(2));
    }
}
