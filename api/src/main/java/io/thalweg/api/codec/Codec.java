// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

/**
 * Writes values of one type as bytes and reads them back. Stateless: any thread may call, several at once. Values are
 * never null here; a codec of something with parts that may be null marks them itself.
 */
public interface Codec<T> {
    void encode(T value, ByteWriter out);

    T decode(ByteReader in);

    /**
     * A hash that is equal for equal values, in every JVM and every version: it decides the key group. The default
     * hashes the encoded bytes.
     */
    default int hash(T value) {
        ByteWriter out = new ByteWriter(64);
        encode(value, out);
        return out.hash();
    }

    /** True if values cannot change, so that a copy is never needed. */
    default boolean immutable() {
        return false;
    }

    /** A value that stays as it is when the given one is changed. */
    default T copy(T value) {
        if (immutable()) {
            return value;
        }
        ByteWriter out = new ByteWriter(256);
        encode(value, out);
        return decode(new ByteReader(out.toByteArray()));
    }
}
