// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** The messages of one transaction, to be resent if it is not committed when its producer dies. */
final class MessageLog {
    /** Limit that keeps the messages far below what a checkpoint can hold. */
    private static final int MOST_BYTES = 1 << 29;

    private static final int FIRST_BYTES = 64 * 1024;

    // Flags: the parts that a message has.
    private static final int KEY = 1;
    private static final int VALUE = 2;
    private static final int PARTITION = 4;
    private static final int TIMESTAMP = 8;

    private final ByteWriter bytes;

    MessageLog() {
        this(FIRST_BYTES);
    }

    private MessageLog(int capacity) {
        bytes = new ByteWriter(capacity);
    }

    /** An empty one that need not grow until it is as long as this. */
    MessageLog next() {
        return new MessageLog(Math.max(FIRST_BYTES, bytes.size()));
    }

    private MessageLog(byte[] saved) {
        bytes = new ByteWriter(0);
        bytes.wrap(saved, saved.length);
    }

    static MessageLog readFrom(ByteReader in) {
        return new MessageLog(in.readBytes());
    }

    void writeTo(ByteWriter out) {
        out.writeBytes(bytes.array(), 0, bytes.size());
    }

    int size() {
        return bytes.size();
    }

    /** @throws ConnectorException if together they are more than a checkpoint can hold */
    static void check(List<MessageLog> logs, String topic) {
        long all = logs.stream().mapToLong(MessageLog::size).sum();
        if (all > 2L * MOST_BYTES) {
            throw tooLong(all, topic);
        }
    }

    private static ConnectorException tooLong(long size, String topic) {
        return new ConnectorException("a task has written " + (size >> 20) + " MiB to topic " + topic
                + " since the last checkpoint that is complete, more than a checkpoint can hold for exactly-once; take"
                + " checkpoints more often");
    }

    void add(ProducerRecord<byte[], byte[]> message) {
        byte[] key = message.key();
        byte[] value = message.value();
        Integer partition = message.partition();
        Long timestamp = message.timestamp();
        if (bytes.size() > MOST_BYTES) {
            throw tooLong(bytes.size(), message.topic());
        }
        bytes.writeByte((key == null ? 0 : KEY)
                | (value == null ? 0 : VALUE)
                | (partition == null ? 0 : PARTITION)
                | (timestamp == null ? 0 : TIMESTAMP));
        if (key != null) {
            bytes.writeBytes(key);
        }
        if (value != null) {
            bytes.writeBytes(value);
        }
        if (partition != null) {
            bytes.writeVarLong(partition);
        }
        if (timestamp != null) {
            bytes.writeVarLong(timestamp);
        }
        Header[] headers = message.headers().toArray();
        bytes.writeVarLong(headers.length);
        for (Header header : headers) {
            bytes.writeText(header.key());
            bytes.writeBoolean(header.value() != null);
            if (header.value() != null) {
                bytes.writeBytes(header.value());
            }
        }
    }

    /** Sends the messages in the order in which they were added. */
    void sendTo(Sender sender, String topic) throws InterruptedException {
        ByteReader in = new ByteReader(bytes.array(), 0, bytes.size());
        while (in.remaining() > 0) {
            int has = in.readByte();
            byte[] key = (has & KEY) == 0 ? null : in.readBytes();
            byte[] value = (has & VALUE) == 0 ? null : in.readBytes();
            Integer partition = (has & PARTITION) == 0 ? null : (int) in.readVarLong();
            Long timestamp = (has & TIMESTAMP) == 0 ? null : in.readVarLong();
            int count = (int) in.readVarLong();
            List<Header> headers = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                headers.add(new RecordHeader(in.readText(), in.readBoolean() ? in.readBytes() : null));
            }
            sender.send(new ProducerRecord<>(topic, partition, timestamp, key, value, headers));
        }
    }
}
