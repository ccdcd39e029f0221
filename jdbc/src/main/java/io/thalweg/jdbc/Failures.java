// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an exception of a driver means. */
record Failures(Connecting connecting) {
    /** What is to be done. */
    enum Kind {
        /** A row that the database does not take. */
        DATA,
        /** The same again has a chance: deadlock, serialization, a lock. */
        AGAIN,
        /** The connection is of no use any more. */
        LOST,
        /** Nothing helps but the user. */
        FATAL
    }

    private static final Set<String> AGAIN = Set.of("40001", "40P01", "55P03");

    /** The server stops, starts, or has no connection left. */
    private static final Set<String> AWAY = Set.of("57P01", "57P02", "57P03", "57P05", "53300");

    /** Of PostgreSQL: the column, schema, table or other object exists. */
    private static final Set<String> EXISTS = Set.of("42701", "42P06", "42P07", "42710");

    /** More than one row of a key, too long for an index, refused by a view, by a trigger of the user's. */
    private static final Set<String> REFUSED = Set.of("21000", "54000", "44000", "P0001");

    /** What DuckDB's driver says of a time that it cannot count in microseconds. */
    private static final String OVERFLOW = "Invalid Error: long overflow";

    private static final int SECONDS = 5;

    /** @param connection that it happened on; null if there is none */
    Kind kind(SQLException thrown, @Nullable Connection connection) {
        SQLException cause = first(thrown);
        String state = String.valueOf(cause.getSQLState());
        if (state.startsWith("08") || AWAY.contains(state)) {
            return Kind.LOST;
        }
        Kind kind = switch (connecting.dialect()) {
            case SQLITE -> ofSqlite(cause);
            case DUCKDB -> ofDuckDb(String.valueOf(cause.getMessage()));
            default -> ofState(cause, state);
        };
        return kind == Kind.FATAL && connection != null && !damaged(cause) && dead(connection) ? Kind.LOST : kind;
    }

    /** True if another session may have created the same thing meanwhile. */
    boolean raced(SQLException thrown, @Nullable Connection connection) {
        return EXISTS.contains(String.valueOf(first(thrown).getSQLState())) || kind(thrown, connection) == Kind.DATA;
    }

    private static Kind ofState(SQLException cause, String state) {
        if (AGAIN.contains(state) || cause instanceof SQLTransactionRollbackException) {
            return Kind.AGAIN;
        }
        if (state.startsWith("22")
                || state.startsWith("23")
                || REFUSED.contains(state)
                || cause instanceof SQLDataException
                || cause instanceof SQLIntegrityConstraintViolationException) {
            return Kind.DATA;
        }
        boolean lost = cause instanceof SQLRecoverableException || cause instanceof SQLNonTransientConnectionException;
        if (lost) {
            return Kind.LOST;
        }
        return cause instanceof SQLTransientException ? Kind.AGAIN : Kind.FATAL;
    }

    /** By the primary result code. */
    private static Kind ofSqlite(SQLException cause) {
        return switch (cause.getErrorCode() & 0xff) {
            case 5, 6 -> Kind.AGAIN; // busy, locked
            case 18, 19, 20 -> Kind.DATA; // too big, constraint, mismatch
            default -> Kind.FATAL;
        };
    }

    /** The file is no database, or a damaged one: no connection will read it. */
    private boolean damaged(SQLException cause) {
        int code = cause.getErrorCode() & 0xff;
        return connecting.dialect() == Dialect.SQLITE && (code == 11 || code == 26);
    }

    /** It has no codes, but each message begins with the class of the error. */
    private static Kind ofDuckDb(String message) {
        boolean conflict = message.contains("onflict on ")
                || message.contains("write-write conflict")
                || message.contains("constraint violation");
        boolean closing =
                message.contains("Unique file handle conflict"); // the last connection to it is about to be closed
        if (closing || (message.startsWith("TransactionContext Error") && conflict)) {
            return Kind.AGAIN;
        }
        boolean data = message.startsWith("Constraint Error")
                || message.startsWith("Conversion Error")
                || message.startsWith("Out of Range Error")
                || message.startsWith("Invalid Input Error")
                || message.equals(OVERFLOW);
        return data ? Kind.DATA : Kind.FATAL;
    }

    private static boolean dead(Connection connection) {
        try {
            return !connection.isValid(SECONDS);
        } catch (SQLException e) {
            return true;
        }
    }

    /** Of a batch, what the first row that failed had failed with. */
    private static SQLException first(SQLException thrown) {
        SQLException next = thrown instanceof java.sql.BatchUpdateException ? thrown.getNextException() : null;
        return next == null ? thrown : next;
    }

    /** The database's reason in one line. */
    String reason(SQLException thrown) {
        String message = first(thrown).getMessage();
        String text = message == null ? first(thrown).getClass().getSimpleName() : message;
        Throwable cause = first(thrown).getCause();
        boolean told = text.contains("refused"); // by PostgreSQL's driver, and with advice
        if (cause instanceof IOException && cause.getMessage() != null && !told) {
            text += " (" + cause.getClass().getSimpleName() + ": " + cause.getMessage() + ")";
        }
        return connecting.withoutSecrets(String.join(
                " ",
                text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList()));
    }

    /** What to try while it is tried again; empty if nothing is known. */
    String advice(Kind kind) {
        return kind == Kind.AGAIN && connecting.dialect() == Dialect.SQLITE
                ? "; another connection has locked the file: end its transaction, or the process that has it open"
                : "";
    }

    /** @param what for instance {@code write table quakes} */
    ConnectorException fatal(String what, SQLException thrown) {
        return new ConnectorException("cannot " + what + " of " + connecting.place() + ": " + reason(thrown), null);
    }
}
