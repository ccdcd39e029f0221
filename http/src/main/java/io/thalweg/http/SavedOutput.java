// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a checkpoint keeps of a writer.
 *
 * @param lineage of the slots of its batches
 * @param interval the next one
 * @param held batches that were promised and are not known to have arrived
 */
record SavedOutput(String lineage, long interval, List<Held> held) {
    private static final int FORMAT = 2;

    /** Did not say how the records of a batch are sent. */
    private static final int FORMAT_WITHOUT_BODIES = 1;

    /** @param checkpoint that promises it */
    record Held(long checkpoint, Batch batch) {}

    byte[] toBytes() {
        ByteWriter out = new ByteWriter(64);
        out.writeByte(FORMAT);
        out.writeText(lineage);
        out.writeVarLong(interval);
        out.writeVarLong(held.size());
        for (Held each : held) {
            out.writeVarLong(each.checkpoint());
            out.writeText(each.batch().slot());
            out.writeVarLong(each.batch().first());
            out.writeText(each.batch().format().name());
            out.writeVarLong(each.batch().records().size());
            each.batch().records().forEach(out::writeBytes);
        }
        return out.toByteArray();
    }

    /** @param own format of the writer that is to send it */
    static SavedOutput of(byte[] bytes, BodyFormat own) {
        ByteReader in = new ByteReader(bytes);
        int version = bytes.length == 0 ? 0 : in.readByte();
        if (version != FORMAT && version != FORMAT_WITHOUT_BODIES) {
            throw new ConnectorException(
                    "the checkpoint holds the state of an HTTP sink in a form of another version" + " of Thalweg");
        }
        String lineage = in.readText();
        long interval = in.readVarLong();
        long size = in.readVarLong();
        List<Held> held = new ArrayList<>();
        for (long i = 0; i < size; i++) {
            long checkpoint = in.readVarLong();
            String slot = in.readText();
            long first = in.readVarLong();
            BodyFormat format = version == FORMAT ? BodyFormat.valueOf(in.readText()) : own;
            long count = in.readVarLong();
            List<byte[]> records = new ArrayList<>();
            for (long r = 0; r < count; r++) {
                records.add(in.readBytes());
            }
            if (format == BodyFormat.SINGLE && count > 1) {
                throw new ConnectorException(
                        "the checkpoint holds requests of several records, and the sink sends single"
                                + " records; continue without single() and key(…) first, or begin without the sink's state with"
                                + " --discard-state");
            }
            held.add(new Held(checkpoint, new Batch(slot, null, first, records, format)));
        }
        return new SavedOutput(lineage, interval, held);
    }
}
