// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The messages of one transaction, to be resent if it is not committed when its producer dies. They lie in chunks, which checkpoints write
 * without copying them, and which later logs use again: so what a job writes costs the garbage collector nothing.
 */
final class MessageLog implements Replay {
    /** Far below what a checkpoint can hold, and what fits in the heap beside all else, with the log of the transaction before. */
    private static final long MOST_BYTES =
            Math.min(1L << 29, Runtime.getRuntime().maxMemory() / 4);

    private static final int FIRST_BYTES = 64 * 1024;
    private static final int CHUNK_BYTES = 256 * 1024;

    /** A chunk with less room than this is full: most messages are shorter. */
    private static final int ROOM_BYTES = 16 * 1024;

    // Flags: the parts that a message has.
    private static final int KEY = 1;
    private static final int VALUE = 2;
    private static final int PARTITION = 4;
    private static final int TIMESTAMP = 8;

    /** Whole messages. */
    private record Chunk(byte[] array, int size) {}

    private final Deque<byte[]> spare;
    private final List<Chunk> full = new ArrayList<>();
    private long fullBytes;
    private ByteWriter bytes;

    /** @param spare arrays for chunks, from {@link #recycle} */
    MessageLog(Deque<byte[]> spare) {
        this.spare = spare;
        bytes = spare.isEmpty() ? new ByteWriter(FIRST_BYTES) : chunk();
    }

    private MessageLog(byte[] saved) {
        this(new ArrayDeque<>());
        put(new Chunk(saved, saved.length));
    }

    private ByteWriter chunk() {
        byte[] array = spare.poll();
        if (array == null) {
            return new ByteWriter(CHUNK_BYTES);
        }
        ByteWriter chunk = new ByteWriter(0);
        chunk.wrap(array, 0);
        return chunk;
    }

    private void put(Chunk chunk) {
        full.add(chunk);
        fullBytes += chunk.size;
    }

    static MessageLog readFrom(ByteReader in) {
        return new MessageLog(in.readBytes());
    }

    @Override
    public List<ByteBuffer> parts() {
        close();
        return full.stream()
                .map(chunk -> ByteBuffer.wrap(chunk.array, 0, chunk.size))
                .toList();
    }

    /** Gives the arrays back. As many again may be kept from earlier, so that a burst is forgotten. */
    @Override
    public void recycle() {
        while (spare.size() > full.size()) {
            spare.remove();
        }
        for (Chunk each : full) {
            if (each.array.length == CHUNK_BYTES) {
                spare.add(each.array);
            }
        }
        full.clear();
        fullBytes = 0;
    }

    @Override
    public boolean inTopic() {
        return false;
    }

    private void close() {
        if (bytes.size() > 0) {
            put(new Chunk(bytes.array(), bytes.size()));
            bytes = new ByteWriter(0);
        }
    }

    @Override
    public int size() {
        return (int) (fullBytes + bytes.size());
    }

    /** @throws ConnectorException if together they are more than a checkpoint can hold */
    static void check(List<Replay> logs, String topic) {
        long all = logs.stream().mapToLong(Replay::size).sum();
        if (all > 2 * MOST_BYTES) {
            throw tooLong(all, topic);
        }
    }

    private static ConnectorException tooLong(long size, String topic) {
        return new ConnectorException("a task has written " + (size >> 20) + " MiB to topic " + topic
                + " since the last checkpoint that is complete, more than it may keep in memory for exactly-once; take checkpoints"
                + " more often, or give Java a larger heap: a quarter of it may be kept, and at most 512 MiB");
    }

    @Override
    public void add(ProducerRecord<byte[], byte[]> message) {
        byte[] key = message.key();
        byte[] value = message.value();
        Integer partition = message.partition();
        Long timestamp = message.timestamp();
        if (fullBytes > MOST_BYTES) {
            throw tooLong(fullBytes, message.topic());
        }
        if (bytes.size() > CHUNK_BYTES - ROOM_BYTES) {
            close();
            bytes = chunk();
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

    /** In the order in which they were added. */
    @Override
    public void sendTo(Sender sender, SinkSettings sink) throws InterruptedException {
        close();
        for (Chunk each : full) {
            sendTo(sender, sink.topic(), new ByteReader(each.array, 0, each.size));
        }
    }

    private static void sendTo(Sender sender, String topic, ByteReader in) throws InterruptedException {
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
