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

    private static Stream<Order> orders(Topology topology, String name) {
        return topology.from(Sources.generate(ORDERS, Type.of(Order.class), PythonRulesContract::order))
                .name(name)
                .shuffle();
    }

    private static Order order(long id) {
        return new Order(id, id % 3 == 0 ? List.of() : List.of("a", "ü" + id));
    }

    private static RunSettings settings() {
        return RunSettings.defaults().withParallelism(PARALLELISM);
    }

    /** What a function comes to, by records that are counted here once more. */
    private record Case<T>(String name, CollectSink<T> sink, Stream<T> results, List<T> expected, long bad) {}

    /** All in one job: on some roads a job takes seconds to start. */
    @Test
    void shouldComeToWhatTheSameInJavaComesTo() throws Exception {
        Topology topology = Topology.named("rules");
        List<Case<?>> cases = new ArrayList<>();
        for (String function : List.of("tripled", "tripled_all")) {
            cases.add(tripled(topology, function));
        }
        for (String function : List.of("even", "even_all")) {
            cases.add(even(topology, function));
        }
        cases.add(repeated(topology));
        cases.add(seen(topology, "seen", 1, true));
        cases.add(seen(topology, "seen", 2, false));
        cases.add(seen(topology, "seen_all", 2, true));
        KeyedStream<Long, Order> keyed = byRest(topology, "keyed", 1_000_000);
        cases.add(everyThird(keyed));
        cases.add(repeatedByKey(keyed));
        cases.forEach(PythonRulesContract::collect);

        JobStats end = runner(settings()).start(topology.graph()).await();

        for (Case<?> each : cases) {
            check(each);
        }
        assertThat(end.recordsBad())
                .isEqualTo(cases.stream().mapToLong(Case::bad).sum());
    }

    private static <T> void collect(Case<T> each) {
        each.results().to(each.sink());
    }

    private static <T> void check(Case<T> each) {
        assertThat(each.sink().records())
                .as("%s, seed %d", each.name(), SEED)
                .containsExactlyInAnyOrderElementsOf(each.expected());
    }

    private static <T> Case<T> of(String name, Class<T> type, Stream<T> results, List<T> expected, long bad) {
        return new Case<>(name, CollectSink.of(type), results, expected, bad);
    }

    private Case<Tripled> tripled(Topology topology, String function) {
        List<Tripled> expected = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            if (id % 1000 != UNLUCKY) {
                List<String> tags = new ArrayList<>(order(id).tags());
                tags.add(Long.toString(id));
                expected.add(new Tripled(id, 3.0 * id, tags));
            }
        }
        Stream<Tripled> results = operator(function).map(orders(topology, "for " + function), Tripled.class);
        return of(function, Tripled.class, results, expected, ORDERS / 1000);
    }

    private Case<Order> even(Topology topology, String function) {
        List<Order> expected = LongStream.range(0, ORDERS)
                .filter(id -> id % 2 == 0)
                .mapToObj(PythonRulesContract::order)
                .toList();
        Stream<Order> results = operator(function).filter(orders(topology, "for " + function), Order.class);
        return of(function, Order.class, results, expected, 0);
    }

    /** Any number of rows of each. */
    private Case<Long> repeated(Topology topology) {
        List<Long> expected = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            for (long i = 0; i < id % 4; i++) {
                expected.add(id);
            }
        }
        Stream<Long> results = operator("repeated").processes(2).flatMap(orders(topology, "for repeated"), Long.class);
        return of("repeated", Long.class, results, expected, 0);
    }

    private Case<Order> everyThird(KeyedStream<Long, Order> keyed) {
        List<Order> expected = LongStream.range(0, ORDERS)
                .filter(id -> id / KEYS % 3 == 2)
                .mapToObj(PythonRulesContract::order)
                .toList();
        Stream<Order> results = operator("every_third").filter(keyed, Order.class);
        return of("every_third", Order.class, results, expected, 0);
    }

    private Case<Long> repeatedByKey(KeyedStream<Long, Order> keyed) {
        List<Long> expected = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            for (long i = 0; i < (id / KEYS + 1) % 3; i++) {
                expected.add(id % KEYS);
            }
        }
        Stream<Long> results = operator("repeated_by_key").flatMap(keyed, Long.class);
        return of("repeated_by_key", Long.class, results, expected, 0);
    }

    /** Orders as they come, and what is kept of them. */
    private static KeyedStream<Long, Order> byRest(Topology topology, String name, double rate) {
        return topology.from(Sources.generate(ORDERS, Type.of(Order.class), PythonRulesContract::order)
                        .rate(rate))
                .name(name)
                .peek(order -> READ.incrementAndGet())
                .keyBy(order -> order.id() % KEYS);
    }

    private static void failOnce(Tripled result) {
        if (result.id() == ORDERS / 2 && MAY_FAIL.compareAndSet(true, false)) {
            throw new IllegalStateException("as it was told to");
        }
    }

    /**
     * Each result tells how many came before it, and which were the last: order and state are those of the key. The task of any of the
     * functions may be the one that fails; all go on from what was kept of them.
     */
    @Test
    void shouldKeepStateForEachKey_whereATaskFailedOnTheWay(@TempDir Path checkpoints) throws Exception {
        MAY_FAIL.set(true);
        Topology topology = Topology.named("numbered");
        Map<String, CollectSink<Tripled>> sinks = new HashMap<>();
        for (String function : List.of("numbered", "numbered_all")) {
            for (int processes = 1; processes <= 2; processes++) {
                boolean ordered = function.equals("numbered") == (processes == 2);
                String name = function + " in " + processes;
                PythonOperator operator =
                        operator(function).processes(processes).batch(50);
                CollectSink<Tripled> sink = CollectSink.of(Tripled.class);
                (ordered ? operator : operator.unordered())
                        .map(byRest(topology, name, ORDERS), Tripled.class)
                        .peek(PythonRulesContract::failOnce)
                        .to(sink);
                sinks.put(name, sink);
            }
        }
        RunSettings settings = settings()
                .withGuarantee(guarantee(), CheckpointSettings.in(checkpoints).every(Duration.ofMillis(100)))
                .withRestart(Restart.fixed(3, Duration.ofMillis(10)));

        JobStats end = runner(settings).start(topology.graph()).await();

        assertThat(MAY_FAIL).isFalse();
        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        sinks.forEach((name, sink) -> assertThat(
                        guarantee() == Guarantee.EXACTLY_ONCE ? sink.records() : new HashSet<>(sink.records()))
                .as(name)
                .containsExactlyInAnyOrderElementsOf(numbered()));
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
                .start(numbered(ORDERS / 200, before)); // it does not end for minutes
        while (first.lastCheckpoint() == null || before.records().size() < 50) {
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
                .map(byRest(topology, "orders", rate), Tripled.class)
                .name("number")
                .to(sink);
        return topology.graph();
    }

    /** What a row sees of the state of its key: what was left less than the time to live before, counted by hand. */
    private Case<String> seen(Topology topology, String function, int processes, boolean ordered) {
        boolean mayBeBad = function.equals("seen");
        String name = function + " in " + processes;
        List<Reading> readings = readings();
        PythonOperator operator = Python.operator(Jobs.script(folder, "lives.py"), function)
                .processes(processes)
                .batch(20);
        Stream<String> results = (ordered ? operator : operator.unordered())
                .map(
                        topology.from(Sources.generate(
                                        readings.size(), Type.of(Reading.class), i -> readings.get((int) i)))
                                .name(name)
                                .eventTime(Reading::time, Duration.ofMillis(BOUND_MS))
                                .keyBy(reading -> reading.number() % 3),
                        String.class);
        long bad = readings.stream().filter(reading -> isBad(reading, mayBeBad)).count();
        return of(name, String.class, results, seen(readings, mayBeBad), bad);
    }

    private static boolean isBad(Reading reading, boolean mayBeBad) {
        return mayBeBad && reading.number() % 11 == 0;
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
            if (isBad(reading, mayBeBad)) {
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
}
