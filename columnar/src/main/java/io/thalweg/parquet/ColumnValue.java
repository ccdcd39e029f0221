// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.columnar.ColumnType;
import io.thalweg.columnar.ColumnType.Kind;
import io.thalweg.columnar.Conversion;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/**
 * What the values of a column mean.
 *
 * @param meaning converts what is stored (a Boolean, a Long even for 32 bits, a Float, a Double or a byte[]) to the
 *     class that {@link
 *     ColumnType.Kind} names
 */
record ColumnValue(ColumnType type, Conversion meaning) {
    private static final long JULIAN_DAY_OF_1970 = 2_440_588;
    private static final long SECONDS_PER_DAY = 86_400;
    private static final long UNSIGNED_INT = 0xffff_ffffL;

    static ColumnValue of(PrimitiveType column) {
        String text = text(column);
        LogicalTypeAnnotation logical = column.getLogicalTypeAnnotation();
        if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
            return new ColumnValue(
                    new ColumnType(Kind.DECIMAL, decimal.getScale(), text),
                    value -> decimal(value, decimal.getScale()));
        }
        return switch (column.getPrimitiveTypeName()) {
            case BOOLEAN -> asStored(Kind.BOOLEAN, text);
            case FLOAT, DOUBLE -> asStored(Kind.FLOATING, text);
            case INT96 -> new ColumnValue(new ColumnType(Kind.OLD_INSTANT, text), value -> instant((byte[]) value));
            case INT32, INT64 -> ofInteger(logical, text);
            case BINARY, FIXED_LEN_BYTE_ARRAY -> ofBytes(logical, text);
        };
    }

    private static ColumnValue asStored(Kind kind, String text) {
        return new ColumnValue(new ColumnType(kind, text), value -> value);
    }

    private static ColumnValue ofInteger(LogicalTypeAnnotation logical, String text) {
        if (logical instanceof DateLogicalTypeAnnotation) {
            return asStored(Kind.DATE, text);
        }
        if (logical instanceof TimeLogicalTypeAnnotation time) {
            return new ColumnValue(new ColumnType(Kind.TIME, digits(time.getUnit()), text), value -> value);
        }
        if (logical instanceof TimestampLogicalTypeAnnotation timestamp) {
            Kind kind = timestamp.isAdjustedToUTC() ? Kind.INSTANT : Kind.LOCAL;
            return new ColumnValue(new ColumnType(kind, digits(timestamp.getUnit()), text), value -> value);
        }
        if (logical instanceof IntLogicalTypeAnnotation whole && !whole.isSigned()) {
            return new ColumnValue(
                    new ColumnType(Kind.WHOLE, text), value -> unsigned((Long) value, whole.getBitWidth()));
        }
        return asStored(Kind.WHOLE, text);
    }

    private static ColumnValue ofBytes(LogicalTypeAnnotation logical, String text) {
        if (logical instanceof UUIDLogicalTypeAnnotation) {
            return new ColumnValue(new ColumnType(Kind.TEXT, text), value -> uuid((byte[]) value));
        }
        if (logical instanceof StringLogicalTypeAnnotation
                || logical instanceof EnumLogicalTypeAnnotation
                || logical instanceof JsonLogicalTypeAnnotation) {
            return new ColumnValue(new ColumnType(Kind.TEXT, text), value -> Conversion.text((byte[]) value));
        }
        return asStored(Kind.BYTES, text);
    }

    private static String text(PrimitiveType column) {
        String stored = column.getPrimitiveTypeName().name().toLowerCase(Locale.ROOT);
        LogicalTypeAnnotation logical = column.getLogicalTypeAnnotation();
        return logical == null ? stored : stored + " " + logical;
    }

    private static int digits(TimeUnit unit) {
        return switch (unit) {
            case MILLIS -> 3;
            case MICROS -> 6;
            case NANOS -> 9;
        };
    }

    private static Object unsigned(long value, int bits) {
        if (bits < Long.SIZE) {
            return value & UNSIGNED_INT;
        }
        return value >= 0 ? value : new BigInteger(Long.toUnsignedString(value));
    }

    private static BigDecimal decimal(Object value, int scale) {
        return value instanceof Long number
                ? BigDecimal.valueOf(number, scale)
                : Conversion.decimal((byte[]) value, scale);
    }

    /** Nanoseconds of the day, and the Julian day. */
    private static Instant instant(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        long nanos = bytes.getLong();
        long day = bytes.getInt() & UNSIGNED_INT;
        return Instant.ofEpochSecond((day - JULIAN_DAY_OF_1970) * SECONDS_PER_DAY, nanos);
    }

    private static String uuid(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        return new UUID(bytes.getLong(), bytes.getLong()).toString();
    }
}
