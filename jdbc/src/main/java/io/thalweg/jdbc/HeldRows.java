// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Schema;
import io.thalweg.api.connector.ConnectorException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint keeps of a writer: the records that were promised and are not known to be in the database yet.
 *
 * @param sink as {@link CheckpointTable} names it
 * @param writer whose numbers these are
 * @param last the greatest number that was given so far
 * @param schema of the records; null if it is not known
 */
record HeldRows(
        String sink, String writer, long last, @Nullable Schema schema, List<Interval> intervals) {
    private static final int FORMAT = 2;
    private static final int FORMAT_WITHOUT_SCHEMA = 1;

    /**
     * Records between two checkpoints.
     *
     * @param number from 1 on
     * @param checkpoint that promises them, or one before it but after all others
     * @param records encoded one after the other
     */
    record Interval(long number, long checkpoint, int count, byte[] records) {}

    byte[] toBytes() {
        ByteWriter out = new ByteWriter(64);
        out.writeByte(FORMAT);
        out.writeText(sink);
        out.writeText(writer);
        out.writeVarLong(last);
        out.writeBoolean(schema != null);
        if (schema != null) {
            schema.writeTo(out);
        }
        out.writeVarLong(intervals.size());
        for (Interval each : intervals) {
            out.writeVarLong(each.number());
            out.writeVarLong(each.checkpoint());
            out.writeVarLong(each.count());
            out.writeBytes(each.records());
        }
        return out.toByteArray();
    }

    static HeldRows of(byte[] bytes) {
        if (bytes.length == 0) {
            throw new ConnectorException("the checkpoint was taken without transactions, at-least-once or with an"
                    + " idempotent() sink; continue as it was, or begin without the sink's state with --discard-state");
        }
        ByteReader in = new ByteReader(bytes);
        int format = in.readByte();
        if (format != FORMAT && format != FORMAT_WITHOUT_SCHEMA) {
            throw new ConnectorException("the checkpoint holds rows in a form of another version of Thalweg");
        }
        String sink = in.readText();
        String writer = in.readText();
        long last = in.readVarLong();
        Schema schema = format == FORMAT && in.readBoolean() ? Schema.read(in) : null;
        long size = in.readVarLong();
        List<Interval> intervals = new ArrayList<>();
        for (long i = 0; i < size; i++) {
            intervals.add(new Interval(in.readVarLong(), in.readVarLong(), (int) in.readVarLong(), in.readBytes()));
        }
        return new HeldRows(sink, writer, last, schema, intervals);
    }

    /** A writer that holds nothing would drop what a checkpoint has promised. */
    static void refuse(List<byte[]> saved) {
        for (byte[] each : saved) {
            if (each.length > 0 && !of(each).intervals().isEmpty()) {
                throw new ConnectorException(
                        "the checkpoint holds rows that only an exactly-once job writes; continue with"
                                + " --guarantee exactly-once and without idempotent(), or begin without them with"
                                + " --discard-state");
            }
        }
    }
}
