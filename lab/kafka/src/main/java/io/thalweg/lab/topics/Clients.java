// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.files.Json;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.KafkaSink;
import io.thalweg.kafka.KafkaSource;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import io.thalweg.lab.driver.Payload;
import io.thalweg.run.BadLimit;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSums;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The clients that are measured, one for each JVM: jobs of Thalweg, and Kafka's own tools. {@code set.client} says which; {@code set.consumer.…}
 * and {@code set.producer.…} are settings of Kafka's clients, {@code set.from-topic} is the sink's {@code replayFromTopic()}. Each leaves its {@link Figures} in the run's folder. A job is measured
 * from its start until it has ended, so with all that it does beside.
 */
public final class Clients implements Driver {
    /** How often a job that is to be stopped looks for that. */
    private static final Duration LOOK = Duration.ofMillis(50);

    @Override
    public String version() {
        return AppInfoParser.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        String client = cell.set().getOrDefault("client", "");
        Figures figures = switch (client) {
            case "tool-read" -> ToolRun.consume(cell);
            case "tool-produce" -> ToolRun.produce(cell, Payloads.file());
            case "read" -> run(read(cell), settings());
            case "flatten" -> run(flatten(cell), settings());
            case "parse" -> run(parse(cell), settings());
            case "produce" -> run(produce(cell), settings());
            case "copy" -> run(copy(source(cell).untilLatest(), cell), checkpointed(cell));
            case "copy-until-stopped" -> untilStopped(copy(source(cell), cell), checkpointed(cell), cell);
            case "probe" -> LatencyProbe.run(cell);
            default -> throw new IllegalArgumentException("no client " + client);
        };
        figures.write(cell.folder().path());
    }

    private static Figures run(Topology topology, RunSettings settings) throws Exception {
        Summing.reset();
        long beganNs = System.nanoTime();
        long read = new EmbeddedRunner(settings).start(topology.graph()).await().recordsIn();
        long ns = System.nanoTime() - beganNs;
        Figures seen = Summing.seen(ns);
        return seen.records() == 0
                ? new Figures(read, 0, ns, ns)
                : seen; // what was written, the benchmark itself looks at
    }

    private static Figures untilStopped(Topology topology, RunSettings settings, Cell cell) throws Exception {
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        while (!job.await(LOOK)) {
            if (cell.folder().stopped()) {
                job.drain();
            }
        }
        return new Figures(job.await().recordsIn(), 0, 1, 1);
    }

    /** One task for each operator, and for the source one consumer, as the tools have. */
    private static RunSettings settings() {
        return RunSettings.defaults().withBadLimit(BadLimit.none()).withParallelism(1);
    }

    private static RunSettings checkpointed(Cell cell) {
        Guarantee guarantee =
                cell.guarantee() == Cell.Guarantee.EXACTLY_ONCE ? Guarantee.EXACTLY_ONCE : Guarantee.AT_LEAST_ONCE;
        return settings()
                .withGuarantee(
                        guarantee,
                        CheckpointSettings.in(cell.folder().path().resolve("checkpoints"))
                                .every(Duration.ofMillis(cell.number("checkpoint-ms", 1_000))));
    }

    /** topic → count → discard. */
    private static Topology read(Cell cell) {
        Topology topology = Topology.named("read");
        topology.from(source(cell).untilLatest()).to(Summing.each(Payload::number));
        return topology;
    }

    /** topic of JSON → probes → sums of 20 measures by 62 dimensions in windows of five minutes → discard. */
    private static Topology flatten(Cell cell) {
        Topology topology = Topology.named("flatten");
        topology.from(source(cell, Json.decoder(Probe.class)).untilLatest())
                .eventTime(Probe::time, Duration.ZERO)
                .keyBy(Probe::dimensions)
                .window(Windows.tumbling(Duration.ofMillis(TelecomSize.WINDOW_MS)))
                .aggregate(TelecomSums.aggregate())
                .to(new Summing<>(
                        row -> row.value().records(), row -> row.value().bytesUp()));
        return topology;
    }

    /** The same lines from memory → probes → discard. */
    private static Topology parse(Cell cell) {
        byte[][] lines = Payloads.lines();
        Topology topology = Topology.named("parse");
        topology.from(Sources.generate(cell.records(), Type.of(byte[].class), n -> lines[(int) (n % lines.length)]))
                .map(Json.reader(Probe.class))
                .as(Probe.class)
                .to(Summing.each(probe -> probe.measures().bytesUp()));
        return topology;
    }

    private static Topology produce(Cell cell) {
        byte[][] values = Payloads.values();
        Topology topology = Topology.named("produce");
        topology.from(Sources.generate(cell.records(), Type.of(byte[].class), n -> values[(int) (n % values.length)]))
                .to(sink(cell));
        return topology;
    }

    /** topic → topic. */
    private static Topology copy(KafkaSource<byte[]> source, Cell cell) {
        Topology topology = Topology.named("copy");
        topology.from(source).to(sink(cell));
        return topology;
    }

    private static KafkaSource<byte[]> source(Cell cell) {
        return source(cell, Decoder.bytes());
    }

    private static <T> KafkaSource<T> source(Cell cell, Decoder<T> decoder) {
        KafkaSource<T> source = Kafka.read(cell.text("broker", ""), cell.text("topic", ""), decoder);
        for (Map.Entry<String, String> each : settings(cell, "consumer.").entrySet()) {
            source = source.set(each.getKey(), each.getValue());
        }
        return source;
    }

    private static KafkaSink<byte[]> sink(Cell cell) {
        KafkaSink<byte[]> sink = Kafka.write(
                cell.text("broker", ""), cell.set().getOrDefault("out", cell.text("topic", "")), Encoder.bytes());
        for (Map.Entry<String, String> each : settings(cell, "producer.").entrySet()) {
            sink = sink.set(each.getKey(), each.getValue());
        }
        return cell.set().containsKey("from-topic") ? sink.replayFromTopic() : sink;
    }

    /** Those of a cell that begin so, without the prefix. */
    static Map<String, String> settings(Cell cell, String prefix) {
        Map<String, String> some = new TreeMap<>();
        cell.set().forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                some.put(name.substring(prefix.length()), value);
            }
        });
        return some;
    }

    @Override
    public void close() {}
}
