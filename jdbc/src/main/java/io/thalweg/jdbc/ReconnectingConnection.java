// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.DurationText;
import io.thalweg.api.operator.ConnectionReports;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A connection that is made again when it is lost. For one thread. */
final class ReconnectingConnection implements AutoCloseable {
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 5_000;

    /** Locks and deadlocks are common and short; one that lasts longer is told. The driver may wait in each try, too. */
    private static final long LONG_LOCK_MS = 5_000;

    private final Connecting connecting;
    private final Failures failures;
    private final Class<?> near;
    private final ConnectionReports reports;
    private final String system;
    private final Pause pause;
    private final LongSupplier clockNs;
    private @Nullable Connection connection;

    /** @param clockNs tells how long a try has taken; if it stands still, only the pauses count */
    ReconnectingConnection(
            Connecting connecting, Class<?> near, ConnectionReports reports, Pause pause, LongSupplier clockNs) {
        this.connecting = connecting;
        this.near = near;
        this.reports = reports;
        this.pause = pause;
        this.clockNs = clockNs;
        system = "the database " + connecting.place();
        failures = new Failures(connecting);
    }

    /** What is done in one transaction, and once more if the first try came to nothing. */
    interface Work {
        void in(Connection connection) throws SQLException;
    }

    /** As {@link Work}, with a result. */
    interface Query<T> {
        T in(Connection connection) throws SQLException;
    }

    Failures failures() {
        return failures;
    }

    /**
     * Commits what the work does, and tries again where that has a chance, for as long as the user has patience.
     *
     * @param what it does, for messages
     * @throws ConnectorException if it cannot be done
     */
    void transaction(String what, Work work) throws InterruptedException {
        query(what, connection -> {
            work.in(connection);
            return true;
        });
    }

    /** As {@link #transaction}. */
    <T> T query(String what, Query<T> work) throws InterruptedException {
        Waiting waiting = new Waiting(what);
        while (true) {
            try {
                Connection open = connected();
                T result = work.in(open);
                open.commit();
                reports.restored(system);
                return result;
            } catch (TryAgain e) {
                if (connection != null && !rolledBack(connection)) {
                    close();
                }
                if (!e.atOnce()) {
                    waiting.before(Failures.Kind.AGAIN, e);
                }
            } catch (SQLException e) {
                Connection failed = connection;
                Failures.Kind kind = failures.kind(e, failed);
                if (kind == Failures.Kind.LOST || failed == null || !rolledBack(failed)) {
                    close();
                }
                if (kind == Failures.Kind.FATAL || kind == Failures.Kind.DATA) {
                    throw failures.fatal(what, e);
                }
                waiting.before(kind, e);
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }
    }

    private Connection connected() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = connecting.open(near);
            connection = open;
            open.setAutoCommit(false);
        }
        return open;
    }

    private static boolean rolledBack(Connection failed) {
        try {
            failed.rollback();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                // it is of no use any more
            }
        }
    }

    /** One transaction's patience. */
    private final class Waiting {
        private final String what;
        private int tries;
        private long pausedMs;

        /** When the first try had failed: that it took long does not say that the database was away. */
        private long failedNs;

        private boolean told;

        Waiting(String what) {
            this.what = what;
        }

        void before(Failures.Kind kind, SQLException thrown) throws InterruptedException {
            if (tries++ == 0) {
                failedNs = clockNs.getAsLong();
            }
            long waitedMs = Math.max(pausedMs, TimeUnit.NANOSECONDS.toMillis(clockNs.getAsLong() - failedNs));
            long patienceMs = connecting.patience().toMillis();
            if (waitedMs >= patienceMs) {
                throw new ConnectorException(
                        "cannot " + what + " of " + connecting.place() + ": tried " + tries + " times within "
                                + DurationText.of(connecting.patience()) + " (patience): " + failures.reason(thrown),
                        null);
            }
            long lockedMs = Math.max(waitedMs, pausedMs + tries * connecting.lockWaitMs());
            if (!told && (kind == Failures.Kind.LOST || lockedMs >= LONG_LOCK_MS)) {
                told = true;
                reports.lost(system, failures.reason(thrown) + failures.advice(kind));
            }
            long pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(tries - 1, 10));
            pauseMs = Math.max(1, Math.min(pauseMs, patienceMs - waitedMs));
            pause.ofMs(pauseMs);
            pausedMs += pauseMs;
        }
    }
}
