// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.OperatorContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** The lookups of one task: some connections, each used by one thread at a time. */
final class LookupOperator<T, R> implements AsyncOperator<T, R> {
    private final Connecting connecting;
    private final String sql;
    private final Class<R> type;
    private final List<NullableFunction<? super T, ?>> parameters;
    private final int connections;
    private final ResultRecord<R> result;

    /** Those that nobody uses at the moment. */
    private final Queue<ReconnectingConnection> sessions = new ConcurrentLinkedQueue<>();

    private @Nullable ExecutorService threads;

    /** What the database says that the parameters are; null if it does not. */
    private Table.@Nullable Column @Nullable [] types;

    private volatile boolean closed;

    LookupOperator(
            Connecting connecting,
            String sql,
            Class<R> type,
            int connections,
            List<NullableFunction<? super T, ?>> parameters) {
        this.connecting = connecting;
        this.sql = sql;
        this.type = type;
        this.connections = connections;
        this.parameters = parameters;
        result = ResultRecord.of(type);
    }

    /** Connects once, so that a job whose database cannot be reached, or does not know the query, does not begin. */
    @Override
    public void open(OperatorContext context) throws InterruptedException {
        threads = Executors.newFixedThreadPool(connections, task -> {
            Thread thread = new Thread(task, "lookup of " + context.operator() + " " + context.task());
            thread.setDaemon(true);
            return thread;
        });
        ConnectionReports reports = context.connections();
        for (int i = 0; i < connections; i++) {
            sessions.add(new ReconnectingConnection(connecting, type, reports, Pause.REAL, reports::nowNs));
        }
        ReconnectingConnection first = sessions.element();
        first.transaction(what(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                types = ParameterTypes.of(statement, connection, connecting);
            }
        });
        if (types != null && types.length != parameters.size()) {
            throw new ConnectorException("the lookup \"" + sql + "\" has " + questionMarks(types.length)
                    + ", and by(…) gives " + parameters.size());
        }
    }

    private static String questionMarks(int number) {
        return number == 1 ? "1 question mark" : number + " question marks";
    }

    private String what() {
        return "look up \"" + sql + "\" in a table";
    }

    @Override
    public CompletionStage<? extends @Nullable R> apply(T value) throws Exception {
        List<Object> values = new ArrayList<>();
        for (NullableFunction<? super T, ?> each : parameters) {
            Object parameter = each.apply(value);
            if (parameter == null) {
                return CompletableFuture.completedFuture(null); // null is equal to nothing
            }
            values.add(parameter);
        }
        // A server may not answer to that either. A library in this process does at once.
        Request<R> request = new Request<>(connecting.isFile() ? Runnable::run : ForkJoinPool.commonPool());
        ExecutorService running = threads;
        if (running == null) {
            throw new IllegalStateException("not open");
        }
        running.execute(() -> answer(request, values));
        return request;
    }

    /** A future whose cancellation, as when it is late, ends the query that runs for it. */
    static final class Request<R> extends CompletableFuture<@Nullable R> {
        private final Executor canceller;

        /** Guarded by this. */
        private @Nullable PreparedStatement running;

        /** @param canceller calls the driver */
        Request(Executor canceller) {
            this.canceller = canceller;
        }

        @Override
        public boolean cancel(boolean interrupt) {
            boolean cancelled = super.cancel(interrupt);
            if (cancelled) {
                canceller.execute(this::cancelQuery);
            }
            return cancelled;
        }

        private synchronized void cancelQuery() {
            if (running != null) {
                try {
                    running.cancel();
                } catch (SQLException e) {
                    // then the answer is ignored
                }
            }
        }

        /**
         * Which statement runs for it; null for none. Waits while one is being cancelled: SQLite's driver interrupts whatever the
         * connection runs, which would be the query of another request.
         */
        synchronized void runs(@Nullable PreparedStatement statement) {
            running = statement;
        }
    }

    private void answer(Request<R> request, List<Object> values) {
        if (request.isDone()) {
            return;
        }
        ReconnectingConnection session = sessions.poll();
        if (session == null) {
            request.cancel(false); // it was closed meanwhile
            return;
        }
        try {
            Optional<R> found = session.query(what(), connection -> ask(connection, request, values));
            request.complete(found.orElse(null));
        } catch (Throwable thrown) {
            request.completeExceptionally(thrown);
        } finally {
            sessions.add(session);
            if (closed) {
                closeIdle();
            }
        }
    }

    private Optional<R> ask(Connection connection, Request<R> request, List<Object> values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                Table.Column type = types == null ? null : types[i];
                statement.setObject(i + 1, RowStatement.converted(values.get(i), type, connecting.dialect()));
            }
            request.runs(statement);
            if (request.isDone()) {
                return Optional.empty(); // it was cancelled before anybody could cancel the query
            }
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                R first = result.make(rows, sql);
                if (rows.next()) {
                    throw new ConnectorException("the lookup \"" + sql + "\" found more than one row for " + values);
                }
                return Optional.of(first);
            } finally {
                request.runs(null);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        ExecutorService running = threads;
        if (running != null) {
            running.shutdownNow();
        }
        closeIdle();
    }

    /** One that is in use at the moment is closed by its thread. */
    private void closeIdle() {
        for (ReconnectingConnection idle = sessions.poll(); idle != null; idle = sessions.poll()) {
            idle.close();
        }
    }
}
