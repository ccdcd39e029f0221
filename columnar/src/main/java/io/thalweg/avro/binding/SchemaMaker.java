// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro.binding;

import io.thalweg.columnar.Declared;
import io.thalweg.columnar.Declared.Absent;
import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Part;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.Declared.Table;
import io.thalweg.columnar.Writing;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Makes the schema that records of a class are written with. */
public final class SchemaMaker {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Writing writing;
    /** A name may be given once. */
    private final Map<Class<?>, Schema> named = new HashMap<>();

    private final Map<String, Class<?>> byName = new HashMap<>();

    private SchemaMaker(Writing writing) {
        this.writing = writing;
    }

    /**
     * The schema of a record class.
     *
     * @throws IllegalArgumentException if Avro has no such name, or two classes would have the same one
     */
    public static Schema of(Struct struct, Writing writing) {
        return new SchemaMaker(writing).struct(struct);
    }

    private Schema struct(Struct struct) {
        Class<?> type = struct.shape().type();
        Schema known = named.get(type);
        if (known != null) {
            return known;
        }
        List<Schema.Field> fields = new ArrayList<>();
        for (int i = 0; i < struct.parts().size(); i++) {
            String name = struct.shape().names().get(i);
            if (!NAME.matcher(name).matches()) {
                throw struct.shape()
                        .unreadable(
                                i,
                                "Avro has no names such as '" + name
                                        + "'; they consist of ASCII letters, digits and _");
            }
            fields.add(new Schema.Field(name, part(struct.parts().get(i))));
        }
        Schema schema = Schema.createRecord(name(type), null, type.getPackageName(), false, fields);
        named.put(type, schema);
        return schema;
    }

    private String name(Class<?> type) {
        String name = type.getName()
                .substring(
                        type.getPackageName().isEmpty()
                                ? 0
                                : type.getPackageName().length() + 1)
                .replace('$', '_');
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Avro has no names such as that of " + type.getName()
                    + "; they consist of ASCII letters, digits and _");
        }
        Class<?> other = byName.put(type.getPackageName() + '.' + name, type);
        if (other != null) {
            throw new IllegalArgumentException(other.getName() + " and " + type.getName()
                    + " would have the same name in Avro, " + name + "; rename one of them");
        }
        return name;
    }

    private Schema part(Part part) {
        Schema schema = schema(part.type());
        return part.absent() == Absent.REFUSED ? schema : Schema.createUnion(Schema.create(Schema.Type.NULL), schema);
    }

    private Schema schema(Declared declared) {
        if (declared instanceof Struct struct) {
            return struct(struct);
        }
        if (declared instanceof Many many) {
            return Schema.createArray(part(many.element()));
        }
        if (declared instanceof Table table) {
            return Schema.createMap(part(table.values()));
        }
        return value(((Scalar) declared).column());
    }

    private Schema value(Class<?> type) {
        boolean micros = writing.timeDigits() == 6;
        if (type == Instant.class) {
            return logical(micros ? LogicalTypes.timestampMicros() : LogicalTypes.timestampNanos(), Schema.Type.LONG);
        }
        if (type == LocalDateTime.class) {
            return logical(
                    micros ? LogicalTypes.localTimestampMicros() : LogicalTypes.localTimestampNanos(),
                    Schema.Type.LONG);
        }
        if (type == LocalTime.class) {
            // Avro has no type for nanoseconds of a day, so they are written as text.
            return micros ? logical(LogicalTypes.timeMicros(), Schema.Type.LONG) : Schema.create(Schema.Type.STRING);
        }
        if (type == LocalDate.class) {
            return logical(LogicalTypes.date(), Schema.Type.INT);
        }
        if (type == BigDecimal.class || type == BigInteger.class) {
            return logical(LogicalTypes.decimal(writing.precisionOf(type), writing.scaleOf(type)), Schema.Type.BYTES);
        }
        return type.isEnum() ? ofEnum(type) : Schema.create(plain(type));
    }

    private static Schema logical(org.apache.avro.LogicalType logical, Schema.Type stored) {
        return logical.addToSchema(Schema.create(stored));
    }

    private Schema ofEnum(Class<?> type) {
        return named.computeIfAbsent(type, unnamed -> {
            List<String> constants = Stream.of(type.getEnumConstants())
                    .map(constant -> ((Enum<?>) constant).name())
                    .toList();
            for (String constant : constants) {
                if (!NAME.matcher(constant).matches()) {
                    throw new IllegalArgumentException("Avro has no names such as " + type.getSimpleName() + "."
                            + constant + "; they consist of ASCII letters, digits and _");
                }
            }
            return Schema.createEnum(name(type), null, type.getPackageName(), constants);
        });
    }

    private static Schema.Type plain(Class<?> type) {
        if (type == Long.class) {
            return Schema.Type.LONG;
        }
        if (type == Integer.class || type == Short.class || type == Byte.class) {
            return Schema.Type.INT;
        }
        if (type == Double.class) {
            return Schema.Type.DOUBLE;
        }
        if (type == Float.class) {
            return Schema.Type.FLOAT;
        }
        if (type == Boolean.class) {
            return Schema.Type.BOOLEAN;
        }
        return type == byte[].class ? Schema.Type.BYTES : Schema.Type.STRING;
    }
}
