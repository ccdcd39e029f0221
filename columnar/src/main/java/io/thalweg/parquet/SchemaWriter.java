// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

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
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** Makes the Parquet schema of a record class. */
final class SchemaWriter {
    /** A decimal of more digits does not fit a long. */
    private static final int LONG_DIGITS = 18;

    static final int DECIMAL_BYTES = 16;

    private final Writing writing;

    private SchemaWriter(Writing writing) {
        this.writing = writing;
    }

    /** @throws IllegalArgumentException if a record has no components */
    static MessageType schema(Struct struct, Writing writing) {
        return new MessageType(struct.shape().type().getSimpleName(), new SchemaWriter(writing).fields(struct));
    }

    private Type[] fields(Struct struct) {
        Type[] fields = new Type[struct.parts().size()];
        if (fields.length == 0) {
            throw new IllegalArgumentException("record " + struct.shape().type().getSimpleName()
                    + " has no components, and Parquet has no records without columns");
        }
        for (int i = 0; i < fields.length; i++) {
            fields[i] = field(struct.parts().get(i), struct.shape().names().get(i));
        }
        return fields;
    }

    private Type field(Part part, String name) {
        Repetition repetition = part.absent() == Absent.REFUSED ? Repetition.REQUIRED : Repetition.OPTIONAL;
        Declared declared = part.type();
        if (declared instanceof Struct struct) {
            return Types.buildGroup(repetition).addFields(fields(struct)).named(name);
        }
        if (declared instanceof Many many) {
            return Types.buildGroup(repetition)
                    .as(LogicalTypeAnnotation.listType())
                    .addField(Types.repeatedGroup()
                            .addField(field(many.element(), "element"))
                            .named("list"))
                    .named(name);
        }
        if (declared instanceof Table table) {
            return Types.buildGroup(repetition)
                    .as(LogicalTypeAnnotation.mapType())
                    .addField(Types.repeatedGroup()
                            .addField(value(String.class, Repetition.REQUIRED, "key"))
                            .addField(field(table.values(), "value"))
                            .named("key_value"))
                    .named(name);
        }
        return value(((Scalar) declared).column(), repetition, name);
    }

    private Type value(Class<?> type, Repetition repetition, String name) {
        PrimitiveTypeName stored = stored(type);
        return Types.primitive(stored, repetition)
                .length(stored == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY ? DECIMAL_BYTES : 0)
                .as(logical(type))
                .named(name);
    }

    private PrimitiveTypeName stored(Class<?> type) {
        if (type == Long.class || type == Instant.class || type == LocalDateTime.class || type == LocalTime.class) {
            return PrimitiveTypeName.INT64;
        }
        if (type == Integer.class || type == Short.class || type == Byte.class || type == LocalDate.class) {
            return PrimitiveTypeName.INT32;
        }
        if (type == Double.class) {
            return PrimitiveTypeName.DOUBLE;
        }
        if (type == Float.class) {
            return PrimitiveTypeName.FLOAT;
        }
        if (type == Boolean.class) {
            return PrimitiveTypeName.BOOLEAN;
        }
        if (type == BigDecimal.class || type == BigInteger.class) {
            return writing.precisionOf(type) <= LONG_DIGITS
                    ? PrimitiveTypeName.INT64
                    : PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
        }
        return PrimitiveTypeName.BINARY;
    }

    private @Nullable LogicalTypeAnnotation logical(Class<?> type) {
        TimeUnit unit = writing.timeDigits() == 6 ? TimeUnit.MICROS : TimeUnit.NANOS;
        if (type == Instant.class || type == LocalDateTime.class) {
            return LogicalTypeAnnotation.timestampType(type == Instant.class, unit);
        }
        if (type == LocalTime.class) {
            return LogicalTypeAnnotation.timeType(false, unit);
        }
        if (type == LocalDate.class) {
            return LogicalTypeAnnotation.dateType();
        }
        if (type == BigDecimal.class || type == BigInteger.class) {
            return LogicalTypeAnnotation.decimalType(writing.scaleOf(type), writing.precisionOf(type));
        }
        if (type == Short.class || type == Byte.class) {
            return LogicalTypeAnnotation.intType(type == Short.class ? Short.SIZE : Byte.SIZE);
        }
        boolean plain = Number.class.isAssignableFrom(type) || type == Boolean.class || type == byte[].class;
        return plain ? null : LogicalTypeAnnotation.stringType();
    }
}
