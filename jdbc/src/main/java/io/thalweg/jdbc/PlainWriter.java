// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Writes rows in batches as they come; a checkpoint waits until all are written that came before it. After a failure some are written
 * a second time.
 */
final class PlainWriter<T> implements CheckpointedWriter<T> {
    private static final byte[] NOTHING = {};

    private final RowStatement statement;
    private final Rows rows;
    private final ReconnectingConnection session;
    private final Fence fence;
    private final String what;
    private final int most;
    private final long waitMs;
    private final List<Rows.Row> held = new ArrayList<>();
    private long count;

    /** When what is held has waited for long enough: {@link Long#MAX_VALUE} if nothing is, 0 if the clock is not known yet. */
    private long dueMs = Long.MAX_VALUE;

    PlainWriter(
            RowStatement statement,
            Rows rows,
            ReconnectingConnection session,
            Fence fence,
            Target target,
            int batch,
            Duration wait,
            SinkContext context) {
        this.statement = statement;
        this.rows = rows;
        this.session = session;
        this.fence = fence;
        what = "write " + target.words();
        waitMs = wait.toMillis();
        // A record that is confirmed when write returns must be there by then.
        boolean eachAtOnce =
                context.guarantee() == Guarantee.ACKED && context.checkpoint() == SinkContext.NO_CHECKPOINTS;
        most = eachAtOnce ? 1 : batch;
    }

    @Override
    public void write(T value) throws Exception {
        count++;
        held.add(new Rows.Row(statement.row(value), count));
        if (held.size() >= most) {
            flush();
        } else if (dueMs == Long.MAX_VALUE) {
            dueMs = 0;
        }
    }

    @Override
    public long dueMs() {
        return dueMs;
    }

    @Override
    public void onClock(long epochMs) throws InterruptedException {
        if (dueMs == 0) {
            dueMs = epochMs + waitMs;
        }
        if (dueMs <= epochMs) {
            flush();
        }
    }

    private void flush() throws InterruptedException {
        dueMs = Long.MAX_VALUE;
        if (!held.isEmpty()) {
            BitSet bad = new BitSet();
            session.transaction(what, connection -> {
                fence.hold(connection);
                rows.write(connection, held, bad);
            });
            held.clear();
        }
    }

    @Override
    public byte[] save(long checkpoint) throws InterruptedException {
        flush();
        return NOTHING;
    }

    /** What was written stays, and what came after the checkpoint is written once more. */
    @Override
    public void restore(List<byte[]> saved) {
        HeldRows.refuse(saved);
    }

    @Override
    public void finish() throws InterruptedException {
        flush();
        fence.leave(session);
    }

    @Override
    public void close() {
        session.close();
    }
}
