// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import java.time.Duration;
import java.util.List;

/** Power meters of four streets. The meters of one street are not mounted yet, and no window is ever emitted. */
public final class Meters implements TopologyDefinition {
    record Reading(String meter, long time, double watts) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(new Streets())
                .name("meters")
                .eventTime(Reading::time, Duration.ofSeconds(1))
                .name("time")
                .keyBy(Reading::meter)
                .window(Windows.tumbling(Duration.ofSeconds(10)))
                .aggregate(Aggregates.mean(Reading::watts))
                .name("per-ten-seconds")
                .to(Sinks.discard());
    }

    record Streets() implements Source<Reading> {
        @Override
        public String name() {
            return "streets";
        }

        @Override
        public Type<Reading> type() {
            return Type.of(Reading.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("mill-lane", "high-street", "station-road", "new-quarter");
        }

        @Override
        public SplitReader<Reading> open(String split, SourceContext context) {
            return new Street(split, context);
        }
    }

    static final class Street implements SplitReader<Reading> {
        private final String name;
        private final SourceContext context;
        private final long startNs;
        private long made;

        Street(String name, SourceContext context) {
            this.name = name;
            this.context = context;
            startNs = context.nowNs();
        }

        @Override
        public Reading poll() {
            if (name.equals("new-quarter") || context.nowNs() - startNs < made * 100_000) {
                return null;
            }
            made++;
            return new Reading(name + made % 300, 1_517_900_000_000L + made * 5, made % 2000);
        }

        @Override
        public boolean finished() {
            return false;
        }

        @Override
        public long position() {
            return made;
        }

        @Override
        public long nextDueNs() {
            return name.equals("new-quarter") ? context.nowNs() + 50_000_000 : startNs + made * 100_000;
        }
    }
}
