// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.broker.TrialBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A real broker, started for the first test that needs it and stopped with the tests' JVM; each test has topics of its own. */
public final class TestBroker implements AutoCloseable {
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private final TrialBroker broker;
    private final Path folder;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    private TestBroker(TrialBroker broker, Path folder) {
        this.broker = broker;
        this.folder = folder;
        admin = Admin.create(Map.of("bootstrap.servers", broker.address()));
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address()), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static final class Shared {
        static final TestBroker BROKER = begin();

        static TestBroker begin() {
            TestBroker started = start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            return started;
        }
    }

    /** The one that all tests share, which none may stop. */
    public static TestBroker shared() {
        return Shared.BROKER;
    }

    /** One that a test may stop. */
    static TestBroker start() {
        try {
            Path folder = Files.createTempDirectory("thalweg-kafka-test-");
            Path classPath = Path.of("..", "kafka-broker", "target", "class-path");
            return new TestBroker(TrialBroker.start(folder, Files.readString(classPath)), folder);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public String address() {
        return broker.address();
    }

    TrialBroker process() {
        return broker;
    }

    Admin admin() {
        return admin;
    }

    /** A new topic. */
    public String topic(int partitions) throws Exception {
        return topic("topic-" + TOPICS.incrementAndGet(), partitions);
    }

    String topic(String name, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                .all()
                .get();
        awaitLeaders(name, partitions);
        return name;
    }

    private void awaitLeaders(String topic, int partitions) throws Exception {
        boolean ready = false;
        while (!ready) {
            try {
                for (int partition = 0; partition < partitions; partition++) {
                    end(topic, partition);
                }
                ready = true;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException)) {
                    throw e;
                }
            }
        }
    }

    void delete(String topic) throws Exception {
        admin.deleteTopics(List.of(topic)).all().get();
        while (admin.listTopics().names().get().contains(topic)) {
            Thread.onSpinWait();
        }
    }

    void grow(String topic, int partitions) throws Exception {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all()
                .get();
        awaitLeaders(topic, partitions);
    }

    /** Where the next message of a partition will be. */
    long end(String topic, int partition) throws Exception {
        TopicPartition of = new TopicPartition(topic, partition);
        return admin.listOffsets(Map.of(of, OffsetSpec.latest()))
                .partitionResult(of)
                .get()
                .offset();
    }

    /** Deletes what is before an offset. */
    void deleteBefore(String topic, int partition, long offset) throws Exception {
        admin.deleteRecords(Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
                .all()
                .get();
    }

    Map<String, Long> committed(String group) throws Exception {
        Map<String, Long> offsets = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> all = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        all.forEach((partition, offset) -> offsets.put(partition.toString(), offset.offset()));
        return offsets;
    }

    void send(ProducerRecord<byte[], byte[]> message) throws Exception {
        producer.send(message).get();
    }

    /** Values of one partition. */
    public void send(String topic, int partition, String... values) throws Exception {
        for (String value : values) {
            send(new ProducerRecord<>(topic, partition, null, value.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** The numbers from {@code from} to before {@code to}, over all partitions in turn. */
    @SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
    public void sendNumbers(String topic, int partitions, int from, int to) {
        IntStream.range(from, to)
                .forEach(i -> producer.send(new ProducerRecord<>(
                        topic, i % partitions, null, String.valueOf(i).getBytes(StandardCharsets.UTF_8))));
        producer.flush();
    }

    @Override
    public void close() {
        producer.close(java.time.Duration.ZERO);
        admin.close(java.time.Duration.ZERO);
        try {
            broker.kill();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            System.err.println("cannot delete " + folder + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
