// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import org.jspecify.annotations.Nullable;

/** A part of a value, which may be null: a byte says so. */
record PartCodec(Codec<Object> present) {
    void encode(@Nullable Object value, ByteWriter out) {
        out.writeBoolean(value != null);
        if (value != null) {
            present.encode(value, out);
        }
    }

    @Nullable Object decode(ByteReader in) {
        return in.readBoolean() ? present.decode(in) : null;
    }

    int hash(@Nullable Object value) {
        return value == null ? 0 : present.hash(value);
    }

    @Nullable Object copy(@Nullable Object value) {
        return value == null ? null : present.copy(value);
    }

    boolean immutable() {
        return present.immutable();
    }
}
