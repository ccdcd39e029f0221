// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a component holds, and the columns that take it. */
enum Kind {
    BOOLEAN("boolean", Set.of(Types.BOOLEAN, Types.BIT)),
    INTEGER(
            "whole number",
            Set.of(Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.DECIMAL)),
    DECIMAL("decimal number", Set.of(Types.REAL, Types.FLOAT, Types.DOUBLE, Types.NUMERIC, Types.DECIMAL)),
    EXACT("exact number", Set.of(Types.NUMERIC, Types.DECIMAL)),
    TEXT("text", Set.of(Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.CLOB)),
    UUID_("UUID", Set.of(Types.CHAR, Types.VARCHAR)),
    INSTANT("point in time", Set.of(Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE)),
    DATE("date", Set.of(Types.DATE)),
    TIME("time of day", Set.of(Types.TIME)),
    DATE_TIME("date and time", Set.of(Types.TIMESTAMP)),
    BYTES("bytes", Set.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB));

    final String words;
    private final Set<Integer> columns;

    Kind(String words, Set<Integer> columns) {
        this.words = words;
        this.columns = columns;
    }

    /** Null for a class that no column takes. */
    static @Nullable Kind of(Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return BOOLEAN;
        }
        if (Set.of(byte.class, short.class, int.class, long.class, Byte.class, Short.class, Integer.class, Long.class)
                .contains(type)) {
            return INTEGER;
        }
        if (Set.of(float.class, double.class, Float.class, Double.class).contains(type)) {
            return DECIMAL;
        }
        if (type == BigDecimal.class || type == BigInteger.class) {
            return EXACT;
        }
        if (type == String.class || type.isEnum() || type == char.class || type == Character.class) {
            return TEXT;
        }
        if (type == Instant.class || type == OffsetDateTime.class) {
            return INSTANT;
        }
        if (type == LocalDate.class) {
            return DATE;
        }
        if (type == LocalTime.class) {
            return TIME;
        }
        if (type == LocalDateTime.class) {
            return DATE_TIME;
        }
        if (type == UUID.class) {
            return UUID_;
        }
        return type == byte[].class ? BYTES : null;
    }

    /**
     * Types that JDBC has no number for, such as json and uuid, take text or refuse it row by row. So does a type of a user's own, of which
     * only the name is known.
     */
    boolean fits(int sqlType) {
        boolean unknown = sqlType == Types.OTHER || sqlType == Types.JAVA_OBJECT || sqlType == Types.SQLXML;
        return columns.contains(sqlType) || sqlType == Types.DISTINCT || (unknown && this != BOOLEAN && this != BYTES);
    }
}
