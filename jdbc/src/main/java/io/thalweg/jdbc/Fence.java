// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps out an attempt of a task that another one has replaced: a worker that stood still for so long that it was given up may go on, and
 * would write what is older over what is newer.
 */
final class Fence {
    /** Keeps out nobody. */
    static final Fence NONE = new Fence(null, 0);

    private final @Nullable CheckpointTable table;
    private final long number;

    private Fence(@Nullable CheckpointTable table, long number) {
        this.table = table;
        this.number = number;
    }

    /** From now on, no former attempt writes. */
    static Fence raise(CheckpointTable table, ReconnectingConnection session) throws InterruptedException {
        table.create(session);
        return new Fence(table, session.query("take over a task of the sink", table::replace));
    }

    /** First in each transaction. */
    void hold(Connection connection) throws SQLException {
        if (table != null) {
            table.hold(connection, number);
        }
    }

    void leave(ReconnectingConnection session) throws InterruptedException {
        CheckpointTable left = table;
        if (left != null) {
            session.transaction("leave the sink", connection -> left.leave(connection, number));
        }
    }
}
