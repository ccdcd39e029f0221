// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.codec.Type;
import java.util.Set;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Flink's type information for a type: serialized by its codec, never by Kryo. Plain numbers and texts use Flink's own
 * serializers, which are faster because they write no length.
 */
public final class CodecType<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1L;

    private static final Set<Class<?>> BASIC = Set.of(
            Boolean.class,
            Byte.class,
            Short.class,
            Character.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            String.class);

    private final Type<T> type;

    private CodecType(Type<T> type) {
        this.type = type;
    }

    public static <T> CodecType<T> of(Type<T> type) {
        return new CodecType<>(type);
    }

    /** The type of the records of a stream. */
    @SuppressWarnings("unchecked") // streams hold records as Object
    public static TypeInformation<Object> ofStream(Type<Object> type, boolean stamped) {
        return stamped
                ? (TypeInformation<Object>) (TypeInformation<?>) of(Type.custom(Stamped.class, new StampedCodec(type)))
                : of(type);
    }

    public static CodecType<StableKey> ofKey(Type<Object> type) {
        return of(Type.custom(StableKey.class, new KeyCodec(type)));
    }

    /** How the records of a stream are serialized, for people to read. */
    public static String writtenBy(Type<Object> type, boolean stamped) {
        return !stamped && BASIC.contains(type.raw())
                ? "Flink's serializer"
                : type.codec().getClass().getSimpleName();
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
        BasicTypeInfo<T> basic = BasicTypeInfo.getInfoFor(type.raw());
        return BASIC.contains(type.raw()) && basic != null
                ? basic.createSerializer(config)
                : new CodecSerializer<>(type);
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
