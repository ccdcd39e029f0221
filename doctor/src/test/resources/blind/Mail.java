// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Sorts mail: spreads it to all tasks anew before every small step, "to balance the load". */
public final class Mail implements TopologyDefinition {
    record Letter(String from, String to, String subject, int size) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(
                                100_000_000_000L,
                                i -> new Letter("ann", (i & 1) == 0 ? "bob" : "eve", "hello", (int) (i % 50_000)))
                        .splitInto(2))
                .name("letters")
                .shuffle()
                .filter(letter -> letter.size() > 10)
                .name("not-empty")
                .shuffle()
                .filter(letter -> !letter.to().isEmpty())
                .name("addressed")
                .shuffle()
                .map(Letter::size)
                .name("size")
                .to(Sinks.discard());
    }
}
