// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.util.ArrayList;
import java.util.List;

/** Remembers all messages in a list, to find repetitions, until the memory is used up. */
public final class Recent implements TopologyDefinition {
    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> "message " + i + " ".repeat(500)).rate(60_000))
                .name("messages")
                .process(Repeated::new)
                .name("recent")
                .to(Sinks.discard());
    }

    static final class Repeated implements Operator<String, String> {
        private final List<String> recent = new ArrayList<>();

        @Override
        public void process(String message, Output<String> output) {
            int last = recent.size() - 1;
            if (last >= 0 && recent.get(last).equals(message)) {
                output.emit(message);
            }
            recent.add(message);
        }
    }
}
