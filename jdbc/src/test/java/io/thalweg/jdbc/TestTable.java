// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** A table of texts in a database of SQLite; it has no key, so a row that is written twice is there twice. */
public record TestTable(String url) {
    /** A row of it. */
    public record Row(String value) {}

    public static TestTable in(Path folder) throws SQLException {
        TestTable table = new TestTable("jdbc:sqlite:" + folder.resolve("texts.db"));
        Database.execute(table.url, "create table texts (value text)");
        return table;
    }

    public JdbcSink<Row> sink() {
        return Jdbc.insert(url, "texts", Row.class);
    }

    public List<String> rows() throws SQLException {
        return Database.rows(url, "select value from texts");
    }
}
