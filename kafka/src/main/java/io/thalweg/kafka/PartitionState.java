// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import org.apache.kafka.common.Uuid;

/**
 * What a checkpoint stores of a partition besides the offset.
 *
 * @param topic id of the topic
 * @param epoch leader epoch of the last message; negative if there is none
 * @param end offset at which reading ends; {@link #NO_END} if it never does
 */
record PartitionState(Uuid topic, int epoch, long end) {
    static final long NO_END = Long.MAX_VALUE;

    private static final int VERSION = 1;

    byte[] fingerprint() {
        ByteWriter out = new ByteWriter(48);
        out.writeVarLong(VERSION);
        out.writeVarLong(topic.getMostSignificantBits());
        out.writeVarLong(topic.getLeastSignificantBits());
        out.writeVarLong(epoch);
        out.writeVarLong(end);
        return out.toByteArray();
    }

    /** @throws ConnectorException if another version wrote it */
    static PartitionState of(byte[] fingerprint, String split) {
        ByteReader in = new ByteReader(fingerprint);
        long version = in.readVarLong();
        if (version != VERSION) {
            throw new ConnectorException("the position in " + split + " was saved in format version " + version
                    + ", but this Thalweg reads " + VERSION);
        }
        return new PartitionState(
                new Uuid(in.readVarLong(), in.readVarLong()), Math.toIntExact(in.readVarLong()), in.readVarLong());
    }

    PartitionState at(int newer) {
        return newer == epoch ? this : new PartitionState(topic, newer, end);
    }

    PartitionState until(long offset) {
        return new PartitionState(topic, epoch, offset);
    }
}
