// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SinkReports;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rows within a transaction, and leaves out those that the database does not take: they become dead letters. */
final class Rows {
    private final RowStatement statement;
    private final Failures failures;
    private final Dialect dialect;
    private final SinkReports reports;
    private final String output;
    private final int batch;

    Rows(RowStatement statement, Connecting connecting, Target target, SinkReports reports, int batch) {
        this.statement = statement;
        failures = new Failures(connecting);
        dialect = connecting.dialect();
        this.reports = reports;
        output = target.words() + " of " + connecting.place();
        this.batch = batch;
    }

    /**
     * A row, and the number of its record in the task.
     *
     * @param values parameters of the statement
     */
    record Row(@Nullable Object[] values, long number) {}

    /**
     * Writes all of them.
     *
     * @param bad rows that are known to be bad, also by an earlier try; those found are added
     */
    void write(Connection connection, List<Row> rows, BitSet bad) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
            for (int from = 0; from < rows.size(); from += batch) {
                int to = Math.min(rows.size(), from + batch);
                Savepoint before = dialect.savepoints() ? connection.setSavepoint() : null;
                try {
                    together(prepared, rows, from, to, bad);
                    release(connection, before);
                } catch (SQLException e) {
                    if (failures.kind(e, connection) != Failures.Kind.DATA) {
                        throw e;
                    }
                    if (before == null) {
                        connection.rollback();
                        throw findCulprit(connection, rows, from, to, bad) ? TryAgain.atOnce(e) : TryAgain.later(e);
                    }
                    prepared.clearBatch();
                    connection.rollback(before);
                    oneByOne(connection, rows, from, to, bad);
                }
            }
        }
    }

    private void together(PreparedStatement prepared, List<Row> rows, int from, int to, BitSet bad)
            throws SQLException {
        boolean any = false;
        for (int i = from; i < to; i++) {
            if (!bad.get(i)) {
                statement.bind(prepared, rows.get(i).values());
                prepared.addBatch();
                any = true;
            }
        }
        if (any) {
            prepared.executeBatch();
        }
    }

    private void oneByOne(Connection connection, List<Row> rows, int from, int to, BitSet bad) throws SQLException {
        int next = from;
        while (next < to) {
            // SQLite's driver closes a statement that fails with a mismatch of types.
            try (PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
                next = upToBad(connection, prepared, rows, next, to, bad);
            }
        }
    }

    /** Row by row, up to the first that the database does not take. Returns the one behind it. */
    private int upToBad(Connection connection, PreparedStatement prepared, List<Row> rows, int from, int to, BitSet bad)
            throws SQLException {
        for (int i = from; i < to; i++) {
            if (bad.get(i)) {
                continue;
            }
            Savepoint before = connection.setSavepoint();
            if (!takes(connection, prepared, rows.get(i))) {
                connection.rollback(before);
                bad.set(i);
                return i + 1;
            }
            release(connection, before);
        }
        return to;
    }

    /**
     * In a transaction that is undone: everything before, and then row by row, up to the first that the database does not take. False if it
     * takes all of them this time.
     */
    private boolean findCulprit(Connection connection, List<Row> rows, int from, int to, BitSet bad)
            throws SQLException {
        // DuckDB's statements are of no use once they have failed.
        try (PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
            for (int begin = 0; begin < from; begin += batch) {
                together(prepared, rows, begin, Math.min(from, begin + batch), bad);
            }
            for (int i = from; i < to; i++) {
                if (!bad.get(i) && !takes(connection, prepared, rows.get(i))) {
                    bad.set(i);
                    return true;
                }
            }
        }
        return false;
    }

    /** Writes a row; false if the database does not take it, which is told. */
    private boolean takes(Connection connection, PreparedStatement prepared, Row row) throws SQLException {
        try {
            statement.bind(prepared, row.values());
            prepared.executeUpdate();
            return true;
        } catch (SQLException e) {
            if (failures.kind(e, connection) != Failures.Kind.DATA) {
                throw e;
            }
            refuse(row, e);
            return false;
        }
    }

    private void refuse(Row row, SQLException e) {
        byte[] text = statement.text(row.values()).getBytes(StandardCharsets.UTF_8);
        reports.bad(new BadRecord(output, 0, row.number(), failures.reason(e), text));
    }

    private static void release(Connection connection, @Nullable Savepoint before) throws SQLException {
        if (before != null) {
            try {
                connection.releaseSavepoint(before);
            } catch (SQLFeatureNotSupportedException e) {
                // Oracle's and SQL Server's drivers keep it until the transaction ends
            }
        }
    }
}
