// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.SinkContext;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What a sink writes to, and how.
 *
 * @param idPrefix of transactional ids; empty for the topology's and the sink's names
 * @param atLeastOnce even in a job with a stronger guarantee
 * @param fromTopic checkpoints hold offsets of messages instead of the messages
 */
record SinkSettings(ClientSettings settings, String topic, String idPrefix, boolean atLeastOnce, boolean fromTopic)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /** How long the cluster may be away before the job fails, by default. */
    private static final int PATIENCE_MS = (int) Duration.ofMinutes(10).toMillis();

    /** How long the open transaction of a dead job may block consumers with read_committed. */
    private static final int TRANSACTION_MS = (int) Duration.ofMinutes(5).toMillis();

    private static final int BATCH_BYTES = 128 * 1024;

    /** Settings that would break the guarantee of the sink. */
    private static final Map<String, String> OWNED = Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            "name the servers in write(…)",
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            "say how ids begin with transactionalIdPrefix(…)",
            "transaction.two.phase.commit.enable",
            "the checkpoint has what a transaction would lose",
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            "give key(…) an Encoder",
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            "give write(…) an Encoder");

    private static final List<String> SHOWN = List.of(
            ProducerConfig.ACKS_CONFIG,
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            ProducerConfig.BATCH_SIZE_CONFIG,
            ProducerConfig.LINGER_MS_CONFIG,
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);

    private static final Map<String, Object> DEFAULTS = Map.of(
            ProducerConfig.BATCH_SIZE_CONFIG,
            BATCH_BYTES,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            PATIENCE_MS,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            PATIENCE_MS,
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            TRANSACTION_MS);

    static SinkSettings of(ClientSettings settings, String topic) {
        if (topic.isBlank()) {
            throw new IllegalArgumentException("name a topic");
        }
        return new SinkSettings(settings, topic, "", false, false);
    }

    SinkSettings with(String name, String value) {
        return with(settings.with(name, value, OWNED));
    }

    SinkSettings with(String name, Secret value) {
        return with(settings.with(name, value, OWNED));
    }

    SinkSettings with(Map<String, String> properties) {
        return with(settings.with(properties, OWNED));
    }

    SinkSettings with(ClientSettings others) {
        return new SinkSettings(others, topic, idPrefix, atLeastOnce, fromTopic);
    }

    SinkSettings withIdPrefix(String prefix) {
        return new SinkSettings(settings, topic, prefix, atLeastOnce, fromTopic);
    }

    /** The same, to another topic. */
    SinkSettings into(String other) {
        return new SinkSettings(settings, other, idPrefix, atLeastOnce, fromTopic);
    }

    SinkSettings atLeastOnceOnly() {
        return new SinkSettings(settings, topic, idPrefix, true, fromTopic);
    }

    SinkSettings replayingFromTopic() {
        return new SinkSettings(settings, topic, idPrefix, atLeastOnce, true);
    }

    /** @throws ConnectorException if a setting, which may be fine without a guarantee, would break the guarantee of the job */
    void check(Guarantee guarantee) {
        if (guarantee == Guarantee.NONE) {
            return;
        }
        Map<String, Object> all = settings.shownOver(DEFAULTS);
        String acks = String.valueOf(all.getOrDefault(ProducerConfig.ACKS_CONFIG, "all"));
        if (!acks.equals("all") && !acks.equals("-1")) {
            throw refused(guarantee, ProducerConfig.ACKS_CONFIG, acks, "a message may be lost that was acknowledged");
        }
        String idempotent = String.valueOf(all.getOrDefault(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true"));
        if (guarantee == Guarantee.EXACTLY_ONCE && !idempotent.equalsIgnoreCase("true")) {
            throw refused(
                    guarantee,
                    ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                    idempotent,
                    "a retried message would be there twice");
        }
    }

    private ConnectorException refused(Guarantee guarantee, String setting, String value, String why) {
        return new ConnectorException("cannot write " + this + " with the guarantee " + guarantee.words() + " and "
                + setting + "=" + value + ": " + why + "; leave the setting out");
    }

    String idPrefix(SinkContext context) {
        return idPrefix.isEmpty() ? context.topology() + "." + context.operator() : idPrefix;
    }

    /** A producer without transactions. */
    Producer<byte[], byte[]> producer() {
        return producer(Map.of());
    }

    Producer<byte[], byte[]> producer(String transactionalId) {
        return producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId));
    }

    private Producer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> all = settings.over(DEFAULTS);
        all.putAll(more);
        try {
            return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            throw new Failures(settings).of("write " + this, e);
        }
    }

    /** A consumer that also reads aborted transactions, and has no group. */
    Consumer<byte[], byte[]> readingBack() {
        Map<String, Object> all = settings.admin();
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Kafka's own default, unless configured. */
    private Object value(String name) {
        Object ofKafka = ProducerConfig.configDef().defaultValues().getOrDefault(name, "");
        return settings.shownOver(DEFAULTS).getOrDefault(name, ofKafka);
    }

    /** The value of a numeric setting; the producer refuses other values. */
    long number(String name) {
        try {
            return Long.parseLong(String.valueOf(value(name)).strip());
        } catch (NumberFormatException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** False if the cluster answers nothing. */
    boolean acks() {
        return !String.valueOf(value(ProducerConfig.ACKS_CONFIG)).strip().equals("0");
    }

    /** How batches are compressed: {@code none}, {@code gzip}. */
    String compression() {
        return String.valueOf(value(ProducerConfig.COMPRESSION_TYPE_CONFIG)).strip();
    }

    /** True if batches are not compressed. */
    boolean uncompressed() {
        return compression().equals("none");
    }

    /** For a plan: where it writes, and the settings that its speed depends on. */
    String describe() {
        return this + " of " + settings.servers() + " ("
                + SHOWN.stream().map(name -> name + "=" + value(name)).collect(Collectors.joining(", "))
                + ")" + (fromTopic ? ", which replays from the topic" : "");
    }

    /** {@code topic orders}. */
    @Override
    public String toString() {
        return "topic " + topic;
    }
}
