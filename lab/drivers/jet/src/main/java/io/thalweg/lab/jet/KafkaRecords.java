// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.function.FunctionEx;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.ReadMeter;
import io.thalweg.lab.driver.TopicConsumer;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What Jet's Kafka source makes of each record of the topic; it counts them there. */
final class KafkaRecords<T> implements FunctionEx<ConsumerRecord<byte[], byte[]>, T> {
    private static final long serialVersionUID = 1L;

    private final Cell cell;
    private final RelayWork<T> work;

    /** Each task of the source has a thread of its own, and they share this function. */
    private final transient ThreadLocal<ReadMeter> meters;

    KafkaRecords(Cell cell, RelayWork<T> work) {
        this.cell = cell;
        this.work = work;
        this.meters = ThreadLocal.withInitial(() -> Meters.of(cell).reader());
    }

    private Object readResolve() {
        return new KafkaRecords<>(cell, work);
    }

    static Properties consumer(Cell cell) {
        Properties properties = new Properties();
        properties.setProperty("bootstrap.servers", cell.text("broker", "127.0.0.1:9092"));
        properties.setProperty("key.deserializer", ByteArrayDeserializer.class.getName());
        properties.setProperty("value.deserializer", ByteArrayDeserializer.class.getName());
        properties.setProperty("auto.offset.reset", "earliest");
        properties.putAll(TopicConsumer.SETTINGS);
        return properties;
    }

    static String topic(Cell cell) {
        return cell.text("topic", "lab");
    }

    @Override
    public T applyEx(ConsumerRecord<byte[], byte[]> message) {
        T record = work.reader().apply(message.value());
        meters.get().read(work.number().apply(record));
        return record;
    }
}
