// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the database says that the parameters of a user's statement are. */
final class ParameterTypes {
    /** PostgreSQL: syntax, table, column. Other errors may come from parameters whose types nobody has said yet. */
    private static final Set<String> WRONG = Set.of("42601", "42P01", "42703");

    /** Those that a value is converted for. */
    private static final Set<Integer> TOLD =
            Set.of(Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE, Types.NUMERIC, Types.DECIMAL);

    private ParameterTypes() {}

    /**
     * One for each parameter, null where its type does not matter; null if the database cannot say how many there are.
     *
     * @throws SQLException if the statement is wrong
     */
    static Table.@Nullable Column @Nullable [] of(
            PreparedStatement statement, Connection connection, Connecting connecting) throws SQLException {
        try {
            ParameterMetaData parameters = statement.getParameterMetaData();
            Table.@Nullable Column[] types = new Table.Column[parameters.getParameterCount()];
            for (int i = 0; i < types.length; i++) {
                int type = connecting.dialect().typeless() ? Types.OTHER : parameters.getParameterType(i + 1);
                if (TOLD.contains(type) || type == Types.DISTINCT) {
                    String name = String.valueOf(parameters.getParameterTypeName(i + 1));
                    Table.Column told = new Table.Column("", type, name, 0, 0, true);
                    types[i] = told.withBase(connection, connecting.dialect());
                }
            }
            return types;
        } catch (SQLException e) {
            Failures.Kind kind = new Failures(connecting).kind(e, connection);
            if (kind == Failures.Kind.LOST || kind == Failures.Kind.AGAIN || WRONG.contains(e.getSQLState())) {
                throw e;
            }
            connection.rollback();
            return null;
        }
    }
}
