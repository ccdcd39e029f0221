// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.OrderFunction;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Csv;
import io.thalweg.files.JsonLines;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Earthquakes by day, network and magnitude type, and the ten strongest.
 *
 * <p>Settings: {@code in=FILE} reads another file of USGS events, {@code out=FILE.csv} also writes the groups.
 */
public final class Earthquakes implements TopologyDefinition {
    /** One line of the file, as far as we need it. */
    record Event(@Nullable Properties properties) {}

    record Properties(
            @Nullable Double mag,
            @Nullable String place,
            @Nullable Long time,
            long sig,
            @Nullable String net,
            @Nullable String magType) {}

    record Group(@Nullable String net, @Nullable String magType) {}

    record Figures(
            long n, @Nullable Double maxMag, @Nullable Double meanMag, long sumSig) {}

    record Row(
            LocalDate day,
            @Nullable String net,
            @Nullable String magType,
            long n,
            @Nullable Double max_mag,
            @Nullable Double mean_mag,
            long sum_sig) {}

    record Strongest(Double mag, Instant time, @Nullable String place) {}

    /** The file is sorted by nothing: no record may be late, however far back its time lies. */
    private static final Duration ANY_DISORDER = Duration.ofDays(36_500);

    @Override
    public void define(Topology topology, Settings settings) {
        String in = settings.has("in")
                ? settings.text("in", "")
                : settings.file("in", "earthquakes.jsonl").toString();
        // region job
        Stream<Properties> quakes = topology.from(JsonLines.read(in, Event.class))
                .map(Earthquakes::properties)
                .eventTime(Properties::time, ANY_DISORDER);

        Stream<Row> rows = quakes.keyBy(quake -> new Group(quake.net(), quake.magType()))
                .window(Windows.tumbling(Duration.ofDays(1)))
                .aggregate(Aggregates.into(
                        Figures.class,
                        Aggregates.named("n", Aggregates.count()),
                        Aggregates.named("maxMag", Aggregates.max(Properties::mag)),
                        Aggregates.named("meanMag", Aggregates.mean(Properties::mag)),
                        Aggregates.named("sumSig", Aggregates.sum(Properties::sig))))
                .map(result -> row(result.start(), result.key(), result.value()));

        rows.to(Sinks.<Row>table("Earthquakes by day, network and magnitude type")
                .sortedBy(ORDER));
        // endregion
        if (settings.has("out")) {
            rows.to(Csv.write(settings.text("out", ""), Row.class));
        }

        quakes.filter(quake -> quake.mag() != null)
                .map(quake -> new Strongest(quake.mag(), Instant.ofEpochMilli(quake.time()), quake.place()))
                .window(Windows.whole())
                .aggregate(Aggregates.top(10, Strongest.class, Strongest::mag))
                .flatMap(result -> result.value())
                .as(Strongest.class)
                .to(Sinks.table("The ten strongest"));
    }

    private static Properties properties(Event event) {
        if (event.properties() == null) {
            throw new BadRecordException("the event has no properties", event.toString());
        }
        return event.properties();
    }

    private static Row row(long start, Group group, Figures figures) {
        LocalDate day = LocalDate.ofInstant(Instant.ofEpochMilli(start), ZoneOffset.UTC);
        return new Row(
                day, group.net(), group.magType(), figures.n(), figures.maxMag(), figures.meanMag(), figures.sumSig());
    }

    private static final OrderFunction<Row> ORDER = (a, b) -> Comparator.comparing(Row::day)
            .thenComparing(Row::net, Comparator.nullsFirst(Comparator.<String>naturalOrder()))
            .thenComparing(Row::magType, Comparator.nullsFirst(Comparator.<String>naturalOrder()))
            .compare(a, b);
}
