// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.ConnectionReports;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.util.clock.SystemClock;
import org.jspecify.annotations.Nullable;

/** Joins records with a table that every task reads completely when it opens. */
public final class TableJoin extends OneInput {
    private static final long serialVersionUID = 1L;

    private final NodeSpec.TableJoin join;
    private transient @Nullable Map<Object, Object> rows;

    /** True if the bad rows of the table were counted before the checkpoint. */
    private transient boolean restored;

    public TableJoin(Shape shape, NodeSpec.TableJoin join) {
        super(shape);
        this.join = join;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        restored = context.isRestored() && shape.checkpoints();
    }

    @Override
    public void open() throws Exception {
        super.open();
        Map<Object, Object> read = new HashMap<>();
        try {
            Source<Object> table = join.table();
            Codec<Object> copies = table.reusesRecords() ? table.type().codec() : null;
            for (String split : table.splits(1)) {
                SplitReader<Object> reader = table.open(split, new Context());
                try {
                    read(reader, split, copies, read);
                } finally {
                    reader.close();
                }
            }
        } catch (Exception e) {
            throw failure(e);
        }
        rows = read;
    }

    private void read(
            SplitReader<Object> reader, String split, @Nullable Codec<Object> copies, Map<Object, Object> into)
            throws Exception {
        while (true) {
            try {
                Object row = reader.poll();
                if (row != null) {
                    Object kept = copies == null ? row : copies.copy(row);
                    @Nullable Object key = join.tableKey().apply(kept);
                    if (key != null) { // a row without a key matches nothing
                        into.put(key, kept);
                    }
                } else if (reader.finished()) {
                    return;
                } else {
                    Thread.onSpinWait();
                }
            } catch (BadRecordException e) {
                String reason = String.valueOf(e.getMessage());
                badRow(new BadRecord(split, reader.line(), reader.recordOffset(), reason, e.bytes()));
            }
        }
    }

    /** Counts and keeps a bad row, in only one task, because all tasks read the whole table. */
    private void badRow(BadRecord row) {
        if (task() == 0 && !restored) {
            reports().bad(row);
        }
    }

    private final class Context implements SourceContext {
        @Override
        public void bad(BadRecord record) {
            badRow(record);
        }

        @Override
        public long nowNs() {
            return SystemClock.getInstance().relativeTimeNanos();
        }

        @Override
        public ConnectionReports connections() {
            return reports().connections();
        }
    }

    @Override
    void accept(Object value) throws Exception {
        @Nullable Object joined;
        try {
            @Nullable Object key = join.key().apply(value);
            joined = join.function()
                    .apply(value, key == null ? null : opened(rows).get(key));
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        if (joined != null) {
            emit(joined);
        }
    }
}
