// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.SplitLag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a bounded partition ends, while messages go on to come. */
@Timeout(300)
final class KafkaReaderTest {
    private final TestBroker broker = TestBroker.shared();

    /** Behind the last batch. */
    private long position;

    /** Of a job with checkpoints. */
    private static final class Context implements SourceContext {
        private long nowNs;
        private InputStats input = InputStats.NONE;

        @Override
        public void measured(InputStats now) {
            input = now;
        }

        @Override
        public void bad(BadRecord record) {
            throw new AssertionError(record.describe());
        }

        @Override
        public long nowNs() {
            return nowNs += 1_000_000_000; // each look is worth one
        }

        @Override
        public boolean checkpoints() {
            return true;
        }
    }

    /** Reads until a batch says that it is the last. */
    private List<String> rest(LiveReader<String> reader) throws Exception {
        List<String> read = new ArrayList<>();
        boolean last = false;
        while (!last) {
            for (RecordBatch<String> batch : reader.fetch(Duration.ofSeconds(1))) {
                for (String value = batch.next(); value != null; value = batch.next()) {
                    read.add(value);
                }
                assertThat(last).as("more than a last batch").isFalse();
                last = batch.last();
                position = batch.position();
            }
        }
        return read;
    }

    @Test
    void shouldEndWhereThePartitionEndedAtTheStart_alsoIfItIsRestored() throws Exception {
        String topic = broker.topic(1);
        String split = topic + "-0";
        broker.send(topic, 0, "0", "1", "2", "3");
        KafkaSource<String> source =
                Kafka.read(broker.address(), topic, Decoder.text()).untilLatest();
        LiveReader<String> reader = source.open(new Context());
        reader.add(split);
        List<RecordBatch<String>> begun = reader.fetch(Duration.ofSeconds(1));
        assertThat(begun).hasSize(1);
        assertThat(begun.get(0).next()).isNull();
        assertThat(begun.get(0).position()).isZero();
        byte[] known = begun.get(0).fingerprint();

        broker.send(topic, 0, "4", "5");
        assertThat(rest(reader)).containsExactly("0", "1", "2", "3");
        reader.close();

        LiveReader<String> restored = source.open(new Context());
        assertThat(restored.changed(split, known)).isNull();
        restored.addAt(split, 2);
        assertThat(rest(restored)).containsExactly("2", "3");
        restored.close();
    }

    @Test
    void shouldSayHowFarItIsBehind() throws Exception {
        String topic = broker.topic(1);
        broker.sendNumbers(topic, 1, 0, 10);
        Context context = new Context();
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .set("max.poll.records", "4")
                .open(context);
        reader.add(topic + "-0");
        for (long lag : new long[] {10, 6, 2}) {
            RecordBatch<String> batch = some(reader);
            assertThat(context.input.splits())
                    .as("what is not fetched, and what was fetched and waits")
                    .containsExactly(new SplitLag(topic + "-0", lag));
            position = batch.position();
            while (batch.next() != null) {
                assertThat(batch.position()).isGreaterThan(position);
                position = batch.position();
            }
        }
        reader.fetch(Duration.ZERO);
        assertThat(context.input.lag()).isZero();
        assertThat(context.input.bytes()).isGreaterThanOrEqualTo(10);
        assertThat(context.input.fetchMs()).isPositive();
        reader.close();
    }

    /** The next batch that is not empty. */
    private static RecordBatch<String> some(LiveReader<String> reader) throws Exception {
        while (true) {
            for (RecordBatch<String> batch : reader.fetch(Duration.ofSeconds(1))) {
                if (((KafkaBatch<String>) batch).waiting() > 0) {
                    return batch;
                }
            }
        }
    }

    /** Each message is a fetch of its own, so most are not fetched when the topic is deleted. */
    @Test
    void shouldFail_ifItsTopicIsDeletedBeforeItsEnd() throws Exception {
        String topic = broker.topic(1);
        for (int i = 0; i < 20; i++) {
            broker.send(topic, 0, "message " + i);
        }
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .untilLatest()
                .set("max.partition.fetch.bytes", "1")
                .open(new Context());
        reader.add(topic + "-0");
        some(reader);
        broker.delete(topic);
        assertThatThrownBy(() -> rest(reader))
                .isInstanceOf(ConnectorException.class)
                .hasMessageMatching("topic " + topic + " at " + broker.address()
                        + " was deleted while the job read it: of partition 0 the messages from offset \\d+ to before 20"
                        + " are gone; .*");
        reader.close();
    }

    /** A broker writes it some time after the producer knows that the transaction is committed. */
    private void awaitMarker(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.address(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            while (consumer.endOffsets(List.of(partition)).get(partition) < 2) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldGoOnBehindTheMarkersOfTransactions() throws Exception {
        String topic = broker.topic(1);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address(), "transactional.id", topic),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {'a'}))
                    .get();
            producer.commitTransaction();
        }
        awaitMarker(topic);
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .untilLatest()
                .open(new Context());
        reader.add(topic + "-0");
        assertThat(rest(reader)).containsExactly("a");
        assertThat(position).as("behind the message and the marker").isEqualTo(2);
        reader.close();
    }

    @Test
    void shouldEndAtOnce_ifItIsRestoredAtItsEnd() throws Exception {
        String topic = broker.topic(1);
        broker.send(topic, 0, "0");
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .untilLatest()
                .open(new Context());
        reader.addAt(topic + "-0", 1);
        assertThat(rest(reader)).isEmpty();
        reader.close();
    }
}
