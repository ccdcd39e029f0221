// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A split of a source, and how far it was read.
 *
 * @param number among all splits of the source
 * @param begun false where it is to be read from its beginning
 * @param position that the reader goes to, where it was begun
 * @param read records that came of it
 * @param ended nothing comes from it any more
 * @param watermarks that it had come to, by name of the operator that reads its event times
 */
record Split(
        int number, String name, boolean begun, long position, long read, boolean ended, Map<String, Long> watermarks)
        implements SourceSplit {
    Split {
        watermarks = Map.copyOf(watermarks);
    }

    static Split of(int number, String name) {
        return new Split(number, name, false, 0, 0, false, Map.of());
    }

    @Override
    public String splitId() {
        return number + " " + name;
    }

    void writeTo(ByteWriter out) {
        out.writeVarLong(number);
        out.writeText(name);
        out.writeBoolean(begun);
        out.writeVarLong(position);
        out.writeVarLong(read);
        out.writeBoolean(ended);
        out.writeVarLong(watermarks.size());
        new TreeMap<>(watermarks).forEach((operator, watermark) -> {
            out.writeText(operator);
            out.writeLong(watermark);
        });
    }

    static Split read(ByteReader in) {
        int number = (int) in.readVarLong();
        String name = in.readText();
        boolean begun = in.readBoolean();
        long position = in.readVarLong();
        long read = in.readVarLong();
        boolean ended = in.readBoolean();
        Map<String, Long> watermarks = new TreeMap<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            String operator = in.readText();
            watermarks.put(operator, in.readLong());
        }
        return new Split(number, name, begun, position, read, ended, watermarks);
    }

    /** For Flink's checkpoints. */
    static final class Serializer implements SimpleVersionedSerializer<Split> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(Split split) {
            ByteWriter out = new ByteWriter(64);
            split.writeTo(out);
            return out.toByteArray();
        }

        @Override
        public Split deserialize(int version, byte[] bytes) throws IOException {
            if (version != getVersion()) {
                throw new IOException("splits of version " + version + " are of another Thalweg");
            }
            return read(new ByteReader(bytes));
        }
    }
}
