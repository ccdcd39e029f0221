// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Schema;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes each record once. Records are held until the checkpoint is complete that promises them, which keeps them, too. Then they are
 * written in one transaction with the number of their interval, so that nobody writes them a second time.
 */
final class HoldingWriter<T> implements CheckpointedWriter<T> {
    private final RowStatement statement;
    private final Rows rows;
    private final ReconnectingConnection session;
    private final CheckpointTable table;
    private final Target target;
    private final Codec<Object> codec;
    private final @Nullable Schema schema;
    private final SinkContext context;
    private final String sink;
    private final String writer = UUID.randomUUID().toString();

    private final ByteWriter held = new ByteWriter(1 << 12);
    private int heldCount;
    private long last;
    private final List<HeldRows.Interval> promised = new ArrayList<>();

    /** Of whom this one has taken over; the database may forget them once a checkpoint does without them. */
    private List<String> former = new ArrayList<>();

    /** The first checkpoint that does without them. */
    private long doesWithout = Long.MAX_VALUE;

    /** The latest that anything was heard of. */
    private long latest;

    HoldingWriter(
            RowStatement statement,
            Rows rows,
            ReconnectingConnection session,
            CheckpointTable table,
            Target target,
            Codec<Object> codec,
            SinkContext context,
            String sink) {
        this.statement = statement;
        this.rows = rows;
        this.session = session;
        this.table = table;
        this.target = target;
        this.codec = codec;
        schema = Schema.of(codec);
        this.context = context;
        this.sink = sink;
        latest = Math.max(0, context.checkpoint());
    }

    void open() throws InterruptedException {
        table.create(session);
        session.transaction("take over the sink " + sink, connection -> {
            table.take(connection, writer);
        });
    }

    /** A record that cannot become a row is bad here, where its place is known. */
    @Override
    public void write(T value) throws Exception {
        statement.row(value);
        int before = held.size();
        try {
            codec.encode(value, held);
        } catch (RuntimeException e) {
            held.wrap(held.array(), before);
            throw e;
        }
        heldCount++;
    }

    @Override
    public byte[] save(long checkpoint) {
        // What is saved at the end belongs to a later checkpoint than any before, whose completion may still be told.
        long promisedBy = checkpoint == 0 ? latest + 1 : checkpoint;
        latest = Math.max(latest, checkpoint);
        doesWithout = Math.min(doesWithout, promisedBy);
        if (heldCount > 0) {
            promised.add(new HeldRows.Interval(++last, promisedBy, heldCount, held.toByteArray()));
            held.clear();
            heldCount = 0;
        }
        return new HeldRows(sink, writer, last, schema, promised).toBytes();
    }

    /** May be called for the checkpoint that the job continues from: that one still needs the former numbers. */
    @Override
    public void commit(long checkpoint) throws Exception {
        latest = Math.max(latest, checkpoint);
        writeUpTo(checkpoint, checkpoint);
    }

    /** @param completed for the table to remember */
    private void writeUpTo(long checkpoint, long completed) throws Exception {
        List<HeldRows.Interval> due = promised.stream()
                .filter(each -> each.checkpoint() <= checkpoint)
                .toList();
        List<String> gone = checkpoint >= doesWithout ? former : List.of();
        if (due.isEmpty() && gone.isEmpty()) {
            return;
        }
        List<Rows.Row> all = rowsOf(due, codec);
        BitSet bad = new BitSet();
        session.transaction(what(), connection -> {
            table.check(connection);
            table.forget(connection, gone);
            if (!due.isEmpty()) {
                write(connection, due, all, bad, completed);
            }
        });
        if (!gone.isEmpty()) {
            former = new ArrayList<>();
        }
        promised.removeAll(due);
    }

    private void write(
            Connection connection, List<HeldRows.Interval> due, List<Rows.Row> all, BitSet bad, long checkpoint)
            throws SQLException {
        long number = due.get(due.size() - 1).number();
        if (table.advance(connection, writer, number, checkpoint)) {
            rows.write(connection, all, bad);
        } else if (table.written(connection, writer).isEmpty()) {
            throw unknown(writer);
        }
    }

