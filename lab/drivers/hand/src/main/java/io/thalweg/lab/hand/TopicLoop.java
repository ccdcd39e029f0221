// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Message;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.Payload;
import io.thalweg.lab.driver.ReadMeter;
import io.thalweg.lab.driver.SinkMeter;
import io.thalweg.lab.driver.TopicConsumer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Messages of a topic that was filled before, by Kafka's consumer, which all engines have with the same settings. */
final class TopicLoop {
    private static final Duration POLL = Duration.ofMillis(100);

    private TopicLoop() {}

    static void run(Cell cell) {
        String topic = cell.text("topic", "lab");
        boolean timed = cell.ratePerSecond() > 0 || cell.stamps();
        Map<String, Object> settings = new HashMap<>(TopicConsumer.SETTINGS);
        settings.put("bootstrap.servers", cell.text("broker", "127.0.0.1:9092"));
        settings.put("enable.auto.commit", false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                ReadMeter read = Meters.of(cell).reader();
                SinkMeter sink = Meters.of(cell).sink()) {
            Messages messages = new Messages(cell, sink);
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (!cell.folder().stopped()
                    && partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    long[] times = timed ? new long[] {System.nanoTime()} : Message.UNTIMED;
                    Message message = new Message(Payload.number(record.value()), record.value(), times);
                    read.read(message.number());
                    messages.pass(message);
                }
            }
        }
    }
}
