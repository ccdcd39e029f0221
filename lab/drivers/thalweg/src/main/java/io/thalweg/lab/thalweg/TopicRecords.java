// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.operator.ToLong;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.KafkaSource;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.ReadMeter;
import io.thalweg.lab.driver.TopicConsumer;
import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What Thalweg's own Kafka source makes of each message of a topic that was filled before, from the first to the last, by the consumer
 * that all engines have. Counted where it is decoded, by a meter for each task that is closed with its reader.
 */
record TopicRecords<T>(Cell cell, Type<T> type, Reader<T> reader, ToLong<T> number) implements LiveSource<T> {
    /** Makes a record of a message's value. */
    interface Reader<T> extends Serializable {
        T read(byte[] value);
    }

    private <V> KafkaSource<V> topic(Decoder<V> decoder) {
        KafkaSource<V> source = Kafka.read(cell.text("broker", "127.0.0.1:9092"), cell.text("topic", "lab"), decoder)
                .untilLatest();
        for (Map.Entry<String, String> setting : TopicConsumer.SETTINGS.entrySet()) {
            source = source.set(setting.getKey(), setting.getValue());
        }
        return source;
    }

    @Override
    public String name() {
        return topic(Decoder.bytes()).name();
    }

    @Override
    public List<String> splits(int parallelism) throws Exception {
        return topic(Decoder.bytes()).splits(parallelism);
    }

    @Override
    public long readAheadBytes() {
        return topic(Decoder.bytes()).readAheadBytes();
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public LiveReader<T> open(SourceContext context) {
        ReadMeter meter = Meters.of(cell).reader();
        return new Closing<>(topic(new Metered<>(this, meter)).open(context), meter);
    }

    /** Is not sent to a cluster: each task makes its own. */
    private record Metered<T>(TopicRecords<T> records, ReadMeter meter) implements Decoder<T> {
        @Override
        public Type<T> type() {
            return records.type;
        }

        @Override
        public Decoding<T> open() {
            return (bytes, from, to) -> {
                T record = records.reader.read(Arrays.copyOfRange(bytes, from, to));
                meter.read(records.number.apply(record));
                return record;
            };
        }
    }

    /** In a worker of a cluster, which outlives the run, the meter must be closed. */
    private record Closing<T>(LiveReader<T> topic, ReadMeter meter) implements LiveReader<T> {
        @Override
        public void add(String split) throws Exception {
            topic.add(split);
        }

        @Override
        public void addAt(String split, long position) throws Exception {
            topic.addAt(split, position);
        }

        @Override
        public @Nullable String changed(String split, byte[] fingerprint) throws Exception {
            return topic.changed(split, fingerprint);
        }

        @Override
        public List<RecordBatch<T>> fetch(Duration atMost) throws Exception {
            return topic.fetch(atMost);
        }

        @Override
        public void wakeUp() {
            topic.wakeUp();
        }

        @Override
        public void pause(String split) throws Exception {
            topic.pause(split);
        }

        @Override
        public void resume(String split) throws Exception {
            topic.resume(split);
        }

        @Override
        public void confirm(String split, long position) throws Exception {
            topic.confirm(split, position);
        }

        @Override
        public void close() throws Exception {
            topic.close();
            meter.close();
        }
    }
}
