// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.OrderFunction;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.broker.TrialTopics;
import io.thalweg.files.Csv;
import io.thalweg.files.Json;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.KafkaSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Earthquakes from a topic of Kafka, by day, network and magnitude type; the same groups as in the earthquakes example.
 *
 * <p>Settings: {@code brokers=HOST:PORT} and {@code topic=NAME} read a topic of USGS events to its end; {@code results=NAME} writes the
 * groups to a topic, {@code out=FILE.csv} to a file; {@code kafka.NAME=VALUE} sets a property of Kafka's clients. Without {@code brokers}
 * the job starts a broker of its own and fills a topic with {@code in=FILE}: at once, or with {@code speed=N} while it runs, in the order
 * of time and N times as fast as it happened, until it is stopped.
 */
public final class KafkaEarthquakes implements TopologyDefinition {
    /** A message, as far as we need it. */
    record Event(@Nullable Properties properties) {}

    record Properties(
            @Nullable Double mag,
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

    /** The file is sorted by nothing: no record may be late, however far back its time lies. */
    private static final Duration ANY_DISORDER = Duration.ofDays(36_500);

    private static final int PARTITIONS = 2;

    @Override
    public void define(Topology topology, Settings settings) throws Exception {
        boolean own = !settings.has("brokers");
        String topic = settings.text("topic", "earthquakes");
        String results = settings.text("results", own ? "earthquakes-by-day" : "");
        long speed = own ? settings.number("speed", 0) : 0;
        String brokers = own ? ownBroker(settings, topic, results, speed) : settings.required("brokers");
        boolean live = speed > 0;

        // region job
        Map<String, String> client = settings.startingWith("kafka."); // --set kafka.security.protocol=SSL
        KafkaSource<Event> source =
                Kafka.read(brokers, topic, Json.decoder(Event.class)).set(client);
        Stream<Properties> quakes = topology.from(live ? source : source.untilLatest())
                .map(KafkaEarthquakes::properties)
                .eventTime(Properties::time, live ? Duration.ZERO : ANY_DISORDER);

        Stream<Row> rows = quakes.keyBy(quake -> new Group(quake.net(), quake.magType()))
                .window(Windows.tumbling(Duration.ofDays(1)))
                .aggregate(Aggregates.into(
                        Figures.class,
                        Aggregates.named("n", Aggregates.count()),
                        Aggregates.named("maxMag", Aggregates.max(Properties::mag)),
                        Aggregates.named("meanMag", Aggregates.mean(Properties::mag)),
                        Aggregates.named("sumSig", Aggregates.sum(Properties::sig))))
                .map(result -> row(result.start(), result.key(), result.value()));

        if (!results.isEmpty()) {
            rows.to(Kafka.write(brokers, results, Csv.encoder(Row.class))
                    .key(row -> row.day().toString())
                    .set(client));
        }
        // endregion
        if (settings.has("out")) {
            rows.to(Csv.write(settings.text("out", ""), Row.class));
        }
        if (live) {
            rows.map(KafkaEarthquakes::line).to(Sinks.print());
        } else {
            rows.to(Sinks.<Row>table("Earthquakes by day, network and magnitude type")
                    .sortedBy(ORDER));
        }
    }

    /** Starts a broker that ends with this process, and fills a topic. */
    private static String ownBroker(Settings settings, String topic, String results, long speed) throws Exception {
        Path in = settings.file("in", "../earthquakes/earthquakes.jsonl");
        List<ProducerRecord<byte[], byte[]>> messages = messages(in, topic);
        if (speed > 0) {
            messages.sort(Comparator.comparingLong(message -> message.timestamp()));
        }
        TrialBroker broker = TrialBroker.temporary(BrokerSetup.single());
        TrialTopics topics = TrialTopics.at(broker.address());
        topics.create(topic, PARTITIONS);
        topics.create(results, PARTITIONS);
        System.err.println("A Kafka broker for this job is at " + broker.address());
        if (speed > 0) {
            Thread filler = new Thread(() -> replay(topics, messages, speed), "filler");
            filler.setDaemon(true);
            filler.start();
        } else {
            topics.send(messages);
            topics.close();
        }
        return broker.address();
    }

    /** The lines of a file, each in the partition of its network, so that sums of doubles add up in the file's order. */
    private static List<ProducerRecord<byte[], byte[]>> messages(Path in, String topic) throws Exception {
        MapFunction<byte[], Event> reader = Json.reader(Event.class);
        List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
        for (String line : Files.readAllLines(in)) {
            byte[] value = line.getBytes(StandardCharsets.UTF_8);
            Properties quake = properties(reader.apply(value));
            int partition = Math.floorMod(String.valueOf(quake.net()).hashCode(), PARTITIONS);
            messages.add(new ProducerRecord<>(topic, partition, quake.time(), null, value));
        }
        return messages;
    }

    private static void replay(TrialTopics topics, List<ProducerRecord<byte[], byte[]>> messages, long speed) {
        try {
            long before = messages.get(0).timestamp();
            for (ProducerRecord<byte[], byte[]> message : messages) {
                TimeUnit.NANOSECONDS.sleep(TimeUnit.MILLISECONDS.toNanos(message.timestamp() - before) / speed);
                before = message.timestamp();
                topics.send(List.of(message));
            }
        } catch (Exception e) {
            System.err.println("The topic cannot be filled: " + e.getMessage());
        }
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

    /** As a line of the CSV file. */
    private static String line(Row row) {
        return row.day() + "," + text(row.net()) + "," + text(row.magType()) + "," + row.n() + "," + text(row.max_mag())
                + "," + text(row.mean_mag()) + "," + row.sum_sig();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static final OrderFunction<Row> ORDER = (a, b) -> Comparator.comparing(Row::day)
            .thenComparing(Row::net, Comparator.nullsFirst(Comparator.<String>naturalOrder()))
            .thenComparing(Row::magType, Comparator.nullsFirst(Comparator.<String>naturalOrder()))
            .compare(a, b);
}
