// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.random.Functions.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A random topology with its input, made through the public API: sources with splits, disorder and late records;
 * operators, groupings, windows, state, timers and side outputs of every kind; several sinks. Its result depends
 * neither on parallelism nor on scheduling, so every runner must give the same. The same seed and number of steps give
 * the same topology; fewer steps give the beginning of it.
 */
public final class RandomTopology {
    /** Prefix of the names of sinks for windows that may emit several results. */
    static final String SETTLED = "settled-";

    private final long seed;
    private final int steps;
    private final TopologyGraph graph;
    private final Log log = new Log();

    /** Inputs find their way into the graph by weak references. */
    private final List<Object> held = new ArrayList<>();

    private RandomTopology(long seed, int steps, boolean ending) {
        this.seed = seed;
        this.steps = steps;
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        Topology topology = Topology.named("random-" + seed);
        Flows flows = new Flows(random, log);
        RandomSources sources = new RandomSources(random, topology, log, held);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            flows.add(sources.next());
        }
        RandomSteps operators = new RandomSteps(random, log, flows, ending);
        for (int i = 0; i < steps; i++) {
            operators.next();
        }
        flows.toSinks();
        graph = topology.graph();
    }

    /** @param steps operators after the sources, about */
    public static RandomTopology of(long seed, int steps) {
        return new RandomTopology(seed, steps, false);
    }

    /** As {@link #of}, with limits that may end sources: then not all records are read that are bad or late. */
    public static RandomTopology ending(long seed, int steps) {
        return new RandomTopology(seed, steps, true);
    }

    /** The graph that was made. */
    public TopologyGraph graph() {
        return graph;
    }

    /** The records of each sink, sorted, without results that a later one has replaced. */
    public static Map<String, Map<Object, Integer>> settled(Outcome outcome) {
        Map<String, Map<Object, Integer>> settled = new LinkedHashMap<>();
        outcome.sinks().forEach((name, records) -> {
            Map<Object, Integer> counts = new HashMap<>();
            Collection<?> counted = name.startsWith(SETTLED) ? lastOf(records) : records;
            counted.forEach(record -> counts.merge(record, 1, Integer::sum));
            settled.put(name, counts);
        });
        return settled;
    }

    /** The last result of each key and window; a session that grew replaces its parts. */
    private static List<Row> lastOf(List<Object> records) {
        Map<Row, Row> last = new LinkedHashMap<>();
        for (Object record : records) {
            Row row = (Row) record;
            last.put(new Row(row.key(), row.start(), row.end(), 0), row);
        }
        return last.values().stream()
                .filter(row -> last.values().stream().noneMatch(row::isPartOf))
                .toList();
    }

    /** How it was made, to read. */
    @Override
    public String toString() {
        return "random topology of seed " + seed + " with " + steps + " steps\n" + log;
    }
}
