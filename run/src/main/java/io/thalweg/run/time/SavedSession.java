// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.time;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;

/**
 * A session in a checkpoint, or a record that waits to be applied.
 *
 * @param start in epoch milliseconds
 * @param end exclusive
 * @param stamp of a record that waits; of a session it has no meaning
 * @param fired whether the session has been emitted
 * @param accumulator of the aggregate
 */
public record SavedSession(long start, long end, long stamp, boolean fired, Object accumulator) {
    /** Writes it. */
    public void write(ByteWriter out, Codec<Object> accumulators) {
        out.writeVarLong(start);
        out.writeVarLong(end);
        out.writeLong(stamp);
        out.writeBoolean(fired);
        accumulators.encode(accumulator, out);
    }

    /** Reads one. */
    public static SavedSession read(ByteReader in, Codec<Object> accumulators) {
        long start = in.readVarLong();
        long end = in.readVarLong();
        long stamp = in.readLong();
        boolean fired = in.readBoolean();
        return new SavedSession(start, end, stamp, fired, accumulators.decode(in));
    }
}
