// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.BadLimit;
import io.thalweg.run.KeyListener;
import io.thalweg.run.RunSettings;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyListenerTest {
    private final Map<Integer, LongAdder> records = new ConcurrentHashMap<>();
    private final LongAdder samples = new LongAdder();
    private final Set<String> edges = ConcurrentHashMap.newKeySet();

    /** Every tenth key is another, of a hundred; all others are 7. A negative one is bad. */
    private static long key(long value) {
        if (value < 0) {
            throw new BadRecordException("negative", "" + value);
        }
        return value % 10 == 0 ? value / 10 % 100 + 1_000 : 7;
    }

    private static TopologyGraph graph(long count, long first) {
        Topology topology = Topology.named("Rivers");
        topology.from(Sources.generate(count, index -> first + index).splitInto(2))
                .map(value -> value)
                .name("levels")
                .keyBy(KeyListenerTest::key)
                .distinct()
                .name("once")
                .shuffle()
                .to(Sinks.<Long>discard())
                .name("end");
        return topology.graph();
    }

    private KeyListener.Samples along(String from, String to, int task) {
        edges.add(from + ">" + to + "[" + task + "]");
        return (hash, stands) -> {
            samples.increment();
            records.computeIfAbsent(hash, key -> new LongAdder()).add(stands);
        };
    }

    private JobStats run(int parallelism, long count, long first, KeyListener listener) throws Exception {
        return new EmbeddedRunner(RunSettings.defaults()
                        .withParallelism(parallelism)
                        .withThreads(2)
                        .withBadLimit(BadLimit.none())
                        .withKeys(listener))
                .start(graph(count, first))
                .await();
    }

    private long all() {
        return records.values().stream().mapToLong(LongAdder::sum).sum();
    }

    private static int hash(long key) {
        return Type.of(Long.class).codec().hash(key);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldBeToldEachKeyOfFewRecords_alsoWhereOneTaskGetsAll(int parallelism) throws Exception {
        run(parallelism, 250, 0, this::along);

        assertThat(all()).isEqualTo(250);
        assertThat(samples.sum()).isEqualTo(250);
        assertThat(records.get(hash(7)).sum()).isEqualTo(225);
        assertThat(records).hasSize(26);
        assertThat(edges).hasSize(parallelism).allMatch(edge -> edge.startsWith("levels>once["));
    }

    /** The code that reads a key is to be rare, or the JIT takes it into the hot path. */
    @Test
    void shouldBeToldOneKeyInSixteenAfterTheFirstRecords() throws Exception {
        run(1, 20_256, 0, this::along);

        assertThat(samples.sum()).isBetween(1_000L, 2_000L);
        assertThat((double) all()).isCloseTo(20_256, within(2_000.0));
    }

    /** Each tenth record has another key: a fixed distance between samples would see only these, or none of them. */
    @Test
    void shouldBeToldFewKeysOfManyRecords_inTheRightProportion() throws Exception {
        run(2, 4_000_000, 0, this::along);

        assertThat(samples.sum()).isLessThan(100_000);
        assertThat((double) all()).isCloseTo(4_000_000, within(200_000.0));
        assertThat((double) records.get(hash(7)).sum() / all()).isCloseTo(0.9, within(0.02));
    }

    @Test
    void shouldCountARecordWithoutKeyOnce() throws Exception {
        JobStats watched = run(2, 100, -10, this::along);

        assertThat(watched.recordsBad()).isEqualTo(10);
        assertThat(all()).isEqualTo(90);
        assertThat(run(2, 100, -10, KeyListener.NONE)).satisfies(unwatched -> {
            assertThat(unwatched.recordsBad()).isEqualTo(watched.recordsBad());
            assertThat(unwatched.recordsOut()).isEqualTo(watched.recordsOut());
        });
        assertThat(all()).as("nobody listens").isEqualTo(90);
    }
}
