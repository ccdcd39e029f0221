// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.KeyedStream;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators in Python give what the same operators in Java give, on any road that runs within this JVM. */
@Timeout(900)
public abstract class PythonRulesContract {
    protected static final int PARALLELISM = 2;
    private static final long ORDERS = 5_000;
    private static final long UNLUCKY = 7;
    private static final long KEYS = 17;
    private static final long SEED = Long.getLong("thalweg.seed", 815);
    private static final long BOUND_MS = 15;

    /** As in lives.py. */
    private static final long LIFE_MS = 40;

    /** A row. */
    public record Order(long id, List<String> tags) {}

    /** A result. */
    public record Tripled(long id, double value, List<String> tags) {}

    @TempDir
    private Path folder;

    private static final AtomicLong READ = new AtomicLong();
    private static final AtomicBoolean MAY_FAIL = new AtomicBoolean();

    protected abstract Runner runner(RunSettings settings);

    /** The strongest guarantee that the runner gives with checkpoints. */
    protected abstract Guarantee guarantee();

    private PythonOperator operator(String function) {
        return Python.operator(Jobs.script(folder, "rules.py"), function);
    }

    private static Stream<Order> orders(Topology topology) {
        return topology.from(Sources.generate(ORDERS, Type.of(Order.class), PythonRulesContract::order))
                .name("orders")
                .shuffle();
    }

    private static Order order(long id) {
        return new Order(id, id % 3 == 0 ? List.of() : List.of("a", "ü" + id));
    }

    private static RunSettings settings() {
        return RunSettings.defaults().withParallelism(PARALLELISM);
    }

