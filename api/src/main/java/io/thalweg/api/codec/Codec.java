// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

/**
 * Serializes values of one type and deserializes them. Used for checkpoints, for keys, and between processes of a
 * cluster. Stateless and thread-safe. Values are never null here; a codec of something with parts that may be null must
 * mark them itself.
 *
 * <pre>{@code
 * record MoneyCodec() implements Codec<Money>, Serializable {
 *     public void encode(Money value, ByteWriter out) {
 *         out.writeVarLong(value.cents());
 *     }
 *     public Money decode(ByteReader in) {
 *         return Money.ofCents(in.readVarLong());
 *     }
 * }
 * Type<Money> money = Type.custom(Money.class, new MoneyCodec());
 * }</pre>
 *
 * @param <T> values
 */
public interface Codec<T> {
    /** Appends a value to {@code out}. */
    void encode(T value, ByteWriter out);

    /**
     * Reads one value, exactly the bytes that {@link #encode} wrote.
     *
     * @throws CodecException if the bytes are not valid
     */
    T decode(ByteReader in);

    /**
     * A hash that is equal for equal values, in every JVM and every version: it decides the key group, so it must never
     * change. The default hashes the encoded bytes; override it if equal values may have different bytes.
     */
    default int hash(T value) {
        ByteWriter out = new ByteWriter(64);
        encode(value, out);
        return out.hash();
    }

    /** True if values cannot change, so that {@link #copy} need not copy them. */
    default boolean immutable() {
        return false;
    }

    /**
     * A copy that is not affected by changes to the original. The default serializes and deserializes, unless values
     * are {@link #immutable}.
     */
    default T copy(T value) {
        if (immutable()) {
            return value;
        }
        ByteWriter out = new ByteWriter(256);
        encode(value, out);
        return decode(new ByteReader(out.toByteArray()));
    }
}
