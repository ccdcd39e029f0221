// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The databases that each rule is tried on. */
enum Database {
    POSTGRESQL,
    SQLITE,
    DUCKDB;

    /** An empty one. */
    String url(Path folder) throws SQLException {
        return switch (this) {
            case POSTGRESQL -> {
                String missing = TestPostgres.missing();
                if (!missing.isEmpty()) {
                    System.err.println("NOT TESTED on PostgreSQL: " + missing);
                }
                Assumptions.assumeTrue(missing.isEmpty(), missing);
                yield TestPostgres.shared().database();
            }
            case SQLITE -> "jdbc:sqlite:" + folder.resolve("test.db");
            case DUCKDB -> "jdbc:duckdb:" + folder.resolve("test.duckdb");
        };
    }

    static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    /** Each row as its values with commas between. */
    static List<String> rows(String url, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(query)) {
            int columns = found.getMetaData().getColumnCount();
            assertThat(columns).isPositive();
            while (found.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(found.getString(i));
                }
                rows.add(String.join(",", row));
            }
        }
        return rows;
    }
}
