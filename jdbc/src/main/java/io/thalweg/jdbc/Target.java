// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.io.Serializable;
import java.util.List;

/**
 * What rows are written with.
 *
 * @param table its name, {@code schema.table} or {@code table}; empty if the user gives the statement
 * @param statement empty if it is made for the table
 * @param first runs when a task opens; empty if nothing does
 * @param keys components that an existing row is known by; empty if rows are inserted only
 */
@SuppressWarnings("serial") // the list is one of the JDK's
record Target(String table, String statement, String first, List<String> keys, boolean upsert) implements Serializable {
    private static final long serialVersionUID = 1L;

    Target withFirst(String sql) {
        return new Target(table, statement, sql, keys, upsert);
    }

    Target withKeys(List<String> components) {
        return new Target(table, statement, first, components, upsert);
    }

    /** Writing a row a second time leaves the same. */
    boolean replaces() {
        return upsert;
    }

    boolean hasSchema() {
        return table.indexOf('.') >= 0;
    }

    /** What is written, for messages. */
    String words() {
        return table.isEmpty() ? "the statement \"" + statement + "\"" : "table " + table;
    }
}
