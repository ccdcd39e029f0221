// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Suggestion;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * Writes records as rows, each component to the column with its name; those of a nested record {@code place} to {@code
 * place_…}. Rows are written in batches. In a job with {@link Guarantee#EXACTLY_ONCE} rows are buffered until the next
 * checkpoint is complete and then written once; with a weaker guarantee they are written at once, and may be written
 * again after a failure. Immutable: each method returns another sink. Made by {@link Jdbc}.
 *
 * @param <T> records
 */
public final class JdbcSink<T> implements Sink<T> {
    private static final long serialVersionUID = 1L;

    private final Connecting connecting;
    private final Target target;
    private final Class<T> type;
    private final int batch;
    private final Duration wait;
    private final boolean idempotent;
    private final boolean fenced;

    private JdbcSink(
            Connecting connecting,
            Target target,
            Class<T> type,
            int batch,
            Duration wait,
            boolean idempotent,
            boolean fenced) {
        this.connecting = connecting;
        this.target = target;
        this.type = type;
        this.batch = batch;
        this.wait = wait;
        this.idempotent = idempotent;
        this.fenced = fenced;
    }

    static <T> JdbcSink<T> of(String url, Target target, Class<T> type) {
        Fields.of(type); // what cannot become a row is told here, not on some worker
        return new JdbcSink<>(Connecting.to(url), target, type, 500, Duration.ofSeconds(1), false, false);
    }

    private JdbcSink<T> with(Connecting other) {
        return new JdbcSink<>(other, target, type, batch, wait, idempotent, fenced);
    }

    /**
     * Sets the components that identify an existing row; the table must have a primary key or a unique constraint on
     * exactly these columns. A record in which one of them is null is bad, since null equals nothing.
     *
     * @throws IllegalArgumentException if the record has no such component
     */
    public JdbcSink<T> key(String... components) {
        if (!target.upsert()) {
            throw new IllegalArgumentException("only Jdbc.upsert(…) has a key");
        }
        List<String> names = Fields.of(type).names();
        for (String each : components) {
            if (!names.contains(each)) {
                throw new IllegalArgumentException(
                        "record " + type.getSimpleName() + " has no component " + each + Suggestion.of(each, names));
            }
        }
        return new JdbcSink<>(connecting, target.withKeys(List.of(components)), type, batch, wait, idempotent, fenced);
    }

    /**
     * Sets a statement that runs whenever a task opens: {@code create table if not exists …}. It must be idempotent.
     */
    public JdbcSink<T> first(String sql) {
        return new JdbcSink<>(connecting, target.withFirst(sql), type, batch, wait, idempotent, fenced);
    }

    /** Sets the database user. */
    public JdbcSink<T> user(String name) {
        return with(connecting.withUser(name));
    }

    /** Sets the password, which appears in no plan or message. */
    public JdbcSink<T> password(Secret secret) {
        return with(connecting.withPassword(secret));
    }

    /** Sets a property of the driver, such as {@code sslmode}. */
    public JdbcSink<T> set(String name, String value) {
        return with(connecting.with(name, value));
    }

    /** Sets the maximum number of rows in a batch; 500 by default. */
    public JdbcSink<T> batch(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("a batch has at least 1 row, not " + rows);
        }
        return new JdbcSink<>(connecting, target, type, rows, wait, idempotent, fenced);
    }

    /**
     * Sets how long a row waits for others at most; one second by default. In a job with exactly-once it waits for the
     * checkpoint.
     */
    public JdbcSink<T> flushInterval(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("a row cannot wait for " + atMost);
        }
        return new JdbcSink<>(connecting, target, type, batch, Connecting.inMs(atMost), idempotent, fenced);
    }

    /** Sets how long the job retries while the database is unreachable, before it fails; one minute by default. */
    public JdbcSink<T> patience(Duration atMost) {
        return with(connecting.withPatience(atMost));
    }

    /**
     * Declares that writing a record twice does no harm, because a job that continues from a checkpoint produces the
     * same keys and values again. An exactly-once job then writes rows as they come and buffers none. True if keys and
     * values depend on the records only; false if they contain the time of writing, a random number, or what another
     * service returned. A process that stood still, was replaced by another one, and goes on may write older values
     * over newer ones; {@link #fenced} keeps it out, and so does an exactly-once job without this setting.
     */
    public JdbcSink<T> idempotent() {
        return new JdbcSink<>(connecting, target, type, batch, wait, true, fenced);
    }

    /**
     * Keeps out a worker of a cluster that stood still for so long that it was replaced, and goes on: otherwise it may
     * write a batch of older values over newer ones. Each task enters itself in a table {@code thalweg_checkpoints},
     * which the sink creates beside the other, and looks there in each transaction. For jobs that take checkpoints, on a
     * database with transactions; an exactly-once job that is not {@link #idempotent} needs it not.
     */
    public JdbcSink<T> fenced() {
        return new JdbcSink<>(connecting, target, type, batch, wait, idempotent, true);
    }

    @Override
    public String name() {
        return target.words() + " of " + connecting.place();
    }

    /** Where records are confirmed one by one, each is written before {@link SinkWriter#write} returns. */
    @Override
    public boolean immediate() {
        return true;
    }

    @Override
    public boolean blocking() {
        return true;
    }

    @Override
    public SinkWriter<T> open(SinkContext context) throws InterruptedException {
        return open(context, Pause.REAL);
    }

    SinkWriter<T> open(SinkContext context, Pause pause) throws InterruptedException {
        check();
        ReconnectingConnection session = new ReconnectingConnection(
                connecting, type, context.reports().connections(), pause, context.reports()::nowNs);
        boolean done = false;
        try {
            Fields fields = Fields.of(type);
            if (!target.first().isEmpty()) {
                first(session);
            }
            RowStatement statement = session.query(
                    "look at " + target.words(), connection -> RowStatement.of(connection, connecting, target, fields));
            Rows rows = new Rows(statement, connecting, target, context.reports(), batch);
            SinkWriter<T> writer = context.guarantee() == Guarantee.EXACTLY_ONCE && !idempotent
                    ? holding(statement, rows, session, context)
                    : new PlainWriter<>(
                            statement, rows, session, fence(session, context), target, batch, wait, context);
            done = true;
            return writer;
        } finally {
            if (!done) {
                session.close();
            }
        }
    }

    /** PostgreSQL fails one of two tasks that create the same table at once. */
    private void first(ReconnectingConnection session) throws InterruptedException {
        int[] tries = {0};
        session.transaction("run the first statement", connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(target.first());
            } catch (SQLException e) {
                boolean raced = session.failures().raced(e, connection);
                throw raced && tries[0]++ < MOST_RACES ? TryAgain.atOnce(e) : e;
            }
        });
    }

    private static final int MOST_RACES = 10;

    private void check() {
        if (target.upsert() && target.keys().isEmpty()) {
            throw new ConnectorException("the upsert into " + target.words() + " has no key; add .key(…)");
        }
        if (target.upsert() && !connecting.dialect().upserts()) {
            throw new ConnectorException("how to upsert is known for PostgreSQL, SQLite and DuckDB, and not for "
                    + connecting.place() + "; use Jdbc.statement(…) with a MERGE of that database");
        }
    }

    private SinkWriter<T> holding(
            RowStatement statement, Rows rows, ReconnectingConnection session, SinkContext context)
            throws InterruptedException {
        Codec<Object> codec = context.records();
        if (codec == null) {
            throw new ConnectorException(
                    name() + " cannot be written exactly once: nobody knows how to keep its records");
        }
        String sink = sink(context);
        CheckpointTable table = table(session, context);
        HoldingWriter<T> writer = new HoldingWriter<>(statement, rows, session, table, target, codec, context, sink);
        writer.open();
        return writer;
    }

    private String sink(SinkContext context) {
        String what = target.table().isEmpty() ? "statement" : target.table();
        return context.topology() + "/" + context.operator() + "/" + what;
    }

    private CheckpointTable table(ReconnectingConnection session, SinkContext context) throws InterruptedException {
        String schema = target.hasSchema()
                ? session.query(
                        "look at " + target.words(),
                        connection -> Table.find(connection, connecting, target.table())
                                .schemaPrefix())
                : "";
        return new CheckpointTable(connecting, schema, sink(context), context);
    }

    /** A job without checkpoints is not started again. */
    private Fence fence(ReconnectingConnection session, SinkContext context) throws InterruptedException {
        return fenced && context.checkpoint() != SinkContext.NO_CHECKPOINTS
                ? Fence.raise(table(session, context), session)
                : Fence.NONE;
    }
}
