// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.run.JoinTable;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.util.clock.SystemClock;
import org.jspecify.annotations.Nullable;

/** Joins records with a table that every task reads completely when it opens. */
public final class TableJoin extends OneInput {
    private static final long serialVersionUID = 1L;

    private final NodeSpec.TableJoin join;
    private transient @Nullable JoinTable table;

    /** True if the bad rows of the table were counted before the checkpoint. */
    private transient boolean restored;

    public TableJoin(StageSettings settings, NodeSpec.TableJoin join) {
        super(settings);
        this.join = join;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        restored = context.isRestored() && settings.checkpoints();
    }

    @Override
    void begin() throws Exception {
        try {
            table = JoinTable.read(join, new Context());
        } catch (JoinTable.RowException e) {
            throw failure(e.split(), e.offset(), e.thrown());
        } catch (Exception e) {
            throw failure(e);
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

        /** Of one task, too. */
        @Override
        public void warn(String message) {
            if (task() == 0) {
                reports().warn("operator '" + settings.place().operator() + "': " + message);
            }
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
            joined = opened(table).join(value);
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        if (joined != null) {
            emit(joined);
        }
    }
}
