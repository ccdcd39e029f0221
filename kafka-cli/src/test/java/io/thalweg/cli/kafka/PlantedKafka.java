// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.KafkaSink;
import io.thalweg.kafka.KafkaSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A job that reads or writes Kafka, whose fault is known.
 *
 * @param name of its recorded observation
 * @param fault the rule that must find something first; empty if the job is healthy
 * @param graph of the job, by topics on a broker
 * @param quota bytes a second that a client may write; 0 for any
 * @param pauses the broker stands still for most of the time
 */
record PlantedKafka(String name, String fault, Function<Topics, TopologyGraph> graph, long quota, boolean pauses) {
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    /**
     * What is there for a job.
     *
     * @param address of the broker
     * @param full a topic with many messages
     * @param empty a topic without any
     */
    record Topics(String address, String full, String empty) {
        KafkaSource<String> read() {
            return Kafka.read(address, full, Decoder.text());
        }

        KafkaSink<String> write() {
            return Kafka.write(address, empty, Encoder.text());
        }
    }

    static List<PlantedKafka> all() {
        return List.of(
                reading("little-of-a-partition", source -> source.set("max.partition.fetch.bytes", "1000")),
                reading("one-at-a-time", source -> source.set("max.poll.records", "1")),
                reading(
                        "never-enough",
                        source -> source.set("max.partition.fetch.bytes", "100000")
                                .set("fetch.min.bytes", "10000000")),
                writing("small-batches", "producer-batches", 0, "batch.size", "200"),
                writing("gzip", "compression", 0, "compression.type", "gzip"),
                writing("quota-uncompressed", "compression", 5_000_000, "compression.type", "none"),
                writing("quota", "quota", 500_000, "compression.type", "lz4"),
                new PlantedKafka(
                        "slow-broker",
                        "slow-broker",
                        topics -> fill(
                                topics.write().set("compression.type", "lz4").set("buffer.memory", "4000000")),
                        0,
                        true),
                new PlantedKafka("healthy-through", "", PlantedKafka::through, 0, false),
                new PlantedKafka("healthy-full", "", topics -> compute(topics.read()), 0, false));
    }

    private static PlantedKafka reading(String name, UnaryOperator<KafkaSource<String>> settings) {
        return new PlantedKafka(name, "small-fetches", topics -> count(settings.apply(topics.read())), 0, false);
    }

    private static PlantedKafka writing(String name, String fault, long quota, String setting, String value) {
        return new PlantedKafka(name, fault, topics -> fill(topics.write().set(setting, value)), quota, false);
    }

    /** What a message consists of: letters that compress as those of a log. */
    static String order(long number) {
        return "{\"order\":" + number + ",\"customer\":\"customer-" + number * 31 % 9_973 + "\",\"product\":\"product-"
                + number * 17 % 499 + "\",\"pieces\":" + number % 9 + ",\"note\":\"to be delivered before noon\"}";
    }

    private static TopologyGraph count(KafkaSource<String> source) {
        Topology topology = Topology.named("count");
        topology.from(source).filter(order -> order.contains("customer-4711")).to(Sinks.discard());
        return topology.graph();
    }

    private static TopologyGraph fill(KafkaSink<String> sink) {
        Topology topology = Topology.named("fill");
        topology.from(Sources.generate(ENDLESS, PlantedKafka::order).splitInto(2))
                .to(sink);
        return topology.graph();
    }

    /** As fast as its operator computes. */
    private static TopologyGraph compute(KafkaSource<String> source) {
        Topology topology = Topology.named("compute");
        topology.from(source)
                .map(order -> {
                    long hash = 0;
                    for (int i = 0; i < 200; i++) {
                        hash = 31 * hash + order.charAt(i % order.length());
                        hash ^= Long.rotateLeft(hash, i);
                    }
                    return hash;
                })
                .to(Sinks.discard());
        return topology.graph();
    }

    /** Everything that is written is read again, and written compressed. */
    private static TopologyGraph through(Topics topics) {
        Topology topology = Topology.named("through");
        topology.from(Sources.generate(ENDLESS, PlantedKafka::order)
                        .splitInto(2)
                        .rate(10_000))
                .to(topics.write());
        topology.from(Kafka.read(topics.address(), topics.empty(), Decoder.text()))
                .filter(order -> order.contains("product-1"))
                .to(Kafka.write(topics.address(), topics.full(), Encoder.text()).set("compression.type", "lz4"));
        return topology.graph();
    }

    @Override
    public String toString() {
        return name;
    }
}
