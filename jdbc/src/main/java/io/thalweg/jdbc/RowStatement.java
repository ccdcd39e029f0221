// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Suggestion;
import io.thalweg.api.operator.BadRecordException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The statement that writes a row, and how a record's values become its parameters. */
final class RowStatement {
    /** The first day of the calendar that java.sql.Date has two of. */
    private static final LocalDate GREGORIAN = LocalDate.of(1582, 10, 15);

    /** Before it, PostgreSQL's driver writes minus infinity. */
    private static final LocalDate FIRST_DAY = LocalDate.of(-4712, 1, 1);

    private static final Instant FIRST = FIRST_DAY.atStartOfDay(ZoneOffset.UTC).toInstant();

    /** DuckDB's driver counts the days of later ones from the other end. */
    private static final LocalDate LAST_OF_DUCKDB = LocalDate.of(5_881_580, 7, 10);

    /** Of DuckDB's decimals. */
    private static final int MOST_DIGITS = 38;

    private static final int LONGEST_TOLD = 60;

    private final Fields fields;
    private final Dialect dialect;
    private final String sql;

    /** Which field each parameter is. */
    private final int[] parameters;

    /** What each parameter is; null if nobody knows. */
    private final Table.@Nullable Column @Nullable [] columns;

    private final boolean[] keys;

    private RowStatement(
            Fields fields,
            Dialect dialect,
            String sql,
            int[] parameters,
            Table.@Nullable Column @Nullable [] columns,
            boolean[] keys) {
        this.fields = fields;
        this.dialect = dialect;
        this.sql = sql;
        this.parameters = parameters;
        this.columns = columns;
        this.keys = keys;
    }

    /** Looks at the table, or at the user's statement, and has the database prepare it. */
    static RowStatement of(Connection connection, Connecting connecting, Target target, Fields fields)
            throws SQLException {
        RowStatement made = target.table().isEmpty()
                ? given(connecting, target, fields)
                : made(connection, connecting, target, fields);
        Failures failures = new Failures(connecting);
        boolean explains = connecting.dialect() == Dialect.POSTGRESQL && made.columns != null;
        String trial = explains ? "explain " + made.sql : made.sql; // PostgreSQL looks at it only where it is to be run
        try (PreparedStatement statement = connection.prepareStatement(trial)) {
            if (explains) {
                made.bind(statement, new @Nullable Object[fields.all().size()]);
                statement.execute();
            }
            return made.columns == null ? made.withTypes(ParameterTypes.of(statement, connection, connecting)) : made;
        } catch (SQLException e) {
            if (failures.kind(e, connection) != Failures.Kind.FATAL && connecting.dialect() != Dialect.DUCKDB) {
                throw e;
            }
            String hint = target.upsert()
                    ? "; an upsert needs a primary key or a unique constraint on exactly " + target.keys()
                    : "";
            throw new ConnectorException(
                    "cannot write " + target.words() + " of " + connecting.place() + ": " + failures.reason(e) + hint,
                    null);
        }
    }

    private RowStatement withTypes(Table.@Nullable Column @Nullable [] types) {
        boolean known = types != null && types.length == parameters.length;
        return known ? new RowStatement(fields, dialect, sql, parameters, types, keys) : this;
    }

