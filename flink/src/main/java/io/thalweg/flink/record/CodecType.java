// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.codec.Type;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/** What Flink is told of a type: written and read by its codec, never by Kryo. */
public final class CodecType<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1L;

    private final Type<T> type;

    private CodecType(Type<T> type) {
        this.type = type;
    }

    public static <T> CodecType<T> of(Type<T> type) {
        return new CodecType<>(type);
    }

    /** Of the records of a stream. */
    @SuppressWarnings("unchecked") // streams hold records as Object
    public static TypeInformation<Object> ofStream(Type<Object> type, boolean stamped) {
        return stamped
                ? (TypeInformation<Object>) (TypeInformation<?>) of(Type.custom(Stamped.class, new StampedCodec(type)))
                : of(type);
    }

    public static CodecType<StableKey> ofKey(Type<Object> type) {
        return of(Type.custom(StableKey.class, new KeyCodec(type)));
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<T> getTypeClass() {
        return type.raw();
    }

    @Override
    public boolean isKeyType() {
        return true;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return new CodecSerializer<>(type);
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof CodecType<?>;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CodecType<?> that && type.equals(that.type);
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public String toString() {
        return type.toString();
    }
}
