// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.Payload;
import io.thalweg.lab.driver.ReadMeter;
import io.thalweg.lab.driver.TopicConsumer;
import io.thalweg.lab.driver.TupleLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.storm.kafka.spout.FirstPollOffsetStrategy;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.RecordTranslator;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.jspecify.annotations.Nullable;

/** Storm's Kafka spout over a topic of numbers. */
final class KafkaSource implements RecordTranslator<byte[], byte[]> {
    private static final long serialVersionUID = 1L;

    private final Cell cell;
    private final TupleLayout tuples;

    @SuppressWarnings("NullAway.Init") // by the first record; every task has a copy of its own
    private transient Meters meters;

    @SuppressWarnings("NullAway.Init")
    private transient ReadMeter meter;

    private transient long read;

    @SuppressWarnings("NullAway.Init")
    private transient Offsets offsets;

    private KafkaSource(Cell cell, TupleLayout tuples) {
        this.cell = cell;
        this.tuples = tuples;
    }

    static KafkaSpout<byte[], byte[]> spout(Cell cell, TupleLayout tuples) {
        KafkaSource source = new KafkaSource(cell, tuples);
        return new Spout(
                source,
                new KafkaSpoutConfig.Builder<byte[], byte[]>(setting(cell, "broker"), setting(cell, "topic"))
                        .setProp(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class)
                        .setProp(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class)
                        .setProp(ConsumerConfig.GROUP_ID_CONFIG, "run-" + System.nanoTime())
                        .setProp(Map.copyOf(TopicConsumer.SETTINGS))
                        .setProp(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, (int) cell.number("max-poll-records", 5_000))
                        .setFirstPollOffsetStrategy(FirstPollOffsetStrategy.EARLIEST)
                        .setProcessingGuarantee(
                                cell.acked()
                                        ? KafkaSpoutConfig.ProcessingGuarantee.AT_LEAST_ONCE
                                        : KafkaSpoutConfig.ProcessingGuarantee.NO_GUARANTEE)
                        .setRecordTranslator(source)
                        .build());
    }

    /** How far each partition was read: what has failed is read again, and was sent once all the same. */
    static final class Offsets {
        private long[] next = new long[1];

        boolean isFirst(int partition, long offset) {
            if (partition >= next.length) {
                next = Arrays.copyOf(next, partition + 1);
            }
            boolean first = offset >= next[partition];
            next[partition] = Math.max(next[partition], offset + 1);
            return first;
        }
    }

    /** Where nothing was read, there are fillers instead. */
    private static final class Spout extends KafkaSpout<byte[], byte[]> {
        private static final long serialVersionUID = 1L;

        private final KafkaSource source;

        @SuppressWarnings("NullAway.Init") // Storm opens a spout before it uses it
        private transient Fillers fillers;

        Spout(KafkaSource source, KafkaSpoutConfig<byte[], byte[]> config) {
            super(config);
            this.source = source;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            super.open(conf, context, collector);
            fillers = new Fillers();
        }

        @Override
        public void nextTuple() {
            long before = source.read;
            super.nextTuple();
            if (source.read == before) {
                fillers.send(collector);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            super.declareOutputFields(declarer);
            Fillers.declare(declarer);
        }
    }

    private static String setting(Cell cell, String name) {
        String value = cell.text(name, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException("from=kafka needs the setting " + name);
        }
        return value;
    }

    @Override
    public @Nullable List<Object> apply(ConsumerRecord<byte[], byte[]> record) {
        if (meter == null) {
            meters = Meters.of(cell);
            meter = meters.reader();
            offsets = new Offsets();
        }
        if (meters.stopped()) {
            return null; // as for a record that is no good: the spout passes over it
        }
        byte[] value = record.value();
        long number = Payload.number(value);
        if (offsets.isFirst(record.partition(), record.offset())) {
            meter.read(number);
        }
        read++;
        return tuples.read(number, value);
    }

    @Override
    public Fields getFieldsFor(String stream) {
        return new Fields(tuples.fields());
    }
}
