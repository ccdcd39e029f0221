// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Creates topics, fills them and reads them, for tests and trials. Needs Kafka's clients, which {@link TrialBroker} does not. One
 * thread at a time may use it.
 */
public final class TrialTopics implements AutoCloseable {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final Duration POLL = Duration.ofMillis(100);

    /** So long may a transaction be open, in polls that bring nothing. */
    private static final int MOST_POLLS = 600;

    private final Map<String, Object> settings;
    private final Admin admin;
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    private TrialTopics(Map<String, Object> settings) {
        this.settings = settings;
        admin = Admin.create(settings);
    }

    /** @param address of {@link TrialBroker#address} */
    public static TrialTopics at(String address) {
        return at(address, Map.of());
    }

    /** @param more settings of Kafka's clients, such as for TLS */
    public static TrialTopics at(String address, Map<String, String> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", address);
        return new TrialTopics(settings);
    }

    /** Creates a topic with a name of its own. */
    public String create(int partitions) throws ExecutionException, InterruptedException {
        return create("topic-" + NAMES.incrementAndGet(), partitions);
    }

    /** Creates a topic, and waits until it can be written. */
    public String create(String name, int partitions) throws ExecutionException, InterruptedException {
        NewTopic topic = new NewTopic(name, partitions, (short) -1);
        BrokerTries.change(() -> admin.createTopics(List.of(topic)).all().get(), this::isAnyAlive);
        boolean ready = false;
        while (!ready) {
            try {
                ends(name, partitions);
                ready = true;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException)) {
                    throw e;
                }
            }
        }
        return name;
    }

    /** Brokers that do not count as alive are not among those that a cluster names. */
    private boolean isAnyAlive() throws ExecutionException, InterruptedException {
        return !admin.describeCluster().nodes().get().isEmpty();
    }

    /** Sends texts in UTF-8 without keys to one partition, and waits until the broker has them. */
    public void send(String topic, int partition, String... values) throws ExecutionException, InterruptedException {
        List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
        for (String value : values) {
            messages.add(new ProducerRecord<>(topic, partition, null, value.getBytes(StandardCharsets.UTF_8)));
        }
        send(messages);
    }

    /** Sends messages, and waits until the broker has them. */
    public void send(List<ProducerRecord<byte[], byte[]>> messages) throws ExecutionException, InterruptedException {
        KafkaProducer<byte[], byte[]> sender = producer;
        if (sender == null) {
            sender = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
            producer = sender;
        }
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> message : messages) {
            sent.add(sender.send(message));
        }
        for (Future<RecordMetadata> each : sent) {
            each.get();
        }
    }

    /**
     * The messages that a topic has now, one partition after the other, without those of aborted transactions.
     *
     * @throws IllegalStateException if a transaction stays open for a minute
     */
    public List<ConsumerRecord<byte[], byte[]>> read(String topic) throws ExecutionException, InterruptedException {
        TopicDescription description = Objects.requireNonNull(
                        admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
                .get();
        int partitions = description.partitions().size();
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        Map<String, Object> reading = new HashMap<>(settings);
        reading.put("isolation.level", "read_committed");
        Map<TopicPartition, ListOffsetsResultInfo> ends = ends(topic, partitions);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            for (int partition = 0; partition < partitions; partition++) {
                TopicPartition each = new TopicPartition(topic, partition);
                consumer.assign(List.of(each));
                consumer.seekToBeginning(List.of(each));
                int polls = 0;
                while (consumer.position(each)
                        < Objects.requireNonNull(ends.get(each)).offset()) {
                    if (polls++ == MOST_POLLS) {
                        throw new IllegalStateException("a transaction is open in " + each);
                    }
                    for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                        all.add(message);
                        polls = 0;
                    }
                }
            }
        }
        return all;
    }

    /** The values that a topic has now, as text in UTF-8; null for a message that has none. */
    public List<@Nullable String> values(String topic) throws ExecutionException, InterruptedException {
        List<@Nullable String> values = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> message : read(topic)) {
            byte[] value = message.value();
            values.add(value == null ? null : new String(value, StandardCharsets.UTF_8));
        }
        return values;
    }

    private Map<TopicPartition, ListOffsetsResultInfo> ends(String topic, int partitions)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        IntStream.range(0, partitions)
                .forEach(each -> wanted.put(new TopicPartition(topic, each), OffsetSpec.latest()));
        return admin.listOffsets(wanted).all().get();
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
        admin.close(Duration.ZERO);
    }
}
