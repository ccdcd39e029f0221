// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.avro.binding.AvroValue;
import io.thalweg.columnar.ColumnValues;
import io.thalweg.columnar.Declared;
import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.Declared.Table;
import io.thalweg.columnar.Times;
import io.thalweg.files.output.TextOutput;
import io.thalweg.files.record.TextForm;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.avro.LogicalTypes.Decimal;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** Which classes fit which of Avro's types of single values, and how such values are written. */
final class AvroFit {
    private static final Set<Class<?>> WHOLE =
            Set.of(Long.class, Integer.class, Short.class, Byte.class, long.class, int.class, short.class, byte.class);
    private static final Set<Class<?>> FLOATING = Set.of(Double.class, Float.class, double.class, float.class);

    private AvroFit() {}

    static Misfit mismatch(Schema schema, Declared declared) {
        String what = declared instanceof Scalar scalar
                ? scalar.type().getSimpleName()
                : declared instanceof Struct struct
                        ? "record " + struct.shape().type().getSimpleName()
                        : declared instanceof Many ? "a list" : "a map";
        return new Misfit("its schema is " + AvroValue.text(schema) + ", and " + what + " is declared");
    }

    /** Whether what is declared fits, by its class alone; null fits anything. */
    static boolean declared(Schema schema, @Nullable Declared declared) {
        if (declared == null) {
            return true;
        }
        return switch (schema.getType()) {
            case RECORD -> declared instanceof Struct;
            case ARRAY -> declared instanceof Many;
            case MAP -> declared instanceof Table;
            case UNION, NULL -> false;
            default -> declared instanceof Scalar scalar && fits(schema, scalar.column());
        };
    }

    /**
     * The first type of a union that a value fits; -1 if none does.
     *
     * @param possible those that may be taken
     * @throws Misfit if it fits several records, enums or fixed types alike
     */
    static int branch(List<Schema> types, List<Integer> possible, Object value) {
        List<Integer> others = IntStream.range(0, types.size())
                .filter(i -> types.get(i).getType() != Schema.Type.NULL)
                .boxed()
                .toList();
        if (others.size() == 1) {
            return others.get(0); // which says what is wrong
        }
        List<Integer> taking =
                possible.stream().filter(i -> takes(types.get(i), value)).toList();
        return only(types, taking, value instanceof Map<?, ?> map ? map.keySet() : Set.of());
    }

    /**
     * The first of some types of a union, if there is no other of its kind; of several records the one whose fields are all given.
     *
     * @return -1 if there is none
     */
    static int only(List<Schema> types, List<Integer> some, Set<?> given) {
        if (some.isEmpty()) {
            return -1;
        }
        Schema.Type kind = types.get(some.get(0)).getType();
        List<Integer> alike =
                some.stream().filter(i -> types.get(i).getType() == kind).toList();
        List<Integer> exact = kind == Schema.Type.RECORD
                ? alike.stream()
                        .filter(i -> types.get(i).getFields().size() == given.size())
                        .toList()
                : alike;
        if (alike.size() > 1 && exact.size() != 1) {
            throw new Misfit("it fits several types of its union alike: "
                    + alike.stream().map(i -> types.get(i).getName()).toList());
        }
        return alike.size() == 1 ? alike.get(0) : exact.get(0);
    }

    private static boolean takes(Schema schema, Object value) {
        return switch (schema.getType()) {
            case RECORD -> value instanceof Record || (value instanceof Map<?, ?> map && hasFields(schema, map));
            case MAP -> value instanceof Map;
            case ARRAY -> value instanceof Collection;
            case ENUM ->
                (value instanceof Enum<?> constant && schema.hasEnumSymbol(constant.name()))
                        || (value instanceof String text && schema.hasEnumSymbol(text));
            case FIXED ->
                fits(schema, value.getClass()) && (!(value instanceof byte[] b) || b.length == schema.getFixedSize());
            case INT -> fits(schema, value.getClass()) && !(value instanceof Long);
            case FLOAT -> value instanceof Float;
            case DOUBLE -> value instanceof Double;
            case STRING -> value instanceof String || value instanceof UUID;
            case NULL, UNION -> false;
            default -> fits(schema, value.getClass());
        };
    }

    private static boolean hasFields(Schema schema, Map<?, ?> map) {
        return map.keySet().stream().allMatch(key -> schema.getField(String.valueOf(key)) != null);
    }

    private static boolean fits(Schema schema, Class<?> type) {
        String logical = logical(schema);
        return switch (schema.getType()) {
            case BOOLEAN -> type == Boolean.class || type == boolean.class;
            case INT, LONG ->
                switch (logical) {
                    case "date" -> type == LocalDate.class;
                    case "time-millis", "time-micros" -> type == LocalTime.class;
                    case "timestamp-millis", "timestamp-micros", "timestamp-nanos" ->
                        type == Instant.class || type == OffsetDateTime.class;
                    case "local-timestamp-millis", "local-timestamp-micros", "local-timestamp-nanos" ->
                        type == LocalDateTime.class;
                    default -> WHOLE.contains(type);
                };
            case FLOAT -> type == Float.class || type == float.class;
            case DOUBLE -> FLOATING.contains(type);
            case STRING -> type == String.class || TextForm.of(type) != null;
            case ENUM -> type.isEnum() || type == String.class;
            case BYTES, FIXED ->
                schema.getLogicalType() instanceof Decimal
                        ? type == BigDecimal.class || type == BigInteger.class
                        : type == byte[].class || (logical.equals("uuid") && type == UUID.class);
            default -> false;
        };
    }

