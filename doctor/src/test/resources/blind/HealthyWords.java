// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.util.List;

/** Counts words as fast as it goes, on all cores. */
public final class HealthyWords implements TopologyDefinition {
    private static final List<String> WORDS =
            List.of("river", "bank", "water", "stone", "bridge", "mill", "ferry", "reed", "heron", "eel", "flood", "ice");

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, HealthyWords::line).splitInto(4))
                .name("lines")
                .flatMap(line -> List.of(line.split(" ")))
                .as(String.class)
                .name("words")
                .keyBy(word -> word)
                .aggregate(Aggregates.count())
                .name("count")
                .to(Sinks.discard());
    }

    static String line(long i) {
        StringBuilder line = new StringBuilder();
        long random = i;
        for (int word = 0; word < 10; word++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            line.append(WORDS.get((int) (random >>> 40) % WORDS.size())).append((random >>> 33) % 400).append(' ');
        }
        return line.toString();
    }
}
