// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The state of the enumerator.
 *
 * @param listed the source has listed its splits
 * @param known the names of all splits, by their numbers
 * @param waiting splits that are not assigned yet
 */
record Assignment(boolean listed, List<String> known, List<Split> waiting) {
    static final Assignment NONE = new Assignment(false, List.of(), List.of());

    Assignment {
        known = List.copyOf(known);
        waiting = List.copyOf(waiting);
    }

    /** For Flink's checkpoints. */
    static final class Serializer implements SimpleVersionedSerializer<Assignment> {
        @Override
        public int getVersion() {
            return 3;
        }

        @Override
        public byte[] serialize(Assignment assignment) {
            ByteWriter out = new ByteWriter(64);
            out.writeBoolean(assignment.listed());
            out.writeVarLong(assignment.known().size());
            assignment.known().forEach(out::writeText);
            out.writeVarLong(assignment.waiting().size());
            assignment.waiting().forEach(split -> split.writeTo(out));
            return out.toByteArray();
        }

        @Override
        public Assignment deserialize(int version, byte[] bytes) throws IOException {
            if (version != getVersion()) {
                throw new IOException("an assignment of version " + version + " is of another Thalweg; this one reads "
                        + getVersion());
            }
            ByteReader in = new ByteReader(bytes);
            boolean listed = in.readBoolean();
            List<String> known = new ArrayList<>();
            for (long left = in.readVarLong(); left > 0; left--) {
                known.add(in.readText());
            }
            List<Split> waiting = new ArrayList<>();
            for (long left = in.readVarLong(); left > 0; left--) {
                waiting.add(Split.read(in));
            }
            return new Assignment(listed, known, waiting);
        }
    }
}
