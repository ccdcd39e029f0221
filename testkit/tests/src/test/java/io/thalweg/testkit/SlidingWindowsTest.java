// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Windows that overlap, long enough that what is kept of their panes turns over many times; keys come and go. More of them with
 * {@code -Dthalweg.sliding=500}.
 */
@Timeout(600)
final class SlidingWindowsTest {
    private static final long SEEDS = Long.getLong("thalweg.sliding", 1);
    private static final int RECORDS = SEEDS > 1 ? 3_000 : 1_500;
    private static final int DISORDER_MS = 9;

    @TempDir
    Path folder;

    record Reading(long time, long key, long value) {
        double half() {
            return value / 2.0;
        }
    }

    record Figures(long count, long sum, long least, long greatest) {}

    record Mixed(long count, double sum, long greatest, List<Reading> top) {}

    /** All that there is of a window; for a sink that compares. */
    record Row(long key, long start, long end, String value) {
        static <T> Row of(WindowResult<Long, T> result) {
            return new Row(result.key(), result.start(), result.end(), String.valueOf(result.value()));
        }
    }

    private static Aggregate<Reading, ?, Figures> figures() {
        return Aggregates.into(
                Figures.class,
                Aggregates.count(),
                Aggregates.sum(Reading::value),
                Aggregates.min(Reading::value),
                Aggregates.max(Reading::value));
    }

    /** Sums of halves are exact. */
    private static Aggregate<Reading, ?, Mixed> mixed() {
        return Aggregates.into(
                Mixed.class,
                Aggregates.count(),
                Aggregates.sumDouble(Reading::half),
                Aggregates.max(Reading::value),
                Aggregates.top(2, Reading.class, Reading::value));
    }

    /** Each key is there for a while; there are times without any record, and times with many. */
    private static TestSource<Reading> readings(SplittableRandom random, int splits) {
        TestSource<Reading> source = TestSource.of(Type.of(Reading.class), splits);
        for (int split = 0; split < splits; split++) {
            List<Reading> records = new ArrayList<>();
            long time = -300;
            for (int i = 0; i < RECORDS / splits; i++) {
                time += random.nextInt(40) == 0 ? random.nextInt(120) : random.nextInt(3);
                boolean late = random.nextInt(20) == 0;
                long at = time - random.nextInt(late ? 10 * DISORDER_MS : DISORDER_MS);
                long key = at / 50 + random.nextInt(4);
                // values of a key differ, so that the greatest two are the same in any order
                records.add(new Reading(at, key, 1_000_000L * split + i - 1_000));
            }
            source.addTo(split, records);
        }
        return source.end();
    }

    private static Topology topology(TestSource<Reading> source, long size, long step, long lateness, boolean mixed) {
        Topology topology = Topology.named("sliding");
        var windows = topology.from(source)
                .eventTime(Reading::time, Duration.ofMillis(DISORDER_MS))
                .keyBy(Reading::key)
                .window(Windows.sliding(Duration.ofMillis(size), Duration.ofMillis(step)))
                .allowedLateness(Duration.ofMillis(lateness));
        if (mixed) {
            windows.aggregate(mixed()).map(Row::of).to(Sinks.discard()).name("rows");
        } else {
            windows.aggregate(figures()).map(Row::of).to(Sinks.discard()).name("rows");
        }
        return topology;
    }

    /** The last result of each window, which has replaced those before. */
    private static Map<String, String> last(Outcome outcome) {
        Map<String, String> last = new TreeMap<>();
        for (Object each : outcome.sink("rows")) {
            Row row = (Row) each;
            last.put(row.key + " " + row.start + " " + row.end, row.value);
        }
        return last;
    }

    private static RunSettings settings(SplittableRandom random) {
        return RunSettings.defaults()
                .withParallelism(1 + random.nextInt(4))
                .withThreads(random.nextInt(3))
                .withSpecialise(random.nextBoolean());
    }

    private static EnumSet<HardCase> hard(SplittableRandom random) {
        return random.nextBoolean()
                ? EnumSet.of(HardCase.SMALL_BATCHES, HardCase.EMPTY_POLLS)
                : EnumSet.noneOf(HardCase.class);
    }

    @ParameterizedTest
    @CsvSource({"10, 3", "7, 5", "3, 7", "60, 1", "12, 8", "40, 39", "100, 2", "9, 9000", "64, 48", "30, 10"})
    void shouldComeToWhatTheInterpreterComesTo(long size, long step) throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TestSource<Reading> source = readings(random, 1 + random.nextInt(3));
            long lateness = random.nextBoolean() ? 0 : random.nextInt(60);
            Topology topology = topology(source, size, step, lateness, random.nextBoolean());
            Outcome expected = TestRunner.sequential(1).run(topology.graph());

            Outcome found =
                    TestRunner.embedded(settings(random), hard(random), seed).run(topology.graph());

