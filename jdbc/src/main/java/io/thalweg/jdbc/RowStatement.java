// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Suggestion;
import io.thalweg.api.operator.BadRecordException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
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
    private final Fields fields;
    private final Dialect dialect;
    private final String sql;

    /** Which field each parameter is. */
    private final int[] parameters;

    /** Columns that fields go to; null if the user gave the statement. */
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
        return made;
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
            names.add(column.name());
            keys[i] = target.keys().contains(name);
            if (keys[i]) {
                keyColumns.add(column.name());
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
     * @throws BadRecordException if a component of the key is null, or the database has no such value
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
            if (dialect == Dialect.SQLITE && value instanceof Double number && number.isNaN()) {
                throw new BadRecordException(
                        "component " + name + " is NaN, which SQLite would store as null", String.valueOf(record));
            }
            values[i] = value == null ? null : converted(value, columns == null ? null : columns[i]);
        }
        return values;
    }

    private Object converted(Object value, Table.@Nullable Column column) {
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof BigInteger number) {
            return new BigDecimal(number);
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
        boolean asText = value instanceof Character
                || (dialect == Dialect.SQLITE && (value instanceof Temporal || value instanceof BigDecimal))
                || (dialect != Dialect.POSTGRESQL && value instanceof UUID);
        return asText ? value.toString() : value;
    }

    void bind(PreparedStatement statement, @Nullable Object[] row) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            Object value = row[parameters[i]];
            Table.Column column = columns == null ? null : columns[parameters[i]];
            if (value == null) {
                statement.setNull(i + 1, Types.NULL);
            } else if (value instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else if (value instanceof Byte || value instanceof Short) {
                statement.setInt(i + 1, ((Number) value).intValue());
            } else if (value instanceof String text && column != null && column.sqlType() == Types.OTHER) {
                statement.setObject(i + 1, text, Types.OTHER);
            } else {
                statement.setObject(i + 1, value);
            }
        }
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
