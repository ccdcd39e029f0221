// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.thalweg.columnar.Declared;
import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Part;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.Declared.Table;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes messages. */
@FunctionalInterface
interface ProtoPut {
    /** @throws Misfit if the value does not fit */
    byte[] bytes(Object value) throws Exception;

    /**
     * What makes messages of records, or of maps.
     *
     * @throws Misfit if a component has no field, or one of another type
     */
    static ProtoPut of(Descriptor message, @Nullable Struct struct) {
        Field made = struct == null ? value -> map(message, value) : struct(message, struct);
        return value -> ((DynamicMessage) made.value(value)).toByteArray();
    }

    /**
     * The bytes of an object of a class that Protobuf has generated.
     *
     * @throws Misfit if the library would write another text
     */
    static byte[] generated(Message message) {
        byte[] bytes = message.toByteArray();
        for (byte each : bytes) {
            if (each == '?') { // which half a surrogate pair would become
                checkTexts(message);
                break;
            }
        }
        return bytes;
    }

    private static void checkTexts(Message message) {
        message.getAllFields().forEach((field, value) -> {
            try {
                for (Object each : field.isRepeated() ? (List<?>) value : List.of(value)) {
                    if (each instanceof String text) {
                        AvroFit.text(text);
                    } else if (each instanceof Message inner) {
                        checkTexts(inner);
                    }
                }
            } catch (Misfit e) {
                throw e.in(field.getName());
            }
        });
    }

    /** Makes what the library takes for a field, or one element of it. */
    @FunctionalInterface
    interface Field {
        Object value(Object value) throws Exception;
    }

    /** A component's place. */
    record Place(int component, Part part, FieldDescriptor field, Field made) {}

