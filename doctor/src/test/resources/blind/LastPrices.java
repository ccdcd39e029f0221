// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps the last prices of a million papers in a cache, in a heap that is hardly larger than it. */
public final class LastPrices implements TopologyDefinition {
    record Tick(long paper, double price) {}

    record Change(long paper, double by) {}

    @Override
    public void define(Topology topology, Settings settings) {
        int papers = (int) settings.number("papers", 900_000);
        topology.from(Sources.generate(1_000_000_000_000L, i -> new Tick(i * 7919 % (2L * papers), i % 1000 / 10.0))
                        .splitInto(2))
                .name("ticks")
                .process(() -> new Changes(papers / 2))
                .name("changes")
                .filter(change -> change.by() > 50)
                .name("large")
                .to(Sinks.discard());
    }

    static final class Changes implements Operator<Tick, Change> {
        private final Map<Long, Double> last;

        Changes(int most) {
            last = new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Double> eldest) {
                    return size() > most;
                }
            };
        }

        @Override
        public void process(Tick tick, Output<Change> output) {
            Double before = last.put(tick.paper(), tick.price());
            output.emit(new Change(tick.paper(), before == null ? 0 : tick.price() - before));
        }
    }
}
