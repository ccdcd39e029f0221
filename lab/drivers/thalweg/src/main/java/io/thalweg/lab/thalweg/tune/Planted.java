// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg.tune;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;

/**
 * Counts pseudo-random numbers by their remainder.
 *
 * <p>Settings: {@code records}, {@code rounds} of computing for each, {@code keys}, {@code kind} that the others are preset
 * by: {@code slow} computes much, {@code wide} has 1.5 million keys, {@code chatty} hands many small records from
 * task to task.
 */
public final class Planted implements TopologyDefinition {
    private static final int SPLITS = 4;

    record Row(long key, long n) {}

    /** What a job of some seconds does. */
    private record Kind(long records, long rounds, long keys, boolean isolate) {
        static Kind of(String name) {
            return switch (name) {
                case "slow" -> new Kind(4_000_000, 200, 10, false);
                case "wide" -> new Kind(12_000_000, 1, 1_500_000, false);
                case "chatty" -> new Kind(30_000_000, 1, 10, true);
                default -> throw new IllegalArgumentException("kind is slow, wide or chatty, not '" + name + "'");
            };
        }
    }

    /** Marsaglia's xorshift, with shifts 13, 7 and 17. */
    private static long mix(long number, long rounds) {
        long mixed = number;
        for (long i = 0; i < rounds; i++) {
            mixed ^= mixed << 13;
            mixed ^= mixed >>> 7;
            mixed ^= mixed << 17;
        }
        return mixed;
    }

    @Override
    public void define(Topology topology, Settings settings) {
        Kind kind = Kind.of(settings.text("kind", "slow"));
        long rounds = settings.number("rounds", kind.rounds);
        long keys = settings.number("keys", kind.keys);
        Stream<Long> mixed = topology.from(Sources.generate(settings.number("records", kind.records), i -> i + 1)
                        .splitInto(SPLITS))
                .name("numbers")
                .map(number -> mix(number, rounds))
                .name("mix");
        if (kind.isolate) {
            mixed = mixed.isolate();
        }
        mixed.keyBy(number -> Math.floorMod(number, keys))
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .name("count")
                .map(result -> new Row(result.key(), result.value()))
                .filter(row -> row.key() < 10)
                .to(Sinks.<Row>table("Some remainders").sortedBy((one, other) -> Long.compare(one.key(), other.key())));
    }
}
