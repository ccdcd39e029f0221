// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.BadRecordException;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.util.clock.SystemClock;
import org.jspecify.annotations.Nullable;

/** Joins records with a table that every task reads whole when it opens. */
public final class TableJoin extends Stage {
    private static final long serialVersionUID = 1L;

    private final NodeSpec.TableJoin join;
    private transient @Nullable Map<Object, Object> rows;

    public TableJoin(Shape shape, NodeSpec.TableJoin join) {
        super(shape);
        this.join = join;
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
                    read(reader, copies, read);
                } finally {
                    reader.close();
                }
            }
        } catch (Exception e) {
            throw failure(e);
        }
        rows = read;
    }

    private void read(SplitReader<Object> reader, @Nullable Codec<Object> copies, Map<Object, Object> into)
            throws Exception {
        while (true) {
            try {
                Object row = reader.poll();
                if (row != null) {
                    Object kept = copies == null ? row : copies.copy(row);
                    into.put(join.tableKey().apply(kept), kept);
                } else if (reader.finished()) {
                    return;
                } else {
                    Thread.onSpinWait();
                }
            } catch (BadRecordException e) {
                bad(e);
            }
        }
    }

    private final class Context implements SourceContext {
        @Override
        public void bad(BadRecord record) {
            reports().bad(record);
        }

        @Override
        public long nowNs() {
            return SystemClock.getInstance().relativeTimeNanos();
        }
    }

    @Override
    void accept(Object value) throws Exception {
        @Nullable Object joined;
        try {
            joined = join.function().apply(value, opened(rows).get(join.key().apply(value)));
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        if (joined != null) {
            emit(joined);
        }
    }
}
