// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.avro.binding.AvroValue;
import io.thalweg.columnar.ColumnType;
import io.thalweg.columnar.Times;
import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.TextForm;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Turns what Avro's library reads into classes of the JDK. */
final class AvroMaps {
    private static final TextForm UUIDS = Objects.requireNonNull(TextForm.of(UUID.class));

    private AvroMaps() {}

    static @Nullable Object value(Schema schema, @Nullable Object read) {
        if (read == null) {
            return null;
        }
        return switch (schema.getType()) {
            case RECORD -> {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                for (Schema.Field field : schema.getFields()) {
                    fields.put(field.name(), value(field.schema(), ((IndexedRecord) read).get(field.pos())));
                }
                yield fields;
            }
            case ARRAY -> {
                List<@Nullable Object> elements = new ArrayList<>();
                ((Collection<?>) read).forEach(each -> elements.add(value(schema.getElementType(), each)));
                yield elements;
            }
            case MAP -> {
                Map<String, @Nullable Object> entries = new LinkedHashMap<>();
                ((Map<?, ?>) read)
                        .forEach((key, each) -> entries.put(AvroValue.key(key), value(schema.getValueType(), each)));
                yield entries;
            }
            case UNION -> value(schema.getTypes().get(GenericData.get().resolveUnion(schema, read)), read);
            case NULL -> null;
            default -> single(schema, read);
        };
    }

    private static Object single(Schema schema, Object read) {
        AvroValue meant = AvroValue.of(schema);
        if (meant == null) {
            throw new IllegalStateException("no single value: " + schema);
        }
        ColumnType type = meant.type();
        if (type.kind() == ColumnType.Kind.WHOLE || type.kind() == ColumnType.Kind.FLOATING) {
            return read; // an Integer stays one
        }
        Object value = meant.meaning().convert(read);
        LogicalType logical = schema.getLogicalType();
        try {
            return switch (type.kind()) {
                case DATE -> LocalDate.ofEpochDay((Long) value);
                case TIME -> LocalTime.ofNanoOfDay(Math.multiplyExact((Long) value, Times.nanosPerUnit(type.digits())));
                case INSTANT -> Times.instant((Long) value, type.digits());
                case LOCAL -> LocalDateTime.ofInstant(Times.instant((Long) value, type.digits()), ZoneOffset.UTC);
                case TEXT -> logical != null && logical.getName().equals("uuid") ? uuid((String) value) : value;
                default -> value;
            };
        } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
            throw new MalformedException(
                    "a value of type " + type.text() + " is out of range or malformed: " + value, 0);
        }
    }

    private static UUID uuid(String text) {
        if (UUIDS.parse(text) instanceof UUID uuid) {
            return uuid;
        }
        throw new IllegalArgumentException(text);
    }
}
