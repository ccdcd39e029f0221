// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.ReadMeter;
import io.thalweg.lab.driver.TopicConsumer;
import java.io.IOException;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.serialization.AbstractDeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** The records of a topic that was filled before, by Flink's own Kafka source, from the first to the last. */
final class KafkaRecords {
    private KafkaRecords() {}

    static <T> DataStream<T> of(
            StreamExecutionEnvironment environment,
            Layout layout,
            TypeInformation<T> type,
            MapFunction<byte[], T> reader,
            MapFunction<T, Long> number) {
        Cell cell = layout.cell();
        KafkaSource<T> source = KafkaSource.<T>builder()
                .setBootstrapServers(cell.text("broker", "127.0.0.1:9092"))
                .setTopics(cell.text("topic", "lab"))
                .setGroupId("lab")
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setBounded(OffsetsInitializer.latest())
                .setProperties(settings())
                .setProperty(KafkaSourceOptions.COMMIT_OFFSETS_ON_CHECKPOINT.key(), "false") // nobody looks at them
                .setProperty(KafkaSourceOptions.REGISTER_KAFKA_CONSUMER_METRICS.key(), "false")
                .setValueOnlyDeserializer(new Values<>(type, reader))
                .build();
        DataStream<T> read =
                layout.source(environment.fromSource(source, WatermarkStrategy.noWatermarks(), "kafka", type));
        return layout.source(read.map(new Counted<>(cell, number)).returns(type).name("count"));
    }

    private static Properties settings() {
        Properties settings = new Properties();
        settings.putAll(TopicConsumer.SETTINGS);
        return settings;
    }

    private static final class Values<T> extends AbstractDeserializationSchema<T> {
        private static final long serialVersionUID = 1L;

        private final MapFunction<byte[], T> reader;

        Values(TypeInformation<T> type, MapFunction<byte[], T> reader) {
            super(type);
            this.reader = reader;
        }

        @Override
        public T deserialize(byte[] value) throws IOException {
            try {
                return reader.map(value);
            } catch (Exception e) {
                throw new IOException("a message that is no record of the lab", e);
            }
        }
    }

    /** Chained to the source, which has no place of its own to count. */
    private static final class Counted<T> extends RichMapFunction<T, T> {
        private static final long serialVersionUID = 1L;

        private final Cell cell;
        private final MapFunction<T, Long> number;
        private transient @Nullable ReadMeter meter;

        Counted(Cell cell, MapFunction<T, Long> number) {
            this.cell = cell;
            this.number = number;
        }

        @Override
        public void open(OpenContext context) {
            meter = Meters.of(cell).reader();
        }

        @Override
        public T map(T record) throws Exception {
            if (meter != null) {
                meter.read(number.map(record));
            }
            return record;
        }

        @Override
        public void close() {
            if (meter != null) {
                meter.close();
            }
        }
    }
}
