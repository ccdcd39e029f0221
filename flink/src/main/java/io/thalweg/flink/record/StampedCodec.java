// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import java.io.Serializable;

/** Writes the stamp in eight bytes, then the record. */
record StampedCodec(Type<Object> type) implements Codec<Stamped>, Serializable {
    @Override
    public void encode(Stamped record, ByteWriter out) {
        out.writeLong(record.stamp());
        type.codec().encode(record.value(), out);
    }

    @Override
    public Stamped decode(ByteReader in) {
        long stamp = in.readLong();
        return new Stamped(type.codec().decode(in), stamp);
    }
}