    private static Field struct(Descriptor message, Struct struct) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < struct.parts().size(); i++) {
            String name = struct.shape().names().get(i);
            Part part = struct.parts().get(i);
            FieldDescriptor field = ProtoProjection.field(message, name);
            if (field == null) {
                throw new Misfit("message " + message.getFullName() + " has no field for it").in(name);
            }
            if (places.stream().anyMatch(place -> place.field.equals(field))) {
                throw twice(field).in(name);
            }
            places.add(new Place(i, part, field, Misfit.within(name, () -> whole(field, part.type()))));
        }
        return record -> {
            DynamicMessage.Builder builder = DynamicMessage.newBuilder(message);
            for (Place place : places) {
                Object value = place.part.given(struct.shape().value(record, place.component));
                if (value == null) {
                    continue; // absent
                }
                try {
                    checkOneof(builder, place.field);
                    builder.setField(place.field, place.made.value(value));
                } catch (Misfit e) {
                    throw e.in(struct.shape().names().get(place.component));
                }
            }
            return build(builder);
        };
    }

    private static Misfit twice(FieldDescriptor field) {
        return new Misfit(
                "another one is written to its field, " + field.getName() + " = " + field.getNumber() + ", too");
    }

    /** The library would take the other field of the oneof away. */
    private static void checkOneof(DynamicMessage.Builder builder, FieldDescriptor field) {
        OneofDescriptor oneof = field.getContainingOneof();
        if (oneof != null && builder.hasOneof(oneof)) {
            throw new Misfit("'" + builder.getOneofFieldDescriptor(oneof).getName()
                    + "' has a value, too, and both are of the oneof '" + oneof.getName()
                    + "', of which a message has one");
        }
    }

    private static DynamicMessage build(DynamicMessage.Builder builder) {
        if (!builder.isInitialized()) {
            throw new Misfit("required fields are missing: " + builder.getInitializationErrorString());
        }
        return builder.build();
    }

    private static DynamicMessage map(Descriptor message, Object value) throws Exception {
        if (!(value instanceof Map<?, ?> map)) {
            throw new Misfit("a map is expected, found " + value.getClass().getSimpleName());
        }
        DynamicMessage.Builder builder = DynamicMessage.newBuilder(message);
        Set<FieldDescriptor> given = new HashSet<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String name = String.valueOf(entry.getKey());
            FieldDescriptor field = ProtoProjection.field(message, name);
            if (field == null) {
                throw new Misfit("message " + message.getFullName() + " has no field for it").in(name);
            }
            try {
                if (entry.getValue() != null) {
                    if (!given.add(field)) {
                        throw twice(field);
                    }
                    checkOneof(builder, field);
                    builder.setField(field, whole(field, null).value(entry.getValue()));
                }
            } catch (Misfit e) {
                throw e.in(name);
            }
        }
        return build(builder);
    }

    private static Field whole(FieldDescriptor field, @Nullable Declared declared) {
        if (field.isMapField()) {
            return entries(field, declared);
        }
        if (!field.isRepeated()) {
            return single(field, declared);
        }
        if (declared != null && !(declared instanceof Many)) {
            throw new Misfit("its field is repeated, and no list is declared");
        }
        Many many = (Many) declared;
        Field element = single(field, many == null ? null : many.element().type());
        return value -> {
            if (many == null && !(value instanceof Collection)) {
                throw new Misfit("a list is expected, found " + value.getClass().getSimpleName());
            }
            Collection<?> elements = many == null ? (Collection<?>) value : many.elements(value);
            List<Object> made = new ArrayList<>();
            for (Object each : elements) {
                made.add(
                        element.value(given(many == null ? each : many.element().given(each))));
            }
            return made;
        };
    }

    private static Object given(@Nullable Object value) {
        if (value == null) {
            throw new Misfit("an element is null, which Protobuf does not have");
        }
        return value;
    }

    private static Field entries(FieldDescriptor field, @Nullable Declared declared) {
        if (declared != null && !(declared instanceof Table)) {
            throw new Misfit("its field is a map, and no map is declared");
        }
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
        Table table = (Table) declared;
        if (key.getType() != FieldDescriptor.Type.STRING) {
            throw new Misfit("its field is a map with other keys than texts");
        }
        Field made = single(value, table == null ? null : table.values().type());
        return held -> {
            if (!(held instanceof Map<?, ?> map)) {
                throw new Misfit("a map is expected, found " + held.getClass().getSimpleName());
            }
            List<Object> entries = new ArrayList<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                Object each = table == null ? entry.getValue() : table.values().given(entry.getValue());
                if (!(entry.getKey() instanceof String name)) {
                    throw new Misfit("a key of the map is no text");
                }
                entries.add(DynamicMessage.newBuilder(field.getMessageType())
                        .setField(key, AvroFit.text(name))
                        .setField(value, made.value(given(each)))
                        .build());
            }
            return entries;
        };
    }

    private static Field single(FieldDescriptor field, @Nullable Declared declared) {
        boolean message = field.getType() == FieldDescriptor.Type.MESSAGE;
        if (message && ProtoValue.of(field) == null) {
            if (declared == null) {
                return value -> map(field.getMessageType(), value);
            }
            if (declared instanceof Struct struct) {
                return struct(field.getMessageType(), struct);
            }
            throw new Misfit(
                    "its field is a message " + field.getMessageType().getFullName() + ", and no record is declared");
        }
        if (message && declared instanceof Struct struct) {
            return struct(field.getMessageType(), struct);
        }
        if (declared == null) {
            return value -> scalar(field, value);
        }
        if (!(declared instanceof Scalar scalar) || !ProtoFit.fits(field, scalar.column())) {
            throw new Misfit("its field is " + field.getType().name().toLowerCase(Locale.ROOT)
                    + ", and that does not fit what is declared");
        }
        return value -> scalar(field, AvroFit.formed(scalar, value));
    }

    private static Object scalar(FieldDescriptor field, Object value) {
        Class<?> type = value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
        if (!ProtoFit.fits(field, type)) {
            throw new Misfit("its field is " + field.getType().name().toLowerCase(Locale.ROOT) + ", and it is a "
                    + type.getSimpleName());
        }
        return switch (field.getType()) {
            case BOOL -> value;
            case FLOAT -> value;
            case DOUBLE -> ((Number) value).doubleValue();
            case INT32, SINT32, SFIXED32 -> (int) within(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT32, FIXED32 -> (int) within(value, 0, (1L << 32) - 1);
            case INT64, SINT64, SFIXED64 -> ((Number) value).longValue();
            case UINT64, FIXED64 -> unsigned(value);
            case STRING -> AvroFit.text(value instanceof Enum<?> constant ? constant.name() : value.toString());
            case BYTES -> ByteString.copyFrom((byte[]) value);
            case ENUM -> constant(field, value instanceof Enum<?> each ? each.name() : (String) value);
            case MESSAGE -> wellKnown(field.getMessageType(), value);
            default -> throw new Misfit("groups are not written");
        };
    }

    private static long within(Object value, long least, long greatest) {
        long number = ((Number) value).longValue();
        if (number < least || number > greatest) {
            throw new Misfit(value + " is out of the range of its field");
        }
        return number;
    }

    private static long unsigned(Object value) {
        BigInteger number = value instanceof BigInteger big ? big : BigInteger.valueOf(((Number) value).longValue());
        if (number.signum() < 0 || number.bitLength() > Long.SIZE) {
            throw new Misfit(value + " is out of the range of its field");
        }
        return number.longValue();
    }

    private static EnumValueDescriptor constant(FieldDescriptor field, String name) {
        EnumValueDescriptor found = field.getEnumType().findValueByName(name);
        if (found == null) {
            throw new Misfit("'" + name + "' is none of "
                    + field.getEnumType().getValues().stream()
                            .map(EnumValueDescriptor::getName)
                            .toList());
        }
        return found;
    }

    private static DynamicMessage wellKnown(Descriptor message, Object value) {
        DynamicMessage.Builder builder = DynamicMessage.newBuilder(message);
        if (ProtoValue.isWrapper(message)) {
            FieldDescriptor inside = message.findFieldByNumber(1);
            return builder.setField(inside, scalar(inside, value)).build();
        }
        Instant instant = value instanceof OffsetDateTime time
                ? time.toInstant()
                : value instanceof Instant other ? other : Instant.EPOCH;
        Duration duration = value instanceof Duration given ? given : Duration.ZERO;
        boolean isDuration = value instanceof Duration;
        // A negative duration has both parts negative.
        long seconds = isDuration ? duration.getSeconds() : instant.getEpochSecond();
        int nanos = isDuration ? duration.getNano() : instant.getNano();
        if (isDuration && seconds < 0 && nanos > 0) {
            seconds++;
            nanos -= 1_000_000_000;
        }
        return builder.setField(message.findFieldByNumber(1), seconds)
                .setField(message.findFieldByNumber(2), nanos)
                .build();
    }
}
