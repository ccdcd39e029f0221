// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Suggestion;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A table as the database describes it.
 *
 * @param sqlName quoted, to stand in statements
 * @param quote stands before and behind a name; empty if the database quotes none
 */
record Table(String sqlName, String schemaPrefix, List<Column> columns, String quote) {
    /** How the name of a component may stand for that of a column, the exact rule first. */
    static final List<UnaryOperator<String>> NAMES = List.of(
            name -> name,
            name -> name.toLowerCase(Locale.ROOT),
            name -> name.toLowerCase(Locale.ROOT).replace("_", ""));

    /**
     * A column.
     *
     * @param size of a text: how many characters; of a number: how many digits
     * @param digits of a time: how many of a second; of a decimal: how many after the point
     * @param filled the database has a value for it where nobody gives one, or takes null
     */
    record Column(String name, int sqlType, String typeName, int size, int digits, boolean filled) {
        boolean withZone() {
            String lower = typeName.toLowerCase(Locale.ROOT);
            return lower.contains("timestamptz") || lower.contains("with time zone") || lower.contains("timestamp_tz");
        }

        /** If its type is a domain of PostgreSQL, the column with the type that the domain is made of. */
        Column withBase(Connection connection, Dialect dialect) throws SQLException {
            if (sqlType != Types.DISTINCT || dialect != Dialect.POSTGRESQL) {
                return this;
            }
            String domain = typeName.startsWith("\"") ? typeName : quoted(typeName, "\""); // the driver quotes some
            try (PreparedStatement value = connection.prepareStatement("select cast(null as " + domain + ")")) {
                ResultSetMetaData base = value.getMetaData(); // PostgreSQL says what it is made of, down to the last
                int type = base.getColumnType(1);
                boolean several = type == Types.ARRAY || type == Types.STRUCT; // which take a text
                return several
                        ? this
                        : new Column(
                                name, type, base.getColumnTypeName(1), base.getPrecision(1), base.getScale(1), filled);
            }
        }

        /** PostgreSQL's driver gives timestamps with and without a time zone the same number. */
        boolean takes(Kind kind) {
            return kind.fits(sqlType == Types.TIMESTAMP && withZone() ? Types.TIMESTAMP_WITH_TIMEZONE : sqlType);
        }
    }

    /**
     * The table that a user names.
     *
     * @throws ConnectorException if there is none, with the nearest name, or several
     */
    static Table find(Connection connection, Connecting connecting, String named) throws SQLException {
        int dot = named.lastIndexOf('.');
        String schema = dot < 0 ? "" : named.substring(0, dot);
        String name = named.substring(dot + 1);
        DatabaseMetaData metadata = connection.getMetaData();
        List<String[]> all = places(metadata, connection);
        List<String[]> there = all.stream()
                .filter(each -> schema.isEmpty() || schema.equalsIgnoreCase(each[0]))
                .toList();
        List<String[]> exact =
                there.stream().filter(each -> each[1].equals(name)).toList();
        List<String[]> similar =
                there.stream().filter(each -> each[1].equalsIgnoreCase(name)).toList();
        List<String[]> candidates = inCurrentSchema(connection, schema, exact.isEmpty() ? similar : exact);
        if (candidates.isEmpty()) {
            List<String> names = all.stream().map(each -> each[1]).toList();
            throw new ConnectorException("there is no table " + named + " in " + connecting.place()
                    + Suggestion.of(name, names) + (names.isEmpty() ? "; it has no tables" : ""));
        }
        if (candidates.size() > 1) {
            throw new ConnectorException(
                    "there are several tables " + named + " in " + connecting.place() + "; name the schema too, as in "
                            + candidates.get(0)[0] + "." + candidates.get(0)[1]);
        }
        String in = candidates.get(0)[0];
        String found = candidates.get(0)[1];
        String quote = connecting.dialect() == Dialect.OTHER
                ? metadata.getIdentifierQuoteString().strip()
                : "\"";
        String prefix = in.isEmpty() ? "" : quoted(in, quote) + ".";
        String sqlName = prefix + quoted(found, quote);
        List<Column> columns = new ArrayList<>();
        for (Column each : columns(metadata, connection, in, found)) {
            columns.add(each.withBase(connection, connecting.dialect()));
        }
        return new Table(sqlName, prefix, columns, quote);
    }

    private static String quoted(String name, String quote) {
        return quote.isEmpty() ? name : quote + name.replace(quote, quote + quote) + quote;
    }

    /** To stand in statements. */
    String sqlName(Column column) {
        return quoted(column.name(), quote);
    }

