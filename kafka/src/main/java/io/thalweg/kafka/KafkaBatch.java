// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.RecordBatch;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Messages of one partition, decoded by the task. */
final class KafkaBatch<T> implements RecordBatch<T> {
    private final String split;
    private final MessageDecoder.Decoding<T> decoding;
    private final List<ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer>> messages;
    private final long next;
    private final boolean last;
    private final PartitionState place;
    private long position;
    private int at;

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
        this.position = messages.isEmpty() ? next : position;
        this.next = next;
        this.place = place;
        last = next >= place.end();
    }

    @Override
    public String split() {
        return split;
    }

    @Override
    public @Nullable T next() throws Exception {
        if (at == messages.size()) {
            position = next;
            taken = true;
            return null;
        }
        ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer> message = messages.get(at++);
        position = message.offset() + 1;
        return decoding.decode(message);
    }

    /** Messages that wait for the task; all of them until it has taken the last. Any thread may call. */
    int waiting() {
        return taken ? 0 : messages.size();
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public long recordOffset() {
        return at == 0 ? position : messages.get(at - 1).offset();
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
        return place.at(messages.get(at - 1).leaderEpoch().orElse(-1)).fingerprint();
    }
}
