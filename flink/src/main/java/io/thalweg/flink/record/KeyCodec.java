// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import java.io.Serializable;

/** Writes whether the key could be computed, then the key. */
record KeyCodec(Type<Object> type) implements Codec<StableKey>, Serializable {
    @Override
    public void encode(StableKey key, ByteWriter out) {
        out.writeBoolean(key.isBad());
        if (!key.isBad()) {
            type.codec().encode(key.key(), out);
        }
    }

    @Override
    public StableKey decode(ByteReader in) {
        if (in.readBoolean()) {
            return StableKey.ofBad(null);
        }
        Object key = type.codec().decode(in);
        return new StableKey(key, type.codec().hash(key));
    }

    @Override
    public boolean immutable() {
        return type.codec().immutable();
    }
}
