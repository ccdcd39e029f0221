// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.util.List;

/**
 * Tables of databases.
 *
 * <pre>{@code
 * rows.to(Jdbc.upsert("jdbc:postgresql://localhost/quakes", "quakes_by_day", Row.class)
 *         .key("day", "net")
 *         .user("etl")
 *         .password(Secret.environment("DB_PASSWORD")));
 * }</pre>
 *
 * The job brings the driver along: {@code //DEPS org.postgresql:postgresql:42.7.14}.
 */
public final class Jdbc {
    private Jdbc() {}

    /**
     * Inserts rows, and replaces existing ones with the same key; call {@link JdbcSink#key}. For PostgreSQL, SQLite and
     * DuckDB.
     *
     * @param url of the database, {@code jdbc:…}
     * @param table {@code table} or {@code schema.table}
     * @param record a record class; each component goes to the column with its name
     * @throws IllegalArgumentException if the class is not a record, or has a component that no column takes
     */
    public static <T> JdbcSink<T> upsert(String url, String table, Class<T> record) {
        return JdbcSink.of(url, new Target(table, "", "", List.of(), true), record);
    }

    /**
     * Inserts rows. For any database.
     *
     * @throws IllegalArgumentException as in {@link #upsert}
     */
    public static <T> JdbcSink<T> insert(String url, String table, Class<T> record) {
        return JdbcSink.of(url, new Target(table, "", "", List.of(), false), record);
    }

    /**
     * Runs a statement for each record. For any database.
     *
     * @param sql in which {@code :name} stands for a component: {@code update stock set n = n - :n where id = :id}
     * @throws IllegalArgumentException as in {@link #upsert}
     */
    public static <T> JdbcSink<T> statement(String url, String sql, Class<T> record) {
        return JdbcSink.of(url, new Target("", sql, "", List.of(), false), record);
    }

    /**
     * Looks up the row for a record; call {@link JdbcLookup#by}.
     *
     * @param url of the database, {@code jdbc:…}
     * @param sql a query with question marks that returns at most one row
     * @param record a record class; each component comes from the column with its name
     * @throws IllegalArgumentException if the class is not a record, or has a component that no column can hold
     */
    public static <R> JdbcLookup<R> lookup(String url, String sql, Class<R> record) {
        return JdbcLookup.of(url, sql, record);
    }
}
