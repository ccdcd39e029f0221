// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.temporal.ChronoField;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What databases and their drivers do to a value without a word. In a key, two values could become one. */
final class KeyColumn {
    private static final int NANO_DIGITS = 9;
    static final int MICRO_DIGITS = 6;

    /** Of the 11 bits in which PostgreSQL has a scale, which may be negative. */
    private static final int SCALES = 1 << 11;

    /** Decimals of so many digits are different doubles. */
    private static final int DIGITS_OF_DOUBLE = 15;

    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*");
    private static final Pattern PLAIN_NUMBER = Pattern.compile("-?\\d{1,30}(\\.\\d{1,30})?");

    private KeyColumn() {}

    /** What a column keeps of such values, if it would store another one for this one; empty if it keeps it as it is. */
    static String kept(Object value, Table.Column column, Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> ofPostgreSql(value, column);
            case DUCKDB -> ofDuckDb(value, column);
            case SQLITE -> ofSqlite(value, column.typeName().toUpperCase(Locale.ROOT));
            case OTHER -> "";
        };
    }

    private static String ofPostgreSql(Object value, Table.Column column) {
        return switch (column.typeName()) {
            case "timestamp", "timestamptz", "time", "timetz" -> ofTime(value, column.digits());
            case "numeric" -> column.size() == 0 ? "" : ofDecimal(value, column.digits()); // else it is of any size
            case "float4" -> ofSingle(value);
            case "bpchar" -> isText(value) && value.toString().endsWith(" ") ? "no spaces at the end" : "";
            case "varchar" -> isText(value) ? ofLength(value.toString(), column.size()) : "";
            default -> "";
        };
    }

    private static String ofDuckDb(Object value, Table.Column column) {
        String type = column.typeName();
        if (type.startsWith("DECIMAL")) {
            return ofDecimal(value, column.digits());
        }
        if (type.equals("FLOAT")) {
            return ofSingle(value);
        }
        int digits =
                type.endsWith("_NS") ? NANO_DIGITS : type.endsWith("_MS") ? 3 : type.endsWith("_S") ? 0 : MICRO_DIGITS;
        return ofTime(value, digits);
    }

    private static String ofTime(Object value, int digits) {
        if (!isFiner(value, digits)) {
            return "";
        }
        return digits == 0 ? "whole seconds" : digits + " digits of a second";
    }

    /** True for a time with more digits of a second than these. */
    static boolean isFiner(Object value, int digits) {
        int unit = 1;
        for (int i = digits; i < NANO_DIGITS; i++) {
            unit *= 10;
        }
        return value instanceof Temporal time
                && time.isSupported(ChronoField.NANO_OF_SECOND)
                && time.get(ChronoField.NANO_OF_SECOND) % unit != 0;
    }

    private static String ofDecimal(Object value, int digits) {
        BigDecimal number = decimal(value);
        int scale = digits < SCALES / 2 ? digits : digits - SCALES;
        return number != null && number.stripTrailingZeros().scale() > scale ? scale + " digits after the point" : "";
    }

    /** As {@link RowStatement#converted} writes it; null if it is no number, or not finite. */
    private static @Nullable BigDecimal decimal(Object value) {
        if (value instanceof BigInteger whole) {
            return new BigDecimal(whole);
        }
        boolean finite = value instanceof Number number && Double.isFinite(number.doubleValue());
        return value instanceof BigDecimal exact ? exact : finite ? new BigDecimal(value.toString()) : null;
    }

    private static String ofSingle(Object value) {
        boolean rounded = value instanceof Double number
                && Double.isFinite(number)
                && Double.compare(number.floatValue(), number) != 0;
        return rounded ? "a float" : "";
    }

    private static boolean isText(Object value) {
        return value instanceof String || value instanceof Character || value instanceof Enum<?>;
    }

    /** PostgreSQL cuts spaces off that are too many. */
    private static String ofLength(String text, int most) {
        boolean cut = text.codePointCount(0, text.length()) > most
                && text.substring(text.offsetByCodePoints(0, most)).isBlank();
        return cut ? most + " characters" : "";
    }

    /** SQLite converts values by what their column is declared as. */
    private static String ofSqlite(Object value, String type) {
        boolean whole = type.contains("INT");
        boolean asItIs = type.isEmpty()
                || List.of("CHAR", "CLOB", "TEXT", "BLOB").stream().anyMatch(type::contains);
        if (!whole && asItIs) {
            return "";
        }
        boolean real = !whole && List.of("REAL", "FLOA", "DOUB").stream().anyMatch(type::contains);
        if (isText(value)) {
            return madeANumber(value.toString(), real) ? "numbers, and makes one of such a text" : "";
        }
        BigDecimal number = value instanceof Double || value instanceof Float ? null : decimal(value);
        return number == null || keptAsNumber(number, real) ? "" : DIGITS_OF_DOUBLE + " digits of such a number";
    }

    /** Other texts may become the same number, such as 007 and 7. */
    private static boolean madeANumber(String text, boolean real) {
        boolean alone = PLAIN_NUMBER.matcher(text).matches()
                && keptAsNumber(new BigDecimal(text), real)
                && new BigDecimal(text).stripTrailingZeros().toPlainString().equals(text);
        return !alone && NUMBER.matcher(text).matches();
    }

    /** As an integer of 64 bits, or as a double. */
    private static boolean keptAsNumber(BigDecimal number, boolean real) {
        if (!real && number.scale() == 0 && number.unscaledValue().bitLength() < Long.SIZE) {
            return true;
        }
        double near = number.doubleValue();
        boolean inRange = Double.isFinite(near) && (near != 0 || number.signum() == 0);
        return inRange
                && (number.stripTrailingZeros().precision() <= DIGITS_OF_DOUBLE
                        || (number.scale() == 0 && Math.abs(near) < 1L << 53));
    }
}
