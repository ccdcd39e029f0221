// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.codec.StableHash;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.topology.Topology;
import java.util.List;
import java.util.stream.LongStream;

/** Keys that divide records unevenly, in several ways. */
final class KeyJobs {
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    /** Keys that all go to the first of two tasks, and half of them to the second of four. */
    private static final long[] TOGETHER =
            LongStream.concat(onTaskOfFour(0), onTaskOfFour(1)).toArray();

    private KeyJobs() {}

    static final List<PlantedJob> JOBS = List.of(
            PlantedJob.of(
                    "hot-key", List.of("skewed-keys @ score"), () -> job(value -> value % 5 == 0 ? value % 1_000 : 7)),
            PlantedJob.of(
                    "keys-together",
                    List.of("skewed-keys @ score"),
                    () -> job(value -> value % 10 == 0 ? value % 1_000 : TOGETHER[(int) (value % TOGETHER.length)])),
            PlantedJob.of("healthy-keys", List.of(), () -> job(value -> value % 1_000)),
            PlantedJob.of("healthy-zipf", List.of(), () -> job(KeyJobs::zipf)));

    private static LongStream onTaskOfFour(int task) {
        return LongStream.range(1_000, 2_000)
                .filter(key -> StableHash.taskOf(
                                StableHash.keyGroup(Type.of(Long.class).codec().hash(key)), 4)
                        == task)
                .limit(3);
    }

    /** Of 10,000 keys, the first has about a twentieth of the records, and key k about k to the power of -2/3 of that. */
    private static long zipf(long value) {
        double uniform = (StableHash.mix((int) value) >>> 1) / (double) Integer.MAX_VALUE;
        return (long) (10_000 * uniform * uniform * uniform);
    }

    private static TopologyGraph job(MapFunction<Long, Long> key) {
        Topology topology = Topology.named("Keys");
        topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                .keyBy(key)
                .process(() -> new FirstHalf.Scoring(10))
                .name("score")
                .to(Sinks.discard());
        return topology.graph();
    }
}
