// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.thalweg.files.record.TextForm;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Set;

/** Which classes fit which of Protobuf's types of single values. */
final class ProtoFit {
    private static final Set<Class<?>> WHOLE =
            Set.of(Long.class, Integer.class, Short.class, Byte.class, long.class, int.class, short.class, byte.class);

    private ProtoFit() {}

    static boolean fits(FieldDescriptor field, Class<?> type) {
        return switch (field.getType()) {
            case BOOL -> type == Boolean.class || type == boolean.class;
            case FLOAT -> type == Float.class || type == float.class;
            case DOUBLE ->
                Set.of(Float.class, float.class, Double.class, double.class).contains(type);
            case UINT64, FIXED64 -> WHOLE.contains(type) || type == BigInteger.class;
            case INT32, SINT32, SFIXED32, UINT32, FIXED32, INT64, SINT64, SFIXED64 -> WHOLE.contains(type);
            case STRING -> type == String.class || TextForm.of(type) != null;
            case BYTES -> type == byte[].class;
            case ENUM -> type.isEnum() || type == String.class;
            case MESSAGE -> wellKnown(field.getMessageType(), type);
            default -> false;
        };
    }

    private static boolean wellKnown(Descriptor message, Class<?> type) {
        return switch (message.getFullName()) {
            case "google.protobuf.Timestamp" -> type == Instant.class || type == OffsetDateTime.class;
            case "google.protobuf.Duration" -> type == Duration.class;
            default -> ProtoValue.isWrapper(message) && fits(message.findFieldByNumber(1), type);
        };
    }
}
