// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.lab.driver.Payload;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One broker with the settings of Kafka's own start script, by the lab's driver of Kafka, and topics on it. */
final class Cluster implements AutoCloseable {
    static final int PARTITIONS = 4;

    private static final Duration POLL = Duration.ofMillis(100);
    private static final int MOST_EMPTY_POLLS = 300;

    private final Child broker;
    private final Admin admin;
    private final String address;

    /** Of {@link Payloads#SIZE} bytes, the first eight of them a number from 0 on. */
    private final String numbers;

    private int made;

    private Cluster(Child broker, String address, String numbers) {
        this.broker = broker;
        this.address = address;
        this.numbers = numbers;
        admin = Admin.create(Map.of("bootstrap.servers", address));
    }

    static Cluster start(Path folder, Path drivers, long records) throws IOException {
        Child broker = Child.start(
                "the driver of Kafka",
                folder,
                drivers.resolve("kafka/target/fast/dist/lib") + "/*",
                "io.thalweg.lab.kafka.KafkaDriver",
                List.of("-Xmx512m"));
        try {
            Path run = broker.run(Map.of(
                    "workload", "serve",
                    "records", Long.toString(records),
                    "payload", Integer.toString(Payloads.SIZE),
                    "partitions", Integer.toString(PARTITIONS)));
            Properties service = new Properties();
            try (Reader reader = Files.newBufferedReader(run.resolve("service.properties"))) {
                service.load(reader);
            }
            return new Cluster(broker, service.getProperty("broker"), service.getProperty("topic"));
        } catch (IOException e) {
            broker.close();
            throw e;
        }
    }

    String address() {
        return address;
    }

    String numbers() {
        return numbers;
    }

    /** An empty topic. */
    String topic() throws ExecutionException, InterruptedException {
        String name = "out-" + made++;
        admin.createTopics(List.of(new NewTopic(name, PARTITIONS, (short) 1)
                        .configs(Map.of("file.delete.delay.ms", "0", "message.timestamp.type", "CreateTime"))))
                .all()
                .get();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            producer.partitionsFor(name); // it is there when a leader is
        }
        return name;
    }

    void delete(String topic) throws ExecutionException, InterruptedException {
        admin.deleteTopics(List.of(topic)).all().get();
    }

    /** A topic of network probes as JSON: {@code bytesUp} of the n-th is {@link TelecomLines#BYTES_UP} + n. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback says how it went
    String lines(long records) throws Exception {
        String name = topic();
        TelecomLines lines = new TelecomLines(TelecomSize.SMALL);
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (long n = 0; n < records && failure.get() == null; n++) {
                producer.send(
                        new ProducerRecord<>(name, (int) (n % PARTITIONS), null, lines.line(n)),
                        (metadata, problem) -> {
                            if (problem != null) {
                                failure.compareAndSet(null, problem);
                            }
                        });
            }
        }
        Exception problem = failure.get();
        if (problem != null) {
            throw problem;
        }
        return name;
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", address, "batch.size", 256 << 10, "buffer.memory", 64L << 20),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Counts the messages of a topic that are committed, and adds up their numbers. */
    Figures committed(String topic) {
        List<TopicPartition> all = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        long count = 0;
        long sum = 0;
        int empty = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        address,
                        "isolation.level",
                        "read_committed",
                        "max.poll.records",
                        10_000,
                        "enable.auto.commit",
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                boolean any = false;
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                    any = true;
                    count++;
                    sum += Payload.number(message.value());
                }
                empty = any ? 0 : empty + 1;
                if (empty > MOST_EMPTY_POLLS) {
                    throw new IllegalStateException("a transaction is open in " + topic);
                }
            }
        }
        return new Figures(count, sum, 0, 0);
    }

    /** CPU time of the broker and of what looks after it. */
    Duration cpu() {
        return broker.cpu();
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
        broker.close();
    }
}