    private RunningJob run(Topology topology) throws Exception {
        RunningJob job = runner(settings()).start(topology.graph());
        job.await();
        return job;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tripled", "tripled_all"})
    void shouldMapRows_andCountBadOnes(String function) throws Exception {
        Topology topology = Topology.named("tripled");
        CollectSink<Tripled> sink = CollectSink.of(Tripled.class);
        operator(function).map(orders(topology), Tripled.class).to(sink);

        RunningJob job = run(topology);

        List<Tripled> expected = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            if (id % 1000 != UNLUCKY) {
                List<String> tags = new ArrayList<>(order(id).tags());
                tags.add(Long.toString(id));
                expected.add(new Tripled(id, 3.0 * id, tags));
            }
        }
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(job.stats().recordsBad()).isEqualTo(ORDERS / 1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"even", "even_all"})
    void shouldFilterRows(String function) throws Exception {
        Topology topology = Topology.named("even");
        CollectSink<Order> sink = CollectSink.of(Order.class);
        operator(function).filter(orders(topology), Order.class).to(sink);

        run(topology);

        assertThat(sink.records())
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, ORDERS)
                        .filter(id -> id % 2 == 0)
                        .mapToObj(PythonRulesContract::order)
                        .toList());
    }

    @Test
    void shouldMakeAnyNumberOfRowsOfEach() throws Exception {
        Topology topology = Topology.named("repeated");
        CollectSink<Long> sink = CollectSink.of(Long.class);
        operator("repeated").processes(2).flatMap(orders(topology), Long.class).to(sink);

        run(topology);

        List<Long> expected = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            for (long i = 0; i < id % 4; i++) {
                expected.add(id);
            }
        }
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Orders as they come, and what is kept of them. */
    private static KeyedStream<Long, Order> byRest(Topology topology, double rate) {
        return topology.from(Sources.generate(ORDERS, Type.of(Order.class), PythonRulesContract::order)
                        .rate(rate))
                .name("orders")
                .peek(order -> READ.incrementAndGet())
                .keyBy(order -> order.id() % KEYS);
    }

    private static void failOnce(Tripled result) {
        if (result.id() == ORDERS / 2 && MAY_FAIL.compareAndSet(true, false)) {
            throw new IllegalStateException("as it was told to");
        }
    }

    /** Each result tells how many came before it, and which were the last: order and state are those of the key. */
    @ParameterizedTest
    @CsvSource({"numbered, 1, false", "numbered, 2, true", "numbered_all, 1, true", "numbered_all, 2, false"})
    void shouldKeepStateForEachKey_whereATaskFailedOnTheWay(
            String function, int processes, boolean ordered, @TempDir Path checkpoints) throws Exception {
        MAY_FAIL.set(true);
        Topology topology = Topology.named("numbered");
        CollectSink<Tripled> sink = CollectSink.of(Tripled.class);
        PythonOperator operator = operator(function).processes(processes).batch(50);
        (ordered ? operator : operator.unordered())
                .map(byRest(topology, ORDERS), Tripled.class)
                .peek(PythonRulesContract::failOnce)
                .to(sink);
        RunSettings settings = settings()
                .withGuarantee(guarantee(), CheckpointSettings.in(checkpoints).every(Duration.ofMillis(100)))
                .withRestart(Restart.fixed(3, Duration.ofMillis(10)));

        JobStats end = runner(settings).start(topology.graph()).await();

        assertThat(MAY_FAIL).isFalse();
        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(guarantee() == Guarantee.EXACTLY_ONCE ? sink.records() : new HashSet<>(sink.records()))
                .containsExactlyInAnyOrderElementsOf(numbered());
    }

    private static List<Tripled> numbered() {
        List<Tripled> expected = new ArrayList<>();
        Map<Long, List<String>> tags = new HashMap<>();
        Map<Long, Integer> counts = new HashMap<>();
        for (long id = 0; id < ORDERS; id++) {
            if (id % 1000 != UNLUCKY) {
                List<String> last = tags.computeIfAbsent(id % KEYS, key -> new ArrayList<>());
                last.addAll(order(id).tags());
                last.subList(0, Math.max(0, last.size() - 3)).clear();
                int count = counts.merge(id % KEYS, 1, Integer::sum);
                expected.add(new Tripled(id, 1000 * (id % KEYS) + count, List.copyOf(last)));
            }
        }
        return expected;
    }

    @Test
    void shouldGoOnWithTheState_whereThereAreMoreTasks(@TempDir Path checkpoints) throws Exception {
        CheckpointSettings where = CheckpointSettings.in(checkpoints).every(Duration.ofMillis(50));
        CollectSink<Tripled> before = CollectSink.of(Tripled.class);
        RunningJob first = runner(settings().withParallelism(1).withGuarantee(guarantee(), where))
                .start(numbered(ORDERS / 50, before));
        while (first.lastCheckpoint() == null || before.records().size() < 100) {
            assertThat(first.await(Duration.ofMillis(5))).isFalse();
        }
        first.cancel();
        assertThat(first.await().state()).isEqualTo(JobState.CANCELLED);

        READ.set(0);
        CollectSink<Tripled> after = CollectSink.of(Tripled.class);
        RunSettings more = settings().withParallelism(3).withGuarantee(guarantee(), where.restoringLatest());
        JobStats end = runner(more).start(numbered(1_000_000, after)).await();

        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(READ)
                .as("what came before the checkpoint is not read again")
                .hasPositiveValue()
                .hasValueLessThan(ORDERS);
        Set<Tripled> all = new HashSet<>(before.records());
        all.addAll(after.records());
        assertThat(all).containsExactlyInAnyOrderElementsOf(numbered());
    }

    private TopologyGraph numbered(double rate, CollectSink<Tripled> sink) {
        Topology topology = Topology.named("numbered");
        operator("numbered")
                .map(byRest(topology, rate), Tripled.class)
                .name("number")
                .to(sink);
        return topology.graph();
    }

    /** What a row sees of the state of its key: what was left less than the time to live before, counted by hand. */
    @ParameterizedTest
    @CsvSource({"seen, 1, true", "seen, 2, false", "seen_all, 2, true"})
    void shouldLetStateExpireByEventTime(String function, int processes, boolean ordered) throws Exception {
        boolean mayBeBad = function.equals("seen");
        List<Reading> readings = readings();
        Topology topology = Topology.named("expiring");
        CollectSink<String> sink = CollectSink.of(String.class);
        PythonOperator operator = Python.operator(Jobs.script(folder, "lives.py"), function)
                .processes(processes)
                .batch(20);
        (ordered ? operator : operator.unordered())
                .map(
                        topology.from(Sources.generate(
                                        readings.size(), Type.of(Reading.class), i -> readings.get((int) i)))
                                .eventTime(Reading::time, Duration.ofMillis(BOUND_MS))
                                .keyBy(reading -> reading.number() % 3),
                        String.class)
                .to(sink);

        run(topology);

        assertThat(sink.records()).as("seed %d", SEED).containsExactlyInAnyOrderElementsOf(seen(readings, mayBeBad));
    }

    /** A row with a time. */
    public record Reading(long id, int number, long time) implements Serializable {}

    /** Of one split, so that each key has its rows in this order. Some are older than the bound allows. */
    private static List<Reading> readings() {
        Random random = new Random(SEED);
        List<Reading> readings = new ArrayList<>();
        long time = 1_000;
        for (int i = 0; i < 3_000; i++) {
            time += random.nextInt(20) == 0 ? random.nextInt(100) : random.nextInt(5);
            readings.add(new Reading(i, random.nextInt(1_000), time - random.nextInt(30)));
        }
        return readings;
    }

    private record Left(int number, long at) {}

    private static List<String> seen(List<Reading> readings, boolean mayBeBad) {
        Map<Integer, Left> states = new HashMap<>();
        List<String> expected = new ArrayList<>();
        long greatest = Long.MIN_VALUE + BOUND_MS;
        for (Reading reading : readings) {
            int key = reading.number() % 3;
            long now = Math.max(reading.time(), greatest - BOUND_MS);
            greatest = Math.max(greatest, reading.time());
            Left state = states.get(key);
            if (state != null && now - state.at() >= LIFE_MS) {
                states.remove(key);
                state = null;
            }
            if (mayBeBad && reading.number() % 11 == 0) {
                continue;
            }
            expected.add(reading.id() + " sees " + (state == null ? "None" : Integer.toString(state.number())));
            if (reading.number() % 7 == 0) {
                states.remove(key);
            } else {
                states.put(key, new Left(reading.number(), now));
            }
        }
        return expected;
    }

    @Test
    void shouldFilterAndFlatMapWithState() throws Exception {
        Topology topology = Topology.named("filtered");
        CollectSink<Order> thirds = CollectSink.of(Order.class);
        CollectSink<Long> repeated = CollectSink.of(Long.class);
        KeyedStream<Long, Order> orders = byRest(topology, 1_000_000);
        operator("every_third").filter(orders, Order.class).to(thirds);
        operator("repeated_by_key").flatMap(orders, Long.class).to(repeated);

        run(topology);

        assertThat(thirds.records())
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, ORDERS)
                        .filter(id -> id / KEYS % 3 == 2)
                        .mapToObj(PythonRulesContract::order)
                        .toList());
        List<Long> expected = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            for (long i = 0; i < (id / KEYS + 1) % 3; i++) {
                expected.add(id % KEYS);
            }
        }
        assertThat(repeated.records()).containsExactlyInAnyOrderElementsOf(expected);
    }
}
