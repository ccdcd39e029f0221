// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kafka;

import io.thalweg.lab.driver.Payload;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The topics of one cluster. */
final class Topics {
    /** A topic with the numbers from 0 to {@code records}, each at the offset that its number says. */
    record Filled(String name, int partitions, int payload, long records) {
        /** The number of the record that stands there. */
        long numberAt(int partition, long offset) {
            return partition + offset * partitions;
        }

        /** Records in that partition. */
        long recordsIn(int partition) {
            return (records - partition + partitions - 1) / partitions;
        }
    }

    /** Which record of each partition comes next, where all are read from the first to the last, and again. One thread uses it. */
    static final class InOrder {
        private final long[] next;
        private final long[] ends;

        InOrder(Filled topic) {
            next = new long[topic.partitions()];
            ends = IntStream.range(0, next.length).mapToLong(topic::recordsIn).toArray();
        }

        /** Whether it is the record that stands there, so that none was left out or came twice. */
        boolean isNext(int partition, long offset) {
            boolean is = offset == next[partition];
            next[partition] = offset + 1 == ends[partition] ? 0 : offset + 1;
            return is;
        }
    }

    private static final Duration READY = Duration.ofMinutes(2);

    private final Map<String, Filled> filled = new HashMap<>();
    private final Brokers brokers;
    private int made;

    Topics(Brokers brokers) {
        this.brokers = brokers;
    }

    /** Makes a topic, whose name ends in a number of its own, and waits until its leaders know that they are. */
    String make(String name, int partitions, int replicas, int minInSyncReplicas)
            throws ExecutionException, InterruptedException {
        String unique = name + "-" + made++;
        NewTopic topic = new NewTopic(unique, partitions, (short) replicas)
                .configs(Map.of(
                        "min.insync.replicas",
                        "" + minInSyncReplicas,
                        // What is deleted makes room for the next run at once.
                        "file.delete.delay.ms",
                        "0"));
        brokers.admin().createTopics(List.of(topic)).all().get();
        awaitLeaders(unique, partitions);
        return unique;
    }

    /** Who writes before a leader knows that it is one may lose records (acks=0), or be told forever that they are out of order. */
    private void awaitLeaders(String topic, int partitions) throws ExecutionException, InterruptedException {
        long deadline = System.nanoTime() + READY.toNanos();
        while (true) {
            try {
                records(topic, partitions);
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException) || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            Thread.sleep(50);
        }
    }

    void delete(String topic) throws ExecutionException, InterruptedException {
        brokers.admin().deleteTopics(List.of(topic)).all().get();
    }

    /** A topic with that content, new or from before. */
    Filled filled(int partitions, int payload, long records) throws Exception {
        String name = "filled-" + partitions + "-" + payload + "-" + records;
        Filled known = filled.get(name);
        if (known == null) {
            known = new Filled(make(name, partitions, 1, 1), partitions, payload, records);
            fill(known);
            filled.put(name, known);
        }
        return known;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback says how it went
    private void fill(Filled topic) throws Exception {
        AtomicReference<Exception> failure = new AtomicReference<>();
        byte[] value = Payload.template(topic.payload());
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers.addresses(),
                        ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10,
                        ProducerConfig.LINGER_MS_CONFIG, 5,
                        ProducerConfig.BUFFER_MEMORY_CONFIG, 64L << 20,
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 32 << 20),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (long number = 0; number < topic.records() && failure.get() == null; number++) {
                Payload.setNumber(value, number);
                int partition = (int) (number % topic.partitions());
                producer.send(new ProducerRecord<>(topic.name(), partition, null, value), (metadata, problem) -> {
                    if (problem != null) {
                        failure.compareAndSet(null, problem);
                    }
                });
            }
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    /** How many records a topic holds. */
    long records(String topic, int partitions) throws ExecutionException, InterruptedException {
        Admin admin = brokers.admin();
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(i -> new TopicPartition(topic, i), i -> OffsetSpec.latest()));
        return admin.listOffsets(ends).all().get().values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }

    /** Waits until a topic holds that many records, and answers how many it holds then, or after {@code atMost}. */
    long awaitRecords(String topic, int partitions, long records, Duration atMost)
            throws ExecutionException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        long held = records(topic, partitions);
        while (held < records && System.nanoTime() - deadline < 0) {
            Thread.sleep(50);
            held = records(topic, partitions);
        }
        return held;
    }
}
