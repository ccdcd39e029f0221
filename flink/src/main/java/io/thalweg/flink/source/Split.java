// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.Fetcher;
import io.thalweg.api.connector.SavedPosition;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A split of a source, and its progress.
 *
 * @param number among all splits of the source
 * @param at position of the reader; null to read from the beginning
 * @param read number of records read from it
 * @param ended true if it has been read to its end
 * @param watermarks of the split, by name of the operator that reads its event times
 */
record Split(
        int number, String name, @Nullable SavedPosition at, long read, boolean ended, Map<String, Long> watermarks)
        implements SourceSplit {
    Split {
        watermarks = Map.copyOf(watermarks);
    }

    static Split of(int number, String name) {
        return new Split(number, name, null, 0, false, Map.of());
    }

    /** A split that was discovered while the job runs. */
    static Split found(int number, String name) {
        return new Split(number, name, new SavedPosition(Fetcher.FOUND, new byte[0]), 0, false, Map.of());
    }

    boolean found() {
        return at != null && at.position() == Fetcher.FOUND;
    }

    @Override
    public String splitId() {
        return number + " " + name;
    }

    void writeTo(ByteWriter out) {
        out.writeVarLong(number);
        out.writeText(name);
        out.writeBoolean(at != null);
        if (at != null) {
            at.writeTo(out);
        }
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
        SavedPosition at = in.readBoolean() ? SavedPosition.read(in) : null;
        long read = in.readVarLong();
        boolean ended = in.readBoolean();
        Map<String, Long> watermarks = new TreeMap<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            String operator = in.readText();
            watermarks.put(operator, in.readLong());
        }
        return new Split(number, name, at, read, ended, watermarks);
    }

    /** For Flink's checkpoints. */
    static final class Serializer implements SimpleVersionedSerializer<Split> {
        @Override
        public int getVersion() {
            return 2;
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
                throw new IOException(
                        "splits of version " + version + " are of another Thalweg; this one reads " + getVersion());
            }
            return read(new ByteReader(bytes));
        }
    }
}
