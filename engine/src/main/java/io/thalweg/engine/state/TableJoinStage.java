// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Stage;
import io.thalweg.run.Clock;
import io.thalweg.run.JoinTable;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Joins records with a table that it reads whole when it opens. */
final class TableJoinStage implements Receiver, Stage {
    private final String operator;
    private final boolean reports;
    private final Frame frame;
    private final NodeSpec.TableJoin join;
    private final Clock clock;
    private final Consumer<String> warnings;
    private final Receiver next;
    private @Nullable JoinTable table;

    /**
     * @param reports true in the one task that counts and keeps the bad rows, which all tasks read, and tells what the table's source says
     * @param warnings gets lines for the user
     */
    TableJoinStage(
            String operator,
            boolean reports,
            Frame frame,
            NodeSpec.TableJoin join,
            Clock clock,
            Consumer<String> warnings,
            Receiver next) {
        this.operator = operator;
        this.reports = reports;
        this.frame = frame;
        this.join = join;
        this.clock = clock;
        this.warnings = warnings;
        this.next = next;
    }

    @Override
    public String operator() {
        return operator;
    }

    @Override
    public void open() throws Exception {
        SourceContext context = new SourceContext() {
            @Override
            public void bad(BadRecord record) {
                badRow(record);
            }

            @Override
            public void warn(String message) {
                if (reports) {
                    warnings.accept("operator '" + operator + "': " + message);
                }
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
        try {
            table = JoinTable.read(join, context);
        } catch (JoinTable.RowException e) {
            throw new OperatorException(operator, e.split(), e.offset(), e.thrown());
        }
    }

    private void badRow(BadRecord row) {
        if (reports) {
            frame.bad(operator, row);
        }
    }

    @Override
    public void accept(Object value) throws Exception {
        @Nullable Object joined;
        try {
            joined = opened().join(value);
        } catch (Throwable thrown) {
            frame.onThrown(operator, thrown);
            return;
        }
        if (joined != null) {
            next.accept(joined);
        }
    }

    private JoinTable opened() {
        if (table == null) {
            throw new IllegalStateException("not open");
        }
        return table;
    }

    @Override
    public StateStats stateStats() {
        Map<Object, Object> rows = table == null ? Map.of() : table.rows();
        return new StateStats(operator, rows.size(), HeapSize.of(rows));
    }
}
