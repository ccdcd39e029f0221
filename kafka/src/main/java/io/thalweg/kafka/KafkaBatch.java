// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.RecordBatch;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Messages of one partition, decoded by the task. */
final class KafkaBatch<T> implements RecordBatch<T> {
    /** What the JVM needs for a message beside its bytes: the record, and buffers that point to them. */
    private static final int MESSAGE_BYTES = 200;

    private final String split;
    private final MessageDecoder.Decoding<T> decoding;
    private final int count;
    private final long bytes;
    private final long next;
    private final boolean last;
    private final PartitionState place;
    private List<ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer>> messages;
    private long position;
    private int at;

    /** Of the last message, once all of them are read and let go, and with them the network's buffers. */
    private long lastOffset;

    private int lastEpoch;

    /** The task has taken all of it. */
    private volatile boolean taken;

    /**
     * @param position where the batch begins
     * @param next where the one that follows begins: markers of transactions, and messages that were compacted away, lie between
     * @param place how far the partition is read with the last message of this batch
     */
    KafkaBatch(
            String split,
            MessageDecoder.Decoding<T> decoding,
            List<ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer>> messages,
            long position,
            long next,
            PartitionState place) {
        this.split = split;
        this.decoding = decoding;
        this.messages = messages;
        count = messages.size();
        bytes = bytes(messages);
        this.position = messages.isEmpty() ? next : position;
        this.next = next;
        this.place = place;
        last = next >= place.end();
    }

    private static long bytes(List<ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer>> messages) {
        long bytes = 0;
        for (ConsumerRecord<?, ?> message : messages) {
            bytes += MESSAGE_BYTES
                    + Math.max(0, message.serializedKeySize())
                    + Math.max(0, message.serializedValueSize());
            for (Header header : message.headers().toArray()) {
                byte[] value = header.value();
                bytes += header.key().length() + (value == null ? 0 : value.length);
            }
        }
        return bytes;
    }

    @Override
    public String split() {
        return split;
    }

    @Override
    public @Nullable T next() throws Exception {
        if (at == count) {
            letGo();
            return null;
        }
        ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer> message = messages.get(at++);
        position = message.offset() + 1;
        return decoding.decode(message);
    }

    private void letGo() {
        if (!messages.isEmpty()) {
            ConsumerRecord<?, ?> message = messages.get(count - 1);
            lastOffset = message.offset();
            lastEpoch = epoch(message);
            messages = List.of();
        }
        position = next;
        taken = true;
    }

    private static int epoch(ConsumerRecord<?, ?> message) {
        return message.leaderEpoch().orElse(-1);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Messages that wait for the task; all of them until it has taken the last. Any thread may call. */
    int waiting() {
        return taken ? 0 : count;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public long recordOffset() {
        return at == 0
                ? position
                : messages.isEmpty() ? lastOffset : messages.get(at - 1).offset();
    }

    @Override
    public boolean last() {
        return last;
    }

    /** For the last message that was returned: the leader of a later message may not know this position. */
    @Override
    public byte[] fingerprint() {
        if (at == 0) {
            return place.fingerprint();
        }
        return place.at(messages.isEmpty() ? lastEpoch : epoch(messages.get(at - 1)))
                .fingerprint();
    }
}
