// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What differs from one database to the next. */
enum Dialect {
    POSTGRESQL("org.postgresql:postgresql:42.7.14"),
    SQLITE("org.xerial:sqlite-jdbc:3.54.1.0"),
    DUCKDB("org.duckdb:duckdb_jdbc:1.5.6.0"),
    OTHER("");

    private final String driver;

    Dialect(String driver) {
        this.driver = driver;
    }

    static Dialect of(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (lower.startsWith("jdbc:postgresql:")) {
            return POSTGRESQL;
        }
        if (lower.startsWith("jdbc:sqlite:")) {
            return SQLITE;
        }
        return lower.startsWith("jdbc:duckdb:") ? DUCKDB : OTHER;
    }

    /** The artifact that holds the driver for a URL. */
    String driver() {
        return driver.isEmpty() ? "the artifact of that database's JDBC driver" : driver;
    }

    /** It can replace the row with the same key in one statement. */
    boolean upserts() {
        return this != OTHER;
    }

    /** A part of a transaction can be undone. */
    boolean savepoints() {
        return this != DUCKDB;
    }

    /** Any value goes into any column. */
    boolean typeless() {
        return this == SQLITE;
    }

    /** Keeps others from changing the row that a query has found until the transaction ends. */
    String sharedLock() {
        return this == POSTGRESQL ? " for share" : "";
    }

    /** @param columns quoted, as the table */
    static String insert(String table, List<String> columns) {
        return "insert into " + table + " (" + joined(columns, "%s", ", ") + ") values (" + joined(columns, "?", ", ")
                + ")";
    }

    static String upsert(String table, List<String> columns, Set<String> keys) {
        List<String> others =
                columns.stream().filter(each -> !keys.contains(each)).toList();
        return insert(table, columns) + " on conflict (" + joined(List.copyOf(new TreeSet<>(keys)), "%s", ", ")
                + ") do "
                + (others.isEmpty() ? "nothing" : "update set " + joined(others, "%1$s = excluded.%1$s", ", "));
    }

    private static String joined(List<String> columns, String form, String between) {
        return columns.stream().map(each -> String.format(form, each)).collect(Collectors.joining(between));
    }
}