    private String what() {
        return "write " + target.words();
    }

    private List<Rows.Row> rowsOf(List<HeldRows.Interval> intervals, Codec<Object> reader) throws Exception {
        List<Rows.Row> all = new ArrayList<>();
        for (HeldRows.Interval each : intervals) {
            ByteReader in = new ByteReader(each.records());
            for (int i = 0; i < each.count(); i++) {
                all.add(new Rows.Row(statement.row(reader.decode(in)), all.size() + 1L));
            }
            if (in.remaining() > 0) {
                throw new CodecException(in.remaining() + " bytes are left behind the last record");
            }
        }
        return all;
    }

    @Override
    public void restore(List<byte[]> saved) throws Exception {
        if (!target.replaces()) {
            session.transaction("read " + CheckpointTable.NAME, connection -> {
                checkAge(table.completed(connection));
            });
        }
        for (byte[] each : saved) {
            try {
                takeOver(HeldRows.of(each));
            } catch (CodecException e) {
                throw new ConnectorException("cannot restore the rows that the checkpoint holds for " + target.words()
                        + ": "
                        + e.getMessage() + "; end the job with the record as it was, or begin without these rows with"
                        + " --discard-state");
            }
        }
    }

    /** Of the records of a checkpoint, whose class may have changed since. */
    private Codec<Object> reader(HeldRows from) {
        return from.schema() == null ? codec : from.schema().reader(codec);
    }

    private void checkAge(long completed) {
        if (completed > context.checkpoint()) {
            throw new ConnectorException(
                    "cannot continue from checkpoint " + context.checkpoint() + ": " + target.words()
                            + " holds what was written up to checkpoint " + completed
                            + ", and rows that were inserted cannot be rolled back; continue from a later checkpoint, or remove"
                            + " the rows and begin again");
        }
    }

    private void takeOver(HeldRows from) throws Exception {
        if (!from.sink().equals(sink)) {
            throw new ConnectorException("the checkpoint is of the sink " + from.sink() + ", and this is " + sink
                    + "; begin without the sink's state with --discard-state");
        }
        boolean done = false;
        while (!done) {
            done = writeMissing(from);
        }
        former.add(from.writer());
    }

    /** False if the other task, which may not have ended yet, has written some of them meanwhile: look again. */
    private boolean writeMissing(HeldRows from) throws Exception {
        Optional<CheckpointTable.Written> before =
                session.query("read " + CheckpointTable.NAME, connection -> table.written(connection, from.writer()));
        if (before.isEmpty() && !target.replaces()) {
            throw unknown(from.writer());
        }
        long written = before.map(CheckpointTable.Written::number).orElse(0L);
        List<HeldRows.Interval> missing = from.intervals().stream()
                .filter(each -> each.number() > written)
                .toList();
        if (missing.isEmpty()) {
            return true;
        }
        List<Rows.Row> all = rowsOf(missing, reader(from));
        BitSet bad = new BitSet();
        long number = missing.get(missing.size() - 1).number();
        return session.query(what(), connection -> {
            table.check(connection);
            boolean ours = before.isEmpty()
                    || table.advance(connection, from.writer(), before.get(), number, context.checkpoint());
            if (ours) {
                rows.write(connection, all, bad);
            }
            return ours;
        });
    }

    private ConnectorException unknown(String who) {
        return new ConnectorException("table " + CheckpointTable.NAME + " does not know writer " + who + " of the sink "
                + sink + ", so that nobody can tell which rows are written; was the table emptied, is this another"
                + " database, or is the checkpoint older than the rows? Begin again, or use upsert(…)");
    }

    /** The job is over, in good order. */
    @Override
    public void finish() throws Exception {
        save(0);
        writeUpTo(Long.MAX_VALUE, latest);
    }

    @Override
    public void close() {
        session.close();
    }
}
