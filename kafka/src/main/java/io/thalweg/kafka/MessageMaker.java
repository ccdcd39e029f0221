// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.Encoder;
import io.thalweg.api.operator.BadRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Makes the messages of one task. A record that Kafka would refuse is bad here, before it is sent; in the producer it
 * would abort the transaction and fail the job.
 */
final class MessageMaker<T> {
    /** Many records may be bad, and each question takes a moment. */
    private static final long ASK_AGAIN_NS = Duration.ofSeconds(1).toNanos();

    private final String topic;
    private final MessageParts<T> parts;
    private final Encoder.Encoding<T> value;
    private final MessageParts.@Nullable Keying<T> key;
    private final TopicLimits limits;
    private final TopicList cluster;
    private int partitions;

    /** When the cluster has last said how many there are; null if it was not asked yet. */
    private @Nullable Long toldNs;

    private MessageMaker(SinkSettings sink, MessageParts<T> parts, TopicLimits limits) {
        topic = sink.topic();
        cluster = TopicList.ofRunning(sink.settings());
        this.parts = parts;
        this.limits = limits;
        value = parts.value().open();
        MessageParts.Key<T, ?> keys = parts.key();
        key = keys == null ? null : keys.open();
        partitions = limits.partitions();
    }

    /**
     * @param warnings hears what cannot be known of the topic
     * @throws io.thalweg.api.connector.ConnectorException if there is no such topic, or no broker answers
     */
    static <T> MessageMaker<T> open(SinkSettings sink, MessageParts<T> parts, Consumer<String> warnings)
            throws InterruptedException {
        TopicLimits limits = new TopicList(sink.settings()).limits(sink.topic(), warnings);
        long request = sink.number(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
        return new MessageMaker<>(sink, parts, limits.with(request, sink.uncompressed()));
    }

    boolean compacted() {
        return limits.compacted();
    }

    /** @throws BadRecordException if Kafka would refuse the message, or one of its parts cannot be encoded */
    ProducerRecord<byte[], byte[]> message(T record) throws Exception {
        byte[] keyBytes = key == null ? null : key.encode(record);
        boolean tombstone = parts.tombstone(record);
        byte[] valueBytes = tombstone ? null : value.encode(record);
        if (valueBytes == null && !tombstone) {
            throw bad("its encoder gives no value; say with tombstoneIf(…) which messages have none", record);
        }
        List<Header> headers = headers(record);
        if (keyBytes == null && limits.compacted()) {
            throw bad("it has no key, but topic " + topic + " is compacted", record);
        }
        MessageSize size = MessageSize.of(keyBytes, valueBytes, headers);
        if (size.counted() > limits.requestBytes() || size.alone() > limits.batchBytes()) {
            throw new BadRecordException(
                    "the message is too large for topic " + topic + ": it takes " + size.counted() + " bytes; "
                            + limits.requestBytes() + " are the producer's max.request.size"
                            + (limits.batchBytes() == Long.MAX_VALUE
                                    ? ""
                                    : ", " + limits.batchBytes() + " the topic's max.message.bytes"),
                    valueBytes == null ? new byte[0] : valueBytes);
        }
        return new ProducerRecord<>(topic, partition(record), timestamp(record), keyBytes, valueBytes, headers);
    }

    private List<Header> headers(T record) throws Exception {
        if (parts.headers() == null) {
            return List.of();
        }
        List<Header> headers = new ArrayList<>();
        List<KafkaHeader> made = parts.headers().apply(record);
        if (made == null) {
            throw bad("headers(…) gives null; an empty list means none", record);
        }
        for (KafkaHeader header : made) {
            if (header == null) {
                throw bad("headers(…) gives a header that is null", record);
            }
            KafkaHeader.utf8(header.name(), "the name of a header"); // Kafka would send a question mark
            headers.add(new RecordHeader(header.name(), header.value()));
        }
        return headers;
    }

    private @Nullable Integer partition(T record) throws Exception {
        Integer partition = parts.partition() == null ? null : parts.partition().apply(record);
        if (partition != null && (partition < 0 || (partition >= partitions && !mayBeThere(partition)))) {
            throw bad("its partition is " + partition + ", but topic " + topic + " has " + partitions, record);
        }
        return partition;
    }

    /**
     * Asks the cluster, since the producer itself knows for minutes only those that there were. True also if it does not answer, or has no
     * such topic any more: then the producer waits, as with any other message.
     */
    private boolean mayBeThere(int partition) throws InterruptedException {
        Long told = toldNs;
        if (told != null && Time.SYSTEM.nanoseconds() - told < ASK_AGAIN_NS) {
            return false;
        }
        Optional<TopicDescription> now =
                cluster.now(List.of(topic)).flatMap(topics -> Optional.ofNullable(topics.get(topic)));
        if (now.isEmpty()) {
            return true;
        }
        toldNs = Time.SYSTEM.nanoseconds();
        partitions = Math.max(partitions, now.get().partitions().size());
        return partition < partitions;
    }

    private @Nullable Long timestamp(T record) throws Exception {
        Long time = parts.timestamp() == null ? null : parts.timestamp().apply(record);
        if (time == null) {
            return null;
        }
        if (time < 0) {
            throw bad("its timestamp lies before 1970, which Kafka does not take: " + time, record);
        }
        long ahead = time - Time.SYSTEM.milliseconds();
        if (ahead > limits.futureMs() || -ahead > limits.pastMs()) {
            throw bad(
                    "topic " + topic + " does not take its timestamp, " + Instant.ofEpochMilli(time)
                            + ": message.timestamp.after.max.ms and message.timestamp.before.max.ms of the topic",
                    record);
        }
        return time;
    }

    private static BadRecordException bad(String reason, Object record) {
        return new BadRecordException(reason, String.valueOf(record).getBytes(StandardCharsets.UTF_8));
    }
}
