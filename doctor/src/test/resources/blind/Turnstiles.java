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

/**
 * Two faults: one entrance closes after two seconds and holds the watermark back, so that the windows behind it, which
 * keep every pass in a list, grow and are never emitted.
 */
public final class Turnstiles implements TopologyDefinition {
    record Pass(String card, long time, String picture) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(new Entrances())
                .name("entrances")
                .eventTime(Pass::time, Duration.ofSeconds(2))
                .name("time")
                .keyBy(Pass::card)
                .window(Windows.tumbling(Duration.ofMinutes(1)))
                .aggregate(Aggregates.list(Type.of(Pass.class)))
                .name("per-minute")
                .map(result -> result.key() + " passed " + result.value().size() + " times")
                .to(Sinks.discard());
    }

    record Entrances() implements Source<Pass> {
        @Override
        public String name() {
            return "entrances";
        }

        @Override
        public Type<Pass> type() {
            return Type.of(Pass.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("north", "south", "west");
        }

        @Override
        public SplitReader<Pass> open(String split, SourceContext context) {
            return new Entrance(split.equals("west") ? 10_000 : Long.MAX_VALUE, context);
        }
    }

    static final class Entrance implements SplitReader<Pass> {
        private static final long EACH_NS = 200_000;

        private final long most;
        private final SourceContext context;
        private final long startNs;
        private long made;

        Entrance(long most, SourceContext context) {
            this.most = most;
            this.context = context;
            startNs = context.nowNs();
        }

        @Override
        public Pass poll() {
            if (made >= most || context.nowNs() - startNs < made * EACH_NS) {
                return null;
            }
            made++;
            return new Pass("card" + made * 7919 % 50_000, 1_517_900_000_000L + made * 20, "x".repeat(3000) + made);
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
            return made >= most ? context.nowNs() + 50_000_000 : startNs + made * EACH_NS;
        }
    }
}
