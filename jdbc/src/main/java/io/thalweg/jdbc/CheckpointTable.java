// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code thalweg_checkpoints}, beside the rows themselves. For each sink: a row that says whose it is (no writer), one for
 * each run that it was taken from, and one for each writer with the number of the last interval that it has written. Of a
 * sink that is fenced: a row for each task of a run, with a number of the attempt that may write.
 */
final class CheckpointTable {
    static final String NAME = "thalweg_checkpoints";

    private static final String OWNER = "owner";
    private static final String FORMER = "former run ";
    private static final String TASK = "task ";
    private static final String FENCE = "fence ";
    private static final int FORMER_KEPT = 100;

    private final Connecting connecting;
    private final String table;
    private final String sink;
    private final SinkContext context;

    /** @param schemaPrefix of the table that rows are written to, quoted; empty if the user names no schema */
    CheckpointTable(Connecting connecting, String schemaPrefix, String sink, SinkContext context) {
        this.connecting = connecting;
        table = schemaPrefix + NAME;
        this.sink = sink;
        this.context = context;
    }

    /** @param completed the checkpoint that it was written for */
    record Written(long number, long completed) {}

    private record Owner(String run, long epoch) {}

    void create(ReconnectingConnection session) throws InterruptedException {
        boolean there = session.query("look for " + table, connection -> exists(connection));
        if (!there) {
            session.transaction("create table " + table, connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("create table " + table + " (sink varchar(500) not null, writer varchar(200) not"
                            + " null, run varchar(200) not null, epoch bigint not null, number bigint not null,"
                            + " completed bigint not null, primary key (sink, writer))");
                } catch (SQLException e) {
                    connection.rollback();
                    if (!exists(connection)) { // another task was faster
                        throw e;
                    }
                }
            });
        }
    }

    private boolean exists(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery("select number from " + table + " where 1 = 0")) {
            return !none.next();
        } catch (SQLException e) {
            if (new Failures(connecting).kind(e, connection) == Failures.Kind.LOST) {
                throw e;
            }
            connection.rollback();
            return false;
        }
    }

    /** Takes the sink for this run, unless it is this run's, and enters a writer. */
    void take(Connection connection, String writer) throws SQLException {
        Owner owner = owner(connection, "");
        String run = context.run();
        if (owner == null) {
            insertOnce(connection, OWNER, run, 1);
            owner = new Owner(run, 1);
        } else if (!owner.run().equals(run)) {
            if (number(connection, FORMER + run) != null) {
                throw lost(owner);
            }
            long epoch = owner.epoch() + 1;
            int taken = update(
                    connection,
                    "update " + table + " set run = ?, epoch = ? where sink = ? and writer = ? and run = ?",
                    run,
                    epoch,
                    sink,
                    OWNER,
                    owner.run());
            if (taken != 1) {
                throw TryAgain.atOnce(new SQLException("another run was faster"));
            }
            insertOnce(connection, FORMER + owner.run(), owner.run(), owner.epoch());
            String forget = "delete from " + table + " where sink = ? and writer like ?";
            update(connection, forget + " and epoch < ?", sink, FORMER + "%", epoch - FORMER_KEPT);
            if (context.checkpoint() == 0) {
                update(connection, forget, sink, TASK + "%");
            }
            owner = new Owner(run, epoch);
        }
        insertOnce(connection, TASK + writer, run, owner.epoch());
    }

    /** Another task has entered the same at this moment: it is looked at again. */
    private void insertOnce(Connection connection, String writer, String run, long epoch) throws SQLException {
        try {
            update(connection, "insert into " + table + " values (?, ?, ?, ?, 0, 0)", sink, writer, run, epoch);
        } catch (SQLException e) {
            throw new Failures(connecting).kind(e, connection) == Failures.Kind.DATA ? TryAgain.later(e) : e;
        }
    }

    /** Sees that the sink is still this run's, and stays so until the transaction ends. */
    void check(Connection connection) throws SQLException {
        Owner owner = owner(connection, connecting.dialect().sharedLock());
        if (owner == null) {
            throw new ConnectorException("table " + table + " of " + connecting.place() + " does not know the sink "
                    + sink + " any more; was it emptied while the job ran?");
        }
        if (!owner.run().equals(context.run())) {
            throw lost(owner);
        }
    }

    private ConnectorException lost(Owner owner) {
        return new ConnectorException("another run of the job (epoch " + owner.epoch() + ") has taken over the sink "
                + sink + " of " + connecting.place() + "; this one must not write to it any more");
    }

    /** Says that an interval is being written; false if it has been. */
    boolean advance(Connection connection, String writer, long number, long completed) throws SQLException {
        String advance =
                "update " + table + " set number = ?, completed = ? where sink = ? and writer = ? and number < ?";
        return update(connection, advance, number, completed, sink, TASK + writer, number) == 1;
    }

    /** As {@link #advance}; false also if the number is not what {@link #written} has said. */
    boolean advance(Connection connection, String writer, Written from, long number, long completed)
            throws SQLException {
        String advance =
                "update " + table + " set number = ?, completed = ? where sink = ? and writer = ? and number = ?";
        return update(connection, advance, number, completed, sink, TASK + writer, from.number()) == 1;
    }

    /** Nothing if the table does not know the writer. */
    Optional<Written> written(Connection connection, String writer) throws SQLException {
        return Optional.ofNullable(number(connection, TASK + writer));
    }

    /** The greatest checkpoint that any task has written rows for. */
    long completed(Connection connection) throws SQLException {
        String greatest = "select max(completed) from " + table + " where sink = ? and writer like ?";
        try (PreparedStatement query = prepared(connection, greatest, sink, TASK + "%");
                ResultSet found = query.executeQuery()) {
            return found.next() ? found.getLong(1) : 0;
        }
    }

    /**
     * Takes the place of the former attempt of this task, and of tasks that there are no more, which may be under way still: they write
     * nothing from now on. Waits for one that is in a transaction.
     *
     * @return what {@link #hold} asks for
     */
    long replace(Connection connection) throws SQLException {
        long number = ThreadLocalRandom.current().nextLong();
        String fewer = "delete from " + table + " where sink = ? and run = ? and writer like ? and epoch >= ?";
        update(connection, fewer, sink, context.run(), FENCE + "%", context.parallelism());
        String raise = "update " + table + " set number = ? where sink = ? and writer = ?";
        if (update(connection, raise, number, sink, fence()) == 0) {
            insertOnce(connection, fence(), context.run(), context.task());
            update(connection, raise, number, sink, fence());
        }
        return number;
    }

    private String fence() {
        return FENCE + context.run() + " " + context.task();
    }

    /** Sees that nobody has replaced this task, and that nobody does until the transaction ends. */
    void hold(Connection connection, long number) throws SQLException {
        String count =
                "update " + table + " set completed = completed + 1 where sink = ? and writer = ? and number = ?";
        if (update(connection, count, sink, fence(), number) != 1) {
            throw new ConnectorException(
                    "another attempt of the job has taken over task " + context.task() + " of the sink " + sink + " of "
                            + connecting.place() + "; this one must not write to it any more");
        }
    }

    /** The task has written all. */
    void leave(Connection connection, long number) throws SQLException {
        String leave = "delete from " + table + " where sink = ? and writer = ? and number = ?";
        update(connection, leave, sink, fence(), number);
    }

    void forget(Connection connection, List<String> writers) throws SQLException {
        for (String writer : writers) {
            update(connection, "delete from " + table + " where sink = ? and writer = ?", sink, TASK + writer);
        }
    }

    private @Nullable Owner owner(Connection connection, String lock) throws SQLException {
        String find = "select run, epoch from " + table + " where sink = ? and writer = ?" + lock;
        try (PreparedStatement query = prepared(connection, find, sink, OWNER);
                ResultSet found = query.executeQuery()) {
            return found.next() ? new Owner(found.getString(1), found.getLong(2)) : null;
        }
    }

    private @Nullable Written number(Connection connection, String writer) throws SQLException {
        String find = "select number, completed from " + table + " where sink = ? and writer = ?";
        try (PreparedStatement query = prepared(connection, find, sink, writer);
                ResultSet found = query.executeQuery()) {
            return found.next() ? new Written(found.getLong(1), found.getLong(2)) : null;
        }
    }

    private static int update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        List<Object> all = new ArrayList<>(List.of(parameters));
        for (int i = 0; i < all.size(); i++) {
            statement.setObject(i + 1, all.get(i));
        }
        return statement;
    }
}
