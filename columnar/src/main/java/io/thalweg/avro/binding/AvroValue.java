// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro.binding;

import io.thalweg.columnar.ColumnType;
import io.thalweg.columnar.ColumnType.Kind;
import io.thalweg.columnar.Conversion;
import io.thalweg.files.record.MalformedException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes.Decimal;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * What the values of a field mean.
 *
 * @param type which values they are
 * @param meaning converts what the library reads to the class that {@link ColumnType.Kind} names
 */
public record AvroValue(ColumnType type, Conversion meaning) {
    /** What the values of a schema mean; null if the schema is not that of a single value. */
    public static @Nullable AvroValue of(Schema schema) {
        LogicalType logical = schema.getLogicalType();
        String text = text(schema);
        return switch (schema.getType()) {
            case BOOLEAN -> asRead(Kind.BOOLEAN, text);
            case FLOAT, DOUBLE -> asRead(Kind.FLOATING, text);
            case INT, LONG -> new AvroValue(ofWhole(logical == null ? "" : logical.getName(), text), AvroValue::toLong);
            case STRING -> new AvroValue(new ColumnType(Kind.TEXT, text), value -> Conversion.text(bytes(value)));
            case ENUM -> new AvroValue(new ColumnType(Kind.TEXT, text), Object::toString);
            case BYTES, FIXED ->
                logical instanceof Decimal decimal
                        ? new AvroValue(
                                new ColumnType(Kind.DECIMAL, decimal.getScale(), text),
                                value -> Conversion.decimal(bytes(value), decimal.getScale()))
                        : logical != null && logical.getName().equals("uuid")
                                ? new AvroValue(new ColumnType(Kind.TEXT, text), value -> uuid(bytes(value)))
                                : new AvroValue(new ColumnType(Kind.BYTES, text), AvroValue::bytes);
            default -> null;
        };
    }

    /** The type in a few words, for messages. */
    public static String text(Schema schema) {
        LogicalType logical = schema.getLogicalType();
        return switch (schema.getType()) {
            case RECORD ->
                "a record of "
                        + schema.getFields().stream().map(Schema.Field::name).toList();
            case UNION ->
                "a union of " + schema.getTypes().stream().map(Schema::getName).toList();
            case ARRAY -> "an array";
            case MAP -> "a map";
            default -> schema.getType().getName() + (logical == null ? "" : " (" + logical.getName() + ")");
        };
    }

    /**
     * A key of a map as the library reads it.
     *
     * @throws MalformedException if it is no UTF-8
     */
    public static String key(Object read) {
        return Conversion.text(bytes(read));
    }

    private static AvroValue asRead(Kind kind, String text) {
        return new AvroValue(new ColumnType(kind, text), value -> value);
    }

    private static ColumnType ofWhole(String logical, String text) {
        return switch (logical) {
            case "date" -> new ColumnType(Kind.DATE, text);
            case "time-millis" -> new ColumnType(Kind.TIME, 3, text);
            case "time-micros" -> new ColumnType(Kind.TIME, 6, text);
            case "timestamp-millis" -> new ColumnType(Kind.INSTANT, 3, text);
            case "timestamp-micros" -> new ColumnType(Kind.INSTANT, 6, text);
            case "timestamp-nanos" -> new ColumnType(Kind.INSTANT, 9, text);
            case "local-timestamp-millis" -> new ColumnType(Kind.LOCAL, 3, text);
            case "local-timestamp-micros" -> new ColumnType(Kind.LOCAL, 6, text);
            case "local-timestamp-nanos" -> new ColumnType(Kind.LOCAL, 9, text);
            default -> new ColumnType(Kind.WHOLE, text);
        };
    }

    private static Object toLong(Object value) {
        return ((Number) value).longValue();
    }

    private static String uuid(byte[] bytes) {
        ByteBuffer both = ByteBuffer.wrap(bytes);
        return new UUID(both.getLong(), both.getLong()).toString();
    }

    private static byte[] bytes(Object value) {
        if (value instanceof Utf8 text) {
            byte[] bytes = new byte[text.getByteLength()];
            System.arraycopy(text.getBytes(), 0, bytes, 0, bytes.length);
            return bytes;
        }
        if (value instanceof GenericFixed fixed) {
            return fixed.bytes().clone();
        }
        ByteBuffer buffer = ((ByteBuffer) value).duplicate();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
