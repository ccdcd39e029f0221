// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Collects the pages of each visit with their HTML. Every visit has a new number, and nobody ever clears one. */
public final class Visits implements TopologyDefinition {
    record View(long visit, String html) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new View(i / 3, ("<p>" + i + "</p>").repeat(150)))
                        .rate(15_000))
                .name("views")
                .keyBy(View::visit)
                .process(Collect::new)
                .name("visits")
                .to(Sinks.discard());
    }

    static final class Collect implements KeyedOperator<Long, View, Integer> {
        private ListState<View> views;

        @Override
        public void open(KeyedContext context) {
            views = context.listState("views", Type.of(View.class));
        }

        @Override
        public void process(Long visit, View view, Output<Integer> output) {
            views.add(view);
            int length = 0;
            for (View each : views) {
                length += each.html().length();
            }
            output.emit(length);
        }
    }
}
