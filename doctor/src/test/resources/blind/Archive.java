// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.util.concurrent.locks.LockSupport;

/** Two faults: inserts each row into a database by itself and commits it; and every small step before is isolated. */
public final class Archive implements TopologyDefinition {
    record Row(long id, String text) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Row(i, " text " + i % 100)))
                .name("rows")
                .map(row -> new Row(row.id(), row.text().strip()))
                .name("strip")
                .isolate()
                .filter(row -> !row.text().isEmpty())
                .name("not-empty")
                .isolate()
                .to(new Table())
                .name("insert");
    }

    record Table() implements Sink<Row> {
        @Override
        public String name() {
            return "archive table";
        }

        @Override
        public SinkWriter<Row> open(SinkContext context) {
            return new Insert();
        }
    }

    static final class Insert implements SinkWriter<Row> {
        private long committed;

        @Override
        public void write(Row row) {
            execute("insert into archive values (" + row.id() + ", '" + row.text() + "')");
            execute("commit");
        }

        private void execute(String statement) {
            LockSupport.parkNanos(700_000); // the database's round trip
            committed += statement.length();
        }

        @Override
        public void close() {
            committed = 0;
        }
    }
}
