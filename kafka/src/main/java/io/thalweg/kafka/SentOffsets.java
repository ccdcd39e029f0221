// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The offsets of the messages of one transaction. A topic keeps messages of aborted transactions as long as others, only consumers with
 * {@code read_committed} leave them out: {@link ReadBack} finds them there, and a checksum says whether they are the same ones.
 */
final class SentOffsets implements Replay {
    /** Messages of a partition that follow each other. */
    static final class Range {
        final long first;

        /** The offset behind them. */
        private long end;

        Range(long first, long end) {
            this.first = first;
            this.end = end;
        }

        long end() {
            return end;
        }
    }

    /** The sum of a checksum of each message, in whatever order they come. */
    static final class Sum {
        private final CRC32C crc = new CRC32C();
        private long value;

        void add(byte @Nullable [] key, byte @Nullable [] message) {
            crc.reset();
            if (key != null) {
                crc.update(key);
            }
            if (message != null) {
                crc.update(message);
            }
            value += crc.getValue();
        }

        long value() {
            return value;
        }
    }

    private final Sum sum = new Sum();
    private long count;

    // ---- the producer's thread, until it has flushed

    private final Map<Integer, List<Range>> ranges = new TreeMap<>();
    private int partition = -1;

    /** The last one of that partition. */
    private Range range = new Range(-1, -1);

    private long arrived;

    /** Empty until all messages have arrived. */
    private byte[] saved = {};

    SentOffsets() {}

    private SentOffsets(byte[] saved) {
        this.saved = saved;
    }

    static SentOffsets readFrom(ByteReader in) {
        return new SentOffsets(in.readBytes());
    }

    @Override
    public void add(ProducerRecord<byte[], byte[]> message) {
        count++;
        sum.add(message.key(), message.value());
    }

    /** Called by the producer's thread, batch by batch. */
    void arrived(int of, long offset) {
        if (offset < 0) {
            return; // the broker has forgotten the answer that it gave to a batch, and knows only that it has it
        }
        arrived++;
        if (of != partition || offset != range.end) {
            List<Range> all = ranges.computeIfAbsent(of, each -> new ArrayList<>());
            partition = of;
            if (all.isEmpty() || all.get(all.size() - 1).end != offset) {
                all.add(new Range(offset, offset));
            }
            range = all.get(all.size() - 1);
        }
        range.end++;
    }

    @Override
    public void complete(Sender sender, SinkSettings sink) throws InterruptedException {
        sender.flush();
        if (arrived != count) {
            throw new ConnectorException("cannot write " + sink + ": Kafka has taken " + count
                    + " messages, and says of "
                    + arrived + " where they are, so that they could not be replayed from the topic; restore the latest"
                    + " checkpoint");
        }
        saved = bytes();
    }

    private byte[] bytes() {
        ByteWriter out = new ByteWriter(1024);
        out.writeVarLong(count);
        out.writeLong(sum.value());
        out.writeVarLong(ranges.size());
        ranges.forEach((of, all) -> {
            out.writeVarLong(of);
            out.writeVarLong(all.size());
            for (Range each : all) {
                out.writeVarLong(each.first);
                out.writeVarLong(each.end);
            }
        });
        return out.toByteArray();
    }

    @Override
    public boolean inTopic() {
        return true;
    }

    @Override
    public int size() {
        return saved.length;
    }

    @Override
    public List<ByteBuffer> parts() {
        return List.of(ByteBuffer.wrap(saved));
    }

    @Override
    public void sendTo(Sender sender, SinkSettings sink) throws InterruptedException {
        ByteReader in = new ByteReader(saved);
        long messages = in.readVarLong();
        long expected = in.readLong();
        Map<Integer, List<Range>> places = new TreeMap<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            List<Range> all = new ArrayList<>();
            places.put((int) in.readVarLong(), all);
            for (long more = in.readVarLong(); more > 0; more--) {
                all.add(new Range(in.readVarLong(), in.readVarLong()));
            }
        }
        new ReadBack(sink, sender).send(places, messages, expected);
    }
}
