// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint stores of the output of one task.
 *
 * @param topic where it goes
 * @param name of the output; without a prefix if there are no transactions
 * @param last the state of the output once all transactions are committed
 * @param first number of the first transaction that may be uncommitted
 * @param logs of those transactions, from the first to the last, and all of one kind
 */
record SavedOutput(String topic, OutputName name, OutputNumbers.Entry last, long first, List<Replay> logs) {
    private static final String WITH_MESSAGES = "thalweg kafka 1";
    private static final String WITH_OFFSETS = "thalweg kafka 2";

    static SavedOutput withoutTransactions(String topic) {
        return new SavedOutput(topic, new OutputName("", 0, 0), new OutputNumbers.Entry(0, "", ""), 1, List.of());
    }

    boolean transactional() {
        return !name.prefix().isEmpty();
    }

    /** What {@link #toParts} returns, in one array. */
    byte[] toBytes() {
        List<ByteBuffer> parts = toParts();
        ByteBuffer all = ByteBuffer.allocate(
                parts.stream().mapToInt(ByteBuffer::remaining).sum());
        parts.forEach(all::put);
        return all.array();
    }

    /** For {@link #of}; the logs may be large, and are not copied. */
    List<ByteBuffer> toParts() {
        List<ByteBuffer> parts = new ArrayList<>();
        ByteWriter head = new ByteWriter(1024);
        writeHead(head);
        for (Replay log : logs) {
            head.writeVarLong(log.size());
            parts.add(ByteBuffer.wrap(head.toByteArray()));
            parts.addAll(log.parts());
            head.clear();
        }
        parts.add(ByteBuffer.wrap(head.toByteArray()));
        return parts;
    }

    private void writeHead(ByteWriter out) {
        out.writeText(!logs.isEmpty() && logs.get(0).inTopic() ? WITH_OFFSETS : WITH_MESSAGES);
        out.writeText(topic);
        out.writeText(name.prefix());
        out.writeVarLong(name.checkpoint());
        out.writeVarLong(name.task());
        out.writeVarLong(last.number());
        out.writeText(last.lineage());
        out.writeText(last.run());
        out.writeVarLong(first);
        out.writeVarLong(logs.size());
    }

    /** @throws ConnectorException if {@link #toBytes} did not make the bytes */
    static SavedOutput of(byte[] bytes, SinkSettings sink) {
        try {
            ByteReader in = new ByteReader(bytes);
            String head = in.readText();
            if (head.equals(WITH_MESSAGES) || head.equals(WITH_OFFSETS)) {
                String topic = in.readText();
                OutputName name = new OutputName(in.readText(), in.readVarLong(), (int) in.readVarLong());
                OutputNumbers.Entry last = new OutputNumbers.Entry(in.readVarLong(), in.readText(), in.readText());
                long first = in.readVarLong();
                long count = in.readVarLong();
                List<Replay> logs = new ArrayList<>();
                for (long i = 0; i < count; i++) {
                    logs.add(head.equals(WITH_MESSAGES) ? MessageLog.readFrom(in) : SentOffsets.readFrom(in));
                }
                return new SavedOutput(topic, name, last, first, logs);
            }
        } catch (RuntimeException e) {
            throw notReadable(sink, e);
        }
        throw notReadable(sink, null);
    }

    private static ConnectorException notReadable(SinkSettings sink, @Nullable RuntimeException cause) {
        return new ConnectorException(
                "cannot restore the output to " + sink
                        + ": the checkpoint has no state of such an output, or was taken by another version of Thalweg",
                cause);
    }
}