            assertThat(last(found)).as("seed %s, lateness %s", seed, lateness).isEqualTo(last(expected));
            assertThat(found.late()).as("late records of seed %s", seed).isEqualTo(expected.late());
            if (lateness == 0) {
                assertThat(found.sink("rows")).hasSameSizeAs(expected.sink("rows"));
            }
        }
    }

    /** In the middle of panes, and on with more tasks or fewer. */
    @ParameterizedTest
    @CsvSource({"10, 3", "60, 1", "12, 8", "3, 7"})
    void shouldComeToTheSame_thoughKilledOnTheWay(long size, long step) throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TestSource<Reading> source = readings(random, 1 + random.nextInt(3));
            long lateness = random.nextBoolean() ? 0 : random.nextInt(60);
            Topology topology = topology(source, size, step, lateness, random.nextBoolean());
            Outcome expected = TestRunner.sequential(1).run(topology.graph());

            Outcome found = TestRunner.crashing(
                            settings(random), hard(random), seed, folder.resolve(size + "-" + step + "-" + seed))
                    .run(topology.graph());

            assertThat(last(found)).as("seed %s, lateness %s", seed, lateness).isEqualTo(last(expected));
        }
    }

    private static Topology sums(List<Reading> records, long size, long step) {
        Topology topology = Topology.named("sums");
        topology.from(TestSource.of(Reading.class).addTo(0, records).end())
                .eventTime(Reading::time, Duration.ZERO)
                .keyBy(Reading::key)
                .window(Windows.sliding(Duration.ofMillis(size), Duration.ofMillis(step)))
                .aggregate(Aggregates.sum(Reading::value))
                .map(Row::of)
                .to(Sinks.discard())
                .name("rows");
        return topology;
    }

    private static List<Reading> each(long... values) {
        List<Reading> records = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            records.add(new Reading(i, 7, values[i]));
        }
        return records;
    }

    /** The second and third pane of the middle window come to more than a long holds, the window does not. */
    @Test
    void shouldSum_thoughSomePanesComeToMoreThanTheRangeOfLong() throws Exception {
        long most = Long.MAX_VALUE;
        Topology topology = sums(each(0, 0, -most, most, most, -most, -1, 5, 6, 7, 8, 9, 10, 11), 3, 2);

        Outcome found = TestRunner.embedded(RunSettings.defaults().withThreads(0), EnumSet.noneOf(HardCase.class), 1)
                .run(topology.graph());

        assertThat(last(found)).isEqualTo(last(TestRunner.sequential(1).run(topology.graph())));
        assertThat(last(found)).containsEntry("7 2 5", String.valueOf(most));
    }

    @Test
    void shouldFail_ifASumLeavesTheRangeOfLong() {
        Topology topology = sums(each(1, 2, Long.MAX_VALUE, 3, 4), 3, 1);

        assertThatThrownBy(() -> TestRunner.embedded(
                                RunSettings.defaults().withThreads(0), EnumSet.noneOf(HardCase.class), 1)
                        .run(topology.graph()))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining(
                        "long overflow: sum(Reading::value) is more than a long holds; use sumOfDecimals");
    }

    /** To the last bit: from pane to pane, in their order, whatever was kept before. */
    @ParameterizedTest
    @CsvSource({"10, 3", "60, 1", "12, 8"})
    void shouldAddDoublesPaneByPane(int size, int step) throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        double[] values = random.doubles(2_000).toArray();
        Topology topology = Topology.named("doubles");
        topology.from(Sources.generate(values.length, n -> n))
                .eventTime(n -> n / 2, Duration.ZERO)
                .keyBy(n -> n % 5)
                .window(Windows.sliding(Duration.ofMillis(size), Duration.ofMillis(step)))
                .aggregate(Aggregates.sumDouble(n -> values[n.intValue()]))
                .map(Row::of)
                .to(Sinks.discard())
                .name("rows");

        Outcome found = TestRunner.embedded(RunSettings.defaults().withThreads(0), EnumSet.noneOf(HardCase.class), 1)
                .run(topology.graph());

        assertThat(last(found)).isEqualTo(paneByPane(values, size, step));
    }

    private static Map<String, String> paneByPane(double[] values, int size, int step) {
        int pane = size % step == 0 ? step : step % 4 == 0 ? 4 : 1;
        Map<String, String> sums = new TreeMap<>();
        for (int key = 0; key < 5; key++) {
            for (int start = Math.floorDiv(-size, step) * step; start <= values.length / 2; start += step) {
                double sum = 0;
                boolean any = false;
                for (int from = start; from < start + size; from += pane) {
                    double ofPane = 0;
                    for (int n = Math.max(0, 2 * from); n < Math.min(values.length, 2 * (from + pane)); n++) {
                        if (n % 5 == key) {
                            ofPane += values[n];
                            any = true;
                        }
                    }
                    sum += ofPane;
                }
                if (any) {
                    sums.put(key + " " + start + " " + (start + size), String.valueOf(sum));
                }
            }
        }
        return sums;
    }

    /** Keys come and go for ever. */
    @Test
    void shouldForgetKeysThatAreGone() {
        Topology topology = Topology.named("endless");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n))
                .eventTime(n -> n, Duration.ofMillis(20))
                .keyBy(n -> n / 10)
                .window(Windows.sliding(Duration.ofMillis(120), Duration.ofMillis(1)))
                .aggregate(Aggregates.into(
                        Counted.class, Aggregates.count(), Aggregates.sumDouble(n -> n), Aggregates.max(n -> n)))
                .name("windows")
                .to(Sinks.discard());
        Job job = new EmbeddedRunner(
                        RunSettings.defaults().withParallelism(1).withThreads(0).withSteps(10, 2, 16))
                .start(topology.graph());
        step(job, 1_000);
        StateStats early = kept(job);
        step(job, 10_000);
        StateStats later = kept(job);
        job.kill();
        while (job.step()) {
            // until it has ended
        }

        assertThat(job.stats().recordsIn()).isGreaterThan(50_000);
        assertThat(early.keys()).isPositive();
        assertThat(later.keys()).isLessThan(2 * early.keys());
        assertThat(later.bytes()).isLessThan(2 * early.bytes());
    }

    record Counted(long count, double sum, long greatest) {}

    private static void step(Job job, int steps) {
        for (int step = 0; step < steps; step++) {
            job.step();
        }
    }

    private static StateStats kept(Job job) {
        Map<String, StateStats> kept = new HashMap<>();
        job.stats().keptState().forEach(state -> kept.put(state.operator(), state));
        StateStats windows = kept.get("windows");
        assertThat(windows).as("what is kept, of %s", kept).isNotNull();
        return windows;
    }
}