    /** Schema and name of all tables and views that are not the database's own. */
    private static List<String[]> places(DatabaseMetaData metadata, Connection connection) throws SQLException {
        List<String[]> all = new ArrayList<>();
        try (ResultSet tables = metadata.getTables(connection.getCatalog(), null, "%", null)) {
            while (tables.next()) {
                String type = String.valueOf(tables.getString("TABLE_TYPE"));
                if ((type.contains("TABLE") && !type.contains("SYSTEM")) || type.equals("VIEW")) {
                    String schema = tables.getString("TABLE_SCHEM");
                    all.add(new String[] {schema == null ? "" : schema, tables.getString("TABLE_NAME")});
                }
            }
        }
        return all;
    }

    /** Of tables of one name in several schemas, the one that a statement without a schema means. */
    private static List<String[]> inCurrentSchema(Connection connection, String schema, List<String[]> found)
            throws SQLException {
        if (found.size() < 2 || !schema.isEmpty()) {
            return found;
        }
        String current = connection.getSchema();
        List<String[]> here =
                found.stream().filter(each -> each[0].equals(current)).toList();
        return here.isEmpty() ? found : here;
    }

    private static List<Column> columns(DatabaseMetaData metadata, Connection connection, String schema, String table)
            throws SQLException {
        List<Column> columns = new ArrayList<>();
        String escape = metadata.getSearchStringEscape();
        UnaryOperator<String> literal = text -> escape == null || escape.isEmpty()
                ? text
                : text.replace(escape, escape + escape)
                        .replace("_", escape + "_")
                        .replace("%", escape + "%");
        try (ResultSet found = metadata.getColumns(
                connection.getCatalog(), schema.isEmpty() ? null : literal.apply(schema), literal.apply(table), "%")) {
            while (found.next()) {
                if (!table.equals(found.getString("TABLE_NAME"))) {
                    continue;
                }
                boolean takesNull = found.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls;
                boolean filled = takesNull || found.getString("COLUMN_DEF") != null || increments(found);
                columns.add(new Column(
                        found.getString("COLUMN_NAME"),
                        found.getInt("DATA_TYPE"),
                        String.valueOf(found.getString("TYPE_NAME")),
                        found.getInt("COLUMN_SIZE"),
                        found.getInt("DECIMAL_DIGITS"),
                        filled));
            }
        }
        return columns;
    }

    private static boolean increments(ResultSet column) {
        try {
            return "YES".equals(column.getString("IS_AUTOINCREMENT"))
                    || "YES".equals(column.getString("IS_GENERATEDCOLUMN"));
        } catch (SQLException e) {
            return false; // a driver that does not say so
        }
    }

    /**
     * The column of each field: the one of its name, or else of its name in other letters' case, or else without underscores too.
     *
     * @throws ConnectorException if a field has none or one that does not take it, or a column that must have a value has no field
     */
    Map<String, Column> match(Fields fields, Connecting connecting, String named) {
        Map<String, Column> matched = new HashMap<>();
        for (Fields.Field field : fields.all()) {
            Column column = column(field.name(), named, fields.type());
            if (!connecting.dialect().typeless() && !column.takes(field.kind())) {
                throw new ConnectorException("column " + column.name() + " of table " + named + " is "
                        + column.typeName() + ", and component " + field.name() + " of record "
                        + fields.type().getSimpleName() + " is a " + field.kind().words + " ("
                        + field.type().getSimpleName() + "); change one of them");
            }
            if (matched.containsValue(column)) {
                throw new ConnectorException("two components of record "
                        + fields.type().getSimpleName() + " belong to column " + column.name() + " of table " + named);
            }
            matched.put(field.name(), column);
        }
        for (Column column : columns) {
            if (!column.filled() && !matched.containsValue(column)) {
                throw new ConnectorException("column " + column.name() + " of table " + named
                        + " must have a value and has no default, and record "
                        + fields.type().getSimpleName() + " has no component for it");
            }
        }
        return matched;
    }

    private Column column(String field, String named, Class<?> type) {
        for (UnaryOperator<String> rule : NAMES) {
            List<Column> found = columns.stream()
                    .filter(column -> rule.apply(column.name()).equals(rule.apply(field)))
                    .toList();
            if (found.size() == 1) {
                return found.get(0);
            }
        }
        throw new ConnectorException("table " + named + " has no column for component " + field + " of record "
                + type.getSimpleName()
                + Suggestion.of(field, columns.stream().map(Column::name).toList()));
    }
}
