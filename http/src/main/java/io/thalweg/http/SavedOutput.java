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
    private static final int FORMAT = 1;

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
            out.writeVarLong(each.batch().records().size());
            each.batch().records().forEach(out::writeBytes);
        }
        return out.toByteArray();
    }

    static SavedOutput of(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        if (bytes.length == 0 || in.readByte() != FORMAT) {
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
            long count = in.readVarLong();
            List<byte[]> records = new ArrayList<>();
            for (long r = 0; r < count; r++) {
                records.add(in.readBytes());
            }
            held.add(new Held(checkpoint, new Batch(slot, null, first, records)));
        }
        return new SavedOutput(lineage, interval, held);
    }
}
