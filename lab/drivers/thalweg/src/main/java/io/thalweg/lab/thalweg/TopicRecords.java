// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.ToLong;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.KafkaSource;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.ReadMeter;
import io.thalweg.lab.driver.TopicConsumer;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;

/** What Thalweg's own Kafka source makes of each message of a topic that was filled before; counted there. */
record TopicRecords<T>(Cell cell, Type<T> type, Reader<T> reader, ToLong<T> number) implements Decoder<T> {
    /** Makes a record of a message's value. */
    interface Reader<T> extends Serializable {
        T read(byte[] value);
    }

    /** From the first to the last message, by the consumer that all engines have. */
    KafkaSource<T> source() {
        KafkaSource<T> source = Kafka.read(cell.text("broker", "127.0.0.1:9092"), cell.text("topic", "lab"), this)
                .untilLatest();
        for (Map.Entry<String, String> setting : TopicConsumer.SETTINGS.entrySet()) {
            source = source.set(setting.getKey(), setting.getValue());
        }
        return source;
    }

    @Override
    public Decoding<T> open() {
        ReadMeter meter = Meters.of(cell).reader();
        return (bytes, from, to) -> {
            T record = reader.read(Arrays.copyOfRange(bytes, from, to));
            meter.read(number.apply(record));
            return record;
        };
    }
}
