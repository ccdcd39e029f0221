// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Stage;
import io.thalweg.run.Clock;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Joins records with a table that it reads whole when it opens. */
public final class TableJoinStage implements Receiver, Stage {
    private final String operator;
    private final boolean reports;
    private final Frame frame;
    private final NodeSpec.TableJoin join;
    private final Clock clock;
    private final Receiver next;
    private final Map<Object, Object> rows = new HashMap<>();

    /** @param reports true in the one task that counts and keeps the bad rows, which all tasks read */
    public TableJoinStage(
            String operator, boolean reports, Frame frame, NodeSpec.TableJoin join, Clock clock, Receiver next) {
        this.operator = operator;
        this.reports = reports;
        this.frame = frame;
        this.join = join;
        this.clock = clock;
        this.next = next;
    }

    @Override
    public String operator() {
        return operator;
    }

    @Override
    public void open() throws Exception {
        Source<Object> table = join.table();
        Codec<Object> copies = table.reusesRecords() ? table.type().codec() : null;
        SourceContext context = new SourceContext() {
            @Override
            public void bad(BadRecord record) {
                badRow(record);
            }

            @Override
            public long nowNs() {
                return clock.nowNs();
            }

            @Override
            public ConnectionReports connections() {
                return frame.connections.apply(operator);
            }
        };
        for (String split : table.splits(1)) {
            SplitReader<Object> reader = table.open(split, context);
            try {
                read(reader, split, copies);
            } finally {
                reader.close();
            }
        }
    }

    private void badRow(BadRecord row) {
        if (reports) {
            frame.bad(operator, row);
        }
    }

    private void read(SplitReader<Object> reader, String split, @Nullable Codec<Object> copies) throws Exception {
        while (true) {
            try {
                Object row = reader.poll();
                if (row != null) {
                    keep(copies == null ? row : copies.copy(row), split, reader);
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

    /** A row without a key matches nothing. */
    private void keep(Object row, String split, SplitReader<Object> reader) throws OperatorException {
        try {
            @Nullable Object key = join.tableKey().apply(row);
            if (key != null) {
                rows.put(key, row);
            }
        } catch (BadRecordException e) {
            throw e;
        } catch (Exception e) {
            throw new OperatorException(operator, split, reader.recordOffset(), e);
        }
    }

    @Override
    public void accept(Object value) throws Exception {
        @Nullable Object joined;
        try {
            @Nullable Object key = join.key().apply(value);
            joined = join.function().apply(value, key == null ? null : rows.get(key));
        } catch (Throwable thrown) {
            frame.onThrown(operator, thrown);
            return;
        }
        if (joined != null) {
            next.accept(joined);
        }
    }

    @Override
    public StateStats stateStats() {
        return new StateStats(operator, rows.size(), HeapSize.of(rows));
    }
}
