// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.avro.Avro;
import io.thalweg.parquet.Parquet;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The deepest earthquake of each network, from three columns of a Parquet file that has ten.
 *
 * <p>Settings: {@code in=FILE} reads another file, {@code out=FILE.avro} also writes the table.
 */
public final class Columns implements TopologyDefinition {
    // region record
    record Quake(@Nullable Double mag, String net, Location location) {}

    record Location(double depth) {}
    // endregion

    private static double depth(Quake quake) {
        return quake.location().depth();
    }

    record Deepest(String net, long n, double depth) {}

    record Figures(long n, double depth) {}

    @Override
    public void define(Topology topology, Settings settings) {
        String in = settings.has("in")
                ? settings.text("in", "")
                : settings.file("in", "earthquakes.parquet").toString();
        // region job
        Stream<Deepest> deepest = topology.from(Parquet.read(in, Quake.class))
                .keyBy(Quake::net)
                .window(Windows.whole())
                .aggregate(Aggregates.into(Figures.class, Aggregates.count(), Aggregates.max(Columns::depth)))
                .map(result -> new Deepest(
                        result.key(), result.value().n(), result.value().depth()));
        if (settings.has("out")) {
            deepest.to(Avro.write(settings.text("out", ""), Deepest.class));
        }
        // endregion
        deepest.to(Sinks.<Deepest>table("Deepest earthquake of each network")
                .sortedBy((a, b) -> Comparator.comparing(Deepest::net).compare(a, b)));
    }
}