    private static String logical(Schema schema) {
        return schema.getLogicalType() == null ? "" : schema.getLogicalType().getName();
    }

    /** As {@code @Pattern} and {@code @Epoch} say. */
    static Object formed(Scalar scalar, Object value) {
        if (scalar.form() != null) {
            return scalar.form().print().apply(value);
        }
        if (scalar.epoch() == null) {
            return value;
        }
        if (scalar.epoch().number((Instant) value) instanceof Long number) {
            return number;
        }
        throw new Misfit(value + " is finer than " + scalar.epoch().unit() + ", or out of their range");
    }

    static String text(String text) {
        if (TextOutput.firstUnpaired(text, 0) >= 0) {
            throw new Misfit("the text contains half a surrogate pair, which UTF-8 cannot encode");
        }
        return text;
    }

    static void write(Schema schema, Object value, Encoder out) throws IOException {
        Class<?> type = value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
        if (!fits(schema, type)) {
            throw new Misfit("its schema is " + AvroValue.text(schema) + ", and it is a " + type.getSimpleName());
        }
        switch (schema.getType()) {
            case BOOLEAN -> out.writeBoolean((Boolean) value);
            case INT -> out.writeInt((int) within(number(schema, value), Integer.MIN_VALUE, Integer.MAX_VALUE));
            case LONG -> out.writeLong(number(schema, value));
            case FLOAT -> out.writeFloat((Float) value);
            case DOUBLE -> out.writeDouble(((Number) value).doubleValue());
            case STRING ->
                out.writeString(text(value instanceof Enum<?> constant ? constant.name() : value.toString()));
            case ENUM -> {
                String symbol = value instanceof Enum<?> constant ? constant.name() : (String) value;
                if (!schema.hasEnumSymbol(symbol)) {
                    throw new Misfit("'" + symbol + "' is none of " + schema.getEnumSymbols());
                }
                out.writeEnum(schema.getEnumOrdinal(symbol));
            }
            case BYTES -> out.writeBytes(bytes(schema, value));
            case FIXED -> fixed(schema, value, out);
            default -> throw new IllegalStateException("no single value: " + schema);
        }
    }

    private static long within(long value, long least, long greatest) {
        if (value < least || value > greatest) {
            throw new Misfit(value + " is out of the range of int");
        }
        return value;
    }

    private static long number(Schema schema, Object value) {
        try {
            return switch (logical(schema)) {
                case "date" -> ((LocalDate) value).toEpochDay();
                case "time-millis" -> Times.units(((LocalTime) value).toNanoOfDay(), 3);
                case "time-micros" -> Times.units(((LocalTime) value).toNanoOfDay(), 6);
                case "timestamp-millis", "local-timestamp-millis" -> Times.units(instant(value), 3);
                case "timestamp-micros", "local-timestamp-micros" -> Times.units(instant(value), 6);
                case "timestamp-nanos", "local-timestamp-nanos" -> Times.units(instant(value), 9);
                default -> ((Number) value).longValue();
            };
        } catch (ArithmeticException | DateTimeException e) {
            throw new Misfit(
                    value + " is out of range, or finer than the unit of " + logical(schema) + "; truncate it");
        }
    }

    private static Instant instant(Object value) {
        return value instanceof OffsetDateTime time
                ? time.toInstant()
                : value instanceof LocalDateTime local ? local.toInstant(ZoneOffset.UTC) : (Instant) value;
    }

    private static byte[] bytes(Schema schema, Object value) {
        if (!(schema.getLogicalType() instanceof Decimal decimal)) {
            return value instanceof UUID uuid
                    ? ByteBuffer.allocate(16)
                            .putLong(uuid.getMostSignificantBits())
                            .putLong(uuid.getLeastSignificantBits())
                            .array()
                    : (byte[]) value;
        }
        BigDecimal number = value instanceof BigInteger whole ? new BigDecimal(whole) : (BigDecimal) value;
        BigDecimal scaled = ColumnValues.scaled(number, decimal.getPrecision(), decimal.getScale());
        if (scaled != null) {
            return scaled.unscaledValue().toByteArray();
        }
        throw new Misfit(OneLine.of(number.toString()) + " does not fit a decimal of " + decimal.getPrecision()
                + " digits, " + decimal.getScale() + " of them after the point");
    }

    private static void fixed(Schema schema, Object value, Encoder out) throws IOException {
        byte[] bytes = bytes(schema, value);
        int size = schema.getFixedSize();
        if (schema.getLogicalType() instanceof Decimal && bytes.length < size) {
            byte[] longer = new byte[size];
            Arrays.fill(longer, 0, size - bytes.length, (byte) (bytes[0] < 0 ? -1 : 0));
            System.arraycopy(bytes, 0, longer, size - bytes.length, bytes.length);
            bytes = longer;
        }
        if (bytes.length != size) {
            throw new Misfit("it has " + bytes.length + " bytes, and its schema " + size);
        }
        out.writeFixed(bytes);
    }
}