    private static RowStatement made(Connection connection, Connecting connecting, Target target, Fields fields)
            throws SQLException {
        Table table = Table.find(connection, connecting, target.table());
        Map<String, Table.Column> matched = table.match(fields, connecting, target.table());
        int size = fields.all().size();
        int[] inOrder = new int[size];
        Table.Column[] columns = new Table.Column[size];
        boolean[] keys = new boolean[size];
        Set<String> keyColumns = new LinkedHashSet<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String name = fields.all().get(i).name();
            Table.Column column = Objects.requireNonNull(matched.get(name));
            inOrder[i] = i;
            columns[i] = column;
            names.add(table.sqlName(column));
            keys[i] = target.keys().contains(name);
            if (keys[i]) {
                keyColumns.add(table.sqlName(column));
            }
        }
        String sql = target.upsert()
                ? Dialect.upsert(table.sqlName(), names, keyColumns)
                : Dialect.insert(table.sqlName(), names);
        return new RowStatement(fields, connecting.dialect(), sql, inOrder, columns, keys);
    }

    /** {@code :name} stands for a component. */
    private static RowStatement given(Connecting connecting, Target target, Fields fields) {
        List<Integer> order = new ArrayList<>();
        List<String> names = fields.names();
        String sql = NamedParameters.replace(target.statement(), name -> {
            int field = names.indexOf(name);
            if (field < 0) {
                throw new ConnectorException("the statement names :" + name + ", and record "
                        + fields.type().getSimpleName() + " has no such component" + Suggestion.of(name, names));
            }
            order.add(field);
        });
        int[] parameters = order.stream().mapToInt(Integer::intValue).toArray();
        return new RowStatement(fields, connecting.dialect(), sql, parameters, null, new boolean[names.size()]);
    }

    String sql() {
        return sql;
    }

    /**
     * The parameters for a record.
     *
     * @throws BadRecordException if a component of the key is null, or its column would keep another value, or the database has no
     *     such value
     */
    @Nullable Object[] row(Object record) throws Exception {
        @Nullable Object[] values = fields.values(record);
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            String name = fields.all().get(i).name();
            if (value == null && keys[i]) {
                throw new BadRecordException(
                        "component " + name + " is part of the key, and is null", String.valueOf(record));
            }
            if (value == null) {
                continue;
            }
            String unkept = unkept(value);
            if (!unkept.isEmpty()) {
                throw new BadRecordException("component " + name + " " + unkept, String.valueOf(record));
            }
            Table.Column column = keys[i] && columns != null ? columns[i] : null;
            String kept = column == null ? "" : KeyColumn.kept(value, column, dialect);
            if (column != null && !kept.isEmpty()) {
                throw new BadRecordException(
                        "component " + name + " is part of the key, and column " + column.name() + " ("
                                + column.typeName() + ") would store another value for '" + shortened(value)
                                + "': it keeps " + kept + "; change one of them",
                        String.valueOf(record));
            }
            try {
                values[i] = converted(value, null, dialect);
            } catch (DateTimeException e) {
                throw new BadRecordException(
                        "component " + name + " is " + value + ", which is out of range", String.valueOf(record));
            }
        }
        return values;
    }

    /** What the driver would store another value for, without a word; empty if it would not. */
    private String unkept(Object value) {
        boolean nan =
                (value instanceof Double number && number.isNaN()) || (value instanceof Float single && single.isNaN());
        if (dialect == Dialect.SQLITE && nan) {
            return "is NaN, which SQLite would store as null";
        }
        if (dialect == Dialect.POSTGRESQL && isBeforePostgreSql(value)) {
            return "is " + value
                    + ", for which PostgreSQL's driver would write -infinity: it has no day before 4713 BC";
        }
        boolean text = value instanceof String || value instanceof Character;
        return text && halfAPair(value.toString())
                ? "contains half a surrogate pair, which would be stored as a question mark"
                : "";
    }

    /** For the least of Java's values, minus infinity is meant. */
    private static boolean isBeforePostgreSql(Object value) {
        return (value instanceof LocalDate day && day.isBefore(FIRST_DAY) && !day.equals(LocalDate.MIN))
                || (value instanceof LocalDateTime time
                        && time.toLocalDate().isBefore(FIRST_DAY)
                        && !time.equals(LocalDateTime.MIN))
                || (value instanceof OffsetDateTime time
                        && time.toInstant().isBefore(FIRST)
                        && !time.equals(OffsetDateTime.MIN))
                || (value instanceof Instant point && point.isBefore(FIRST));
    }

    private static String shortened(Object value) {
        String text = value.toString();
        return text.length() <= LONGEST_TOLD ? text : text.substring(0, LONGEST_TOLD) + "…";
    }

    private static boolean halfAPair(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return !StandardCharsets.UTF_8.newEncoder().canEncode(text);
            }
        }
        return false;
    }

    /**
     * As the driver takes it; what is converted may be converted again.
     *
     * @param column that it goes to, or is compared with; null if that is not known
     */
    static Object converted(Object value, Table.@Nullable Column column, Dialect dialect) {
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof BigInteger number) {
            value = new BigDecimal(number);
        }
        boolean fraction = value instanceof Double || value instanceof Float;
        if (fraction && dialect == Dialect.POSTGRESQL && column != null && column.sqlType() == Types.NUMERIC) {
            // PostgreSQL itself would round a double to 15 digits, and a float to 6.
            return Double.isFinite(((Number) value).doubleValue()) ? new BigDecimal(value.toString()) : value;
        }
        if (dialect == Dialect.DUCKDB && mistaken(value)) {
            return value.toString();
        }
        if (value instanceof Instant instant) {
            value = instant.atOffset(ZoneOffset.UTC);
        }
        boolean local = column != null && !column.withZone();
        if (value instanceof OffsetDateTime time && local && dialect != Dialect.SQLITE) {
            value = LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC);
        }
        if (dialect == Dialect.SQLITE && value instanceof OffsetDateTime time) {
            return time.toInstant().toString();
        }
        boolean nanoseconds = dialect == Dialect.DUCKDB
                && column != null
                && column.typeName().endsWith("_NS")
                && KeyColumn.isFiner(value, KeyColumn.MICRO_DIGITS);
        boolean asText = value instanceof Character
                || nanoseconds // DuckDB's driver would truncate it to microseconds
                || (dialect == Dialect.SQLITE && (value instanceof Temporal || value instanceof BigDecimal))
                || (dialect != Dialect.POSTGRESQL && value instanceof UUID);
        return asText ? value.toString() : value;
    }

    /** DuckDB's driver would make another value of it; of a text DuckDB itself makes the right one, or none. */
    private static boolean mistaken(Object value) {
        if (value instanceof LocalDate date) {
            return date.isBefore(GREGORIAN) || date.isAfter(LAST_OF_DUCKDB) || !isInZone(date);
        }
        return value instanceof BigDecimal number
                && (number.precision() > MOST_DIGITS || number.scale() > MOST_DIGITS || number.scale() < 0);
    }

    /**
     * False for a day that the time zone of this JVM has left out, as zones have done that crossed the date line: it becomes the next one.
     */
    private static boolean isInZone(LocalDate date) {
        return Date.valueOf(date).toLocalDate().equals(date);
    }

    void bind(PreparedStatement statement, @Nullable Object[] row) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            Table.Column column = columns == null ? null : columns[i];
            Object given = row[parameters[i]];
            Object value = given == null ? null : converted(given, column, dialect);
            if (value == null) {
                statement.setNull(i + 1, Types.NULL);
            } else if (value instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else if (value instanceof Byte || value instanceof Short) {
                statement.setInt(i + 1, ((Number) value).intValue());
            } else if (value instanceof String text && column != null && ofOwnType(column)) {
                statement.setObject(i + 1, text, Types.OTHER);
            } else {
                statement.setObject(i + 1, value);
            }
        }
    }

    /** A text is to become what the column is, such as json or an enum; DuckDB and SQLite need not be told. */
    private boolean ofOwnType(Table.Column column) {
        return dialect == Dialect.POSTGRESQL || (dialect == Dialect.OTHER && column.sqlType() == Types.OTHER);
    }

    /** For a dead letter: {@code {day=2018-02-07, net=ci}}. */
    String text(@Nullable Object[] row) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < row.length; i++) {
            Object value = row[i];
            text.append(i == 0 ? "" : ", ").append(fields.all().get(i).name()).append('=');
            text.append(value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value));
        }
        return text.append('}').toString();
    }
}
