// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kafka;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.Payload;
import io.thalweg.lab.driver.ReadMeter;
import io.thalweg.lab.driver.SinkMeter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The cells that read: some consumers side by side, each in the loop and with the settings of Kafka's ConsumerPerformance. The
 * partitions are dealt out to them beforehand; the tool's consumer group would come to the same, after a while. With
 * {@code records}, each is read once; without, {@code fill} records are read again and again until the run shall stop.
 */
final class Consumers {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long FILL_BYTES = 1L << 30;
    private static final long FILL_RECORDS = 2_000_000;

    private final Cell cell;
    private final Brokers brokers;
    private final AtomicBoolean cancelled = new AtomicBoolean();

    Consumers(Cell cell, Brokers brokers) {
        this.cell = cell;
        this.brokers = brokers;
    }

    /** How many records the topic holds from which a cell reads. */
    static long topicSize(Cell cell) {
        return cell.records() > 0
                ? cell.records()
                : cell.number("fill", Math.min(FILL_RECORDS, FILL_BYTES / cell.payload()));
    }

    void run(Topics topics) throws Exception {
        Topics.Filled topic = topics.filled(KafkaDriver.partitions(cell), cell.payload(), topicSize(cell));
        int tasks = (int) cell.number("threads");
        ExecutorService threads = Executors.newFixedThreadPool(tasks);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < tasks; i++) {
                int task = i;
                all.add(threads.submit(() -> read(topic, task, tasks)));
            }
            for (Future<?> future : all) {
                future.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            cancelled.set(true);
            threads.shutdown();
        }
    }

    private void read(Topics.Filled topic, int task, int tasks) {
        Meters meters = Meters.of(cell);
        ReadMeter reader = meters.reader();
        SinkMeter sink = meters.sink();
        boolean again = cell.records() == 0;
        List<TopicPartition> own = IntStream.range(0, topic.partitions())
                .filter(partition -> partition % tasks == task)
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList();
        long left = own.stream()
                .mapToLong(partition -> topic.recordsIn(partition.partition()))
                .sum();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings(brokers))) {
            consumer.assign(own);
            consumer.seekToBeginning(own);
            Topics.InOrder order = new Topics.InOrder(topic);
            while (left > 0 && !meters.stopped() && !cancelled.get()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    int partition = record.partition();
                    boolean next = order.isNext(partition, record.offset());
                    long expected = topic.numberAt(partition, record.offset());
                    long number = Payload.number(record.value());
                    reader.read(expected);
                    sink.received(number);
                    if (!next || number != expected || record.value().length != topic.payload()) {
                        sink.damaged();
                    }
                    if (!again) {
                        left--;
                    } else if (record.offset() == topic.recordsIn(partition) - 1) {
                        consumer.seek(new TopicPartition(topic.name(), partition), 0);
                    }
                }
            }
        }
    }

    /**
     * Reads a topic that somebody wrote the numbers below {@code records} to, in any order.
     *
     * @throws IllegalStateException if it holds anything else
     */
    static void check(String topic, int partitions, int payload, long records, Brokers brokers) {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        long count = 0;
        long sum = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings(brokers))) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            long end = consumer.endOffsets(all).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            while (count < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.value().length != payload) {
                        throw new IllegalStateException(
                                "a record of " + record.value().length + " bytes is in the topic");
                    }
                    sum += Payload.number(record.value());
                    count++;
                }
            }
        }
        if (count != records || sum != records * (records - 1) / 2) {
            throw new IllegalStateException("the topic holds " + count + " records with a sum of " + sum
                    + " instead of " + records + " with " + records * (records - 1) / 2);
        }
    }

    private static Map<String, Object> settings(Brokers brokers) {
        return Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers.addresses(),
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                ByteArrayDeserializer.class,
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                ByteArrayDeserializer.class,
                ConsumerConfig.RECEIVE_BUFFER_CONFIG,
                2 << 20,
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                1 << 20,
                ConsumerConfig.CHECK_CRCS_CONFIG,
                false,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false);
    }
}
