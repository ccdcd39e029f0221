// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.JsonLines;
import io.thalweg.jdbc.Jdbc;
import io.thalweg.jdbc.JdbcSink;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

//DEPS org.postgresql:postgresql:42.7.14 org.xerial:sqlite-jdbc:3.54.1.0

/**
 * Earthquakes by day and network into a table of PostgreSQL, or of any other database whose driver is there.
 *
 * <p>Settings: {@code url=jdbc:postgresql://HOST/DATABASE}, without which a file of SQLite in the working directory is written;
 * {@code user=NAME}, whose password is taken from the environment, {@code DB_PASSWORD}; {@code in=FILE} reads another file.
 */
public final class PostgresEarthquakes implements TopologyDefinition {
    record Event(@Nullable Properties properties) {}

    record Properties(
            @Nullable Double mag,
            @Nullable Long time,
            long sig,
            @Nullable String net) {}

    record Group(String net) {}

    record Figures(
            long n, @Nullable Double maxMag, @Nullable Double meanMag, long sumSig) {}

    record Row(LocalDate day, String net, Figures quakes) {}

    /** Components of the nested record go to columns that begin with its name. */
    private static final String TABLE = """
            create table if not exists quakes_by_day (
              day date not null,
              net varchar(10) not null,
              quakes_n bigint not null,
              quakes_max_mag double precision,
              quakes_mean_mag double precision,
              quakes_sum_sig bigint not null,
              primary key (day, net))""";

    private static final Duration ANY_DISORDER = Duration.ofDays(36_500);

    @Override
    public void define(Topology topology, Settings settings) {
        String in = settings.has("in")
                ? settings.text("in", "")
                : settings.file("in", "../earthquakes/earthquakes.jsonl").toString();
        String url = settings.text("url", "jdbc:sqlite:quakes.db");
        // region job
        Stream<Row> rows = topology.from(JsonLines.read(in, Event.class))
                .map(PostgresEarthquakes::properties)
                .eventTime(Properties::time, ANY_DISORDER)
                .keyBy(quake -> new Group(quake.net() == null ? "" : quake.net()))
                .window(Windows.tumbling(Duration.ofDays(1)))
                .aggregate(Aggregates.into(
                        Figures.class,
                        Aggregates.named("n", Aggregates.count()),
                        Aggregates.named("maxMag", Aggregates.max(Properties::mag)),
                        Aggregates.named("meanMag", Aggregates.mean(Properties::mag)),
                        Aggregates.named("sumSig", Aggregates.sum(Properties::sig))))
                .map(result -> new Row(
                        LocalDate.ofInstant(Instant.ofEpochMilli(result.start()), ZoneOffset.UTC),
                        result.key().net(),
                        result.value()));
        JdbcSink<Row> table =
                Jdbc.upsert(url, "quakes_by_day", Row.class).key("day", "net").first(TABLE);
        // endregion
        if (settings.has("user")) {
            table = table.user(settings.text("user", "")).password(Secret.environment("DB_PASSWORD"));
        }
        rows.to(table);
        rows.to(Sinks.table("Written to " + url.replaceAll("[?;].*", "")));
    }

    private static Properties properties(Event event) {
        if (event.properties() == null) {
            throw new BadRecordException("the event has no properties", event.toString());
        }
        return event.properties();
    }
}
