// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Suggestion;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes a record of a row that a query has found, each component from the column of its name. Records without nested ones. */
record ResultRecord<R>(Constructor<R> constructor, List<Class<?>> types, List<String> names) {
    /** Of a column without a time zone, to which the sink writes points in time as UTC. */
    private static final Pattern LOCAL = Pattern.compile("\\d{4}-\\d\\d-\\d\\d[ T][\\d:.]+");

    static <R> ResultRecord<R> of(Class<R> type) {
        Fields fields = Fields.of(type);
        RecordComponent[] components = type.getRecordComponents();
        if (fields.all().size() != components.length
                || Arrays.stream(components)
                        .anyMatch(each -> each.getType().isRecord() || each.getType() == java.util.Optional.class)) {
            throw new IllegalArgumentException("record " + type.getSimpleName()
                    + " holds others or Optionals, and a row of a lookup is flat; declare a record with plain types");
        }
        List<Class<?>> types =
                fields.all().stream().<Class<?>>map(Fields.Field::type).toList();
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(types.toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return new ResultRecord<>(constructor, types, fields.names());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    R make(ResultSet row, String sql) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        @Nullable Object[] values = new @Nullable Object[names.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(row, column(columns, names.get(i), sql), i);
        }
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int column(ResultSetMetaData columns, String name, String sql) throws SQLException {
        List<String> labels = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            labels.add(columns.getColumnLabel(i));
        }
        for (UnaryOperator<String> rule : Table.NAMES) {
            int[] found = IntStream.range(0, labels.size())
                    .filter(i -> rule.apply(labels.get(i)).equals(rule.apply(name)))
                    .toArray();
            if (found.length > 1) {
                throw new ConnectorException("the lookup \"" + sql + "\" gives two columns for " + name + ": "
                        + labels.get(found[0]) + " and " + labels.get(found[1]) + ", columns " + (found[0] + 1)
                        + " and " + (found[1] + 1) + "; name one of them otherwise, with AS");
            }
            if (found.length == 1) {
                return found[0] + 1;
            }
        }
        throw new ConnectorException(
                "the lookup \"" + sql + "\" gives no column " + name + Suggestion.of(name, labels));
    }

    private @Nullable Object value(ResultSet row, int column, int component) throws SQLException {
        Class<?> type = types.get(component);
        if (row.getObject(column) == null) {
            if (type.isPrimitive()) {
                throw new ConnectorException(
                        "column " + names.get(component) + " of a lookup is null, and the component is "
                                + type.getSimpleName() + "; declare it as a class");
            }
            return null;
        }
        try {
            return type == byte[].class ? row.getBytes(column) : of(row, column, type);
        } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
            throw new ConnectorException("column " + names.get(component) + " of a lookup is " + row.getString(column)
                    + ", which is no " + type.getSimpleName());
        }
    }

    /** @throws IllegalArgumentException if the value is no such thing; also ArithmeticException, DateTimeException */
    private static Object of(ResultSet row, int column, Class<?> type) throws SQLException {
        if (type == long.class || type == Long.class) {
            return number(row, column).longValueExact();
        }
        if (type == int.class || type == Integer.class) {
            return number(row, column).intValueExact();
        }
        if (type == short.class || type == Short.class) {
            return number(row, column).shortValueExact();
        }
        if (type == byte.class || type == Byte.class) {
            return number(row, column).byteValueExact();
        }
        if (type == double.class || type == Double.class) {
            return fraction(row, column, false);
        }
        if (type == float.class || type == Float.class) {
            return fraction(row, column, true);
        }
        if (type == boolean.class || type == Boolean.class) {
            return truth(row, column);
        }
        if (type == BigDecimal.class) {
            return number(row, column);
        }
        return type == BigInteger.class ? number(row, column).toBigIntegerExact() : ofText(row, column, type);
    }

    /** Drivers cut what does not fit, and SQLite's takes any text for 0. */
    private static BigDecimal number(ResultSet row, int column) throws SQLException {
        return new BigDecimal(row.getObject(column).toString().strip());
    }

    /**
     * A Double, or if it is to be single, a Float. Of a number with digits after the point it is the nearest. A whole one it must hold, or
     * else be what the sink has written as these digits.
     */
    private static Number fraction(ResultSet row, int column, boolean single) throws SQLException {
        Object found = row.getObject(column);
        boolean floating = found instanceof Double || found instanceof Float;
        double value = floating
                ? ((Number) found).doubleValue()
                : Double.parseDouble(found.toString().strip());
        Number held = single ? (Number) (float) value : (Number) value;
        boolean exact = found instanceof Number && !floating;
        if (Double.isInfinite(held.doubleValue()) && (exact || !Double.isInfinite(value))) {
            throw new ArithmeticException("out of range");
        }
        if (exact) {
            BigDecimal number = number(row, column);
            boolean whole = number.stripTrailingZeros().scale() <= 0;
            boolean same = number.compareTo(new BigDecimal(held.doubleValue())) == 0;
            boolean written = found instanceof BigDecimal && number.compareTo(new BigDecimal(held.toString())) == 0;
            if (whole && !same && !written) {
                throw new ArithmeticException("rounded");
            }
        }
        return held;
    }

    private static boolean truth(ResultSet row, int column) throws SQLException {
        if (!(row.getObject(column) instanceof String text)) {
            return row.getBoolean(column);
        }
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "t", "yes", "y", "on", "1" -> true;
            case "false", "f", "no", "n", "off", "0" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    /** Times as the driver has them, or as the text that SQLite keeps. */
    private static Object ofText(ResultSet row, int column, Class<?> type) throws SQLException {
        String text = row.getString(column);
        if (type == String.class) {
            return text;
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(each -> ((Enum<?>) each).name().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(text));
        }
        if (type == char.class || type == Character.class) {
            if (text.length() != 1) {
                throw new IllegalArgumentException(text);
            }
            return text.charAt(0);
        }
        if (type == UUID.class) {
            UUID uuid = UUID.fromString(text);
            if (!uuid.toString().equalsIgnoreCase(text)) { // the JDK leaves digits out
                throw new IllegalArgumentException(text);
            }
            return uuid;
        }
        if (type == LocalDate.class) {
            return LocalDate.parse(text);
        }
        if (type == LocalTime.class) {
            return LocalTime.parse(text);
        }
        if (text.endsWith("Z") && (type == Instant.class || type == OffsetDateTime.class)) {
            Instant instant = Instant.parse(text);
            return type == Instant.class ? instant : instant.atOffset(ZoneOffset.UTC);
        }
        if (type == LocalDateTime.class) {
            return LocalDateTime.parse(text.replace(' ', 'T'));
        }
        OffsetDateTime time = LOCAL.matcher(text).matches()
                ? LocalDateTime.parse(text.replace(' ', 'T')).atOffset(ZoneOffset.UTC)
                : row.getObject(column, OffsetDateTime.class);
        if (time.equals(OffsetDateTime.MAX) || time.equals(OffsetDateTime.MIN)) {
            throw new DateTimeException(text); // infinity in PostgreSQL
        }
        return type == Instant.class ? time.toInstant() : time;
    }
}
