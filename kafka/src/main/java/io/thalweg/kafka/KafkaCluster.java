// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
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
 * A cluster as tools see it: Kafka's own clients with common settings, and explanations of their exceptions. Jobs do
 * not need it; they use {@link Kafka}. Immutable: each method that sets something returns another one.
 */
public final class KafkaCluster {
    private final ClientSettings settings;

    private KafkaCluster(ClientSettings settings) {
        this.settings = settings;
    }

    /**
     * A cluster with these bootstrap servers.
     *
     * @param servers as in {@link Kafka#read(String, String, io.thalweg.api.connector.Decoder)}
     */
    public static KafkaCluster at(String servers) {
        return new KafkaCluster(ClientSettings.of(servers));
    }

    /** Sets a property of any of the clients. Passwords and keys appear in no message. */
    public KafkaCluster set(String name, String value) {
        return new KafkaCluster(settings.with(
                name, value, Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "name the servers in at(…)")));
    }

    /** Sets how long to wait for a broker to answer; 30 seconds by default. */
    public KafkaCluster connectTimeout(Duration atMost) {
        return new KafkaCluster(settings.connectTimeout(atMost));
    }

    /** The bootstrap servers. */
    public String servers() {
        return settings.servers();
    }

    /** An admin client; the caller must close it. */
    public Admin admin() {
        return new TopicList(settings).admin();
    }

    /** A consumer without a group, whose partitions are assigned by hand; the caller must close it. */
    public Consumer<byte[], byte[]> consumer() {
        Map<String, Object> all = settings.over(Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                timeoutMs()));
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        try {
            return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException e) {
            throw failure("read", e);
        }
    }

    /** A producer; the caller must close it. */
    public Producer<byte[], byte[]> producer() {
        try {
            return new KafkaProducer<>(
                    settings.over(Map.of(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeoutMs())),
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
        } catch (KafkaException e) {
            throw failure("write", e);
        }
    }

    /**
     * The number of partitions of a topic.
     *
     * @throws ConnectorException if there is no such topic, with the closest name, or no broker answers
     */
    public int partitions(String topic) throws InterruptedException {
        return new TopicList(settings).splits(Topics.named(List.of(topic))).size();
    }

    /**
     * Explains a client's exception in one line without secrets.
     *
     * @param what could not be done, such as {@code list topics}
     */
    public ConnectorException failure(String what, Throwable thrown) {
        return new Failures(settings).of(what, thrown);
    }

    private int timeoutMs() {
        return (int) Math.min(Integer.MAX_VALUE, settings.connectTimeout().toMillis());
    }

    /** The servers, and the names of the properties. */
    @Override
    public String toString() {
        return settings.toString();
    }
}
