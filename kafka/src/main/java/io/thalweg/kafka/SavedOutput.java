// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
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
 * @param logs messages of those transactions, from the first to the last
 */
record SavedOutput(String topic, OutputName name, OutputNumbers.Entry last, long first, List<MessageLog> logs) {
    private static final String HEAD = "thalweg kafka 1";
    private static final int OTHER_BYTES = 1024;

    static SavedOutput withoutTransactions(String topic) {
        return new SavedOutput(topic, new OutputName("", 0, 0), new OutputNumbers.Entry(0, "", ""), 1, List.of());
    }

    boolean transactional() {
        return !name.prefix().isEmpty();
    }

    /** The logs may be large: they are copied once. */
    byte[] toBytes() {
        ByteWriter others = new ByteWriter(OTHER_BYTES);
        writeHead(others);
        logs.forEach(log -> others.writeVarLong(log.size()));
        ByteWriter out = new ByteWriter(
                others.size() + logs.stream().mapToInt(MessageLog::size).sum());
        writeHead(out);
        logs.forEach(log -> log.writeTo(out));
        return out.size() == out.array().length ? out.array() : out.toByteArray();
    }

    private void writeHead(ByteWriter out) {
        out.writeText(HEAD);
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
            if (in.readText().equals(HEAD)) {
                String topic = in.readText();
                OutputName name = new OutputName(in.readText(), in.readVarLong(), (int) in.readVarLong());
                OutputNumbers.Entry last = new OutputNumbers.Entry(in.readVarLong(), in.readText(), in.readText());
                long first = in.readVarLong();
                long count = in.readVarLong();
                List<MessageLog> logs = new ArrayList<>();
                for (long i = 0; i < count; i++) {
                    logs.add(MessageLog.readFrom(in));
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
