// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.LiveTestSource;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules of limits, for any runner within this JVM: what passes, and that they end sources that would never end by
 * themselves.
 */
@Timeout(600)
public abstract class LimitRulesContract {
    private static final long BOUNDED = 500;
    private static final int CONFIRMED = 50;
    private static final int FAILS_AT = 60;
    private static final int RESTARTED_LIMIT = 100;
    private static final AtomicBoolean MAY_FAIL = new AtomicBoolean();

    @TempDir
    private Path folder;

    /** A way to run topologies; at a parallelism of more than one it tests more. */
    protected abstract TestRunner road();

    /** The same way, with these settings. */
    protected abstract Runner runner(RunSettings settings);

    private final Topology topology = Topology.named("limited");

    private Stream<Long> numbers(long count, String name) {
        return topology.from(Sources.generate(count, n -> n).splitInto(3)).name(name);
    }

    /** Never ends by itself. */
    private Stream<Long> endless(String name) {
        return numbers(Long.MAX_VALUE, name);
    }

    private static void toSink(Stream<?> stream, String name) {
        stream.to(Sinks.discard()).name(name);
    }

    private List<Object> sink(String name) throws Exception {
        return road().run(topology.graph()).sink(name);
    }

    @Test
    void shouldLetSoManyPass_orAllThatThereAre() throws Exception {
        List<Long> limits = List.of(0L, 1L, 100L, BOUNDED - 1, BOUNDED, BOUNDED + 1, Long.MAX_VALUE);
        for (long limit : limits) {
            toSink(numbers(BOUNDED, "numbers for " + limit).limit(limit), "of " + limit);
        }
        Outcome outcome = road().run(topology.graph());

        for (long limit : limits) {
            assertThat(outcome.sink("of " + limit))
                    .hasSize((int) Math.min(limit, BOUNDED))
                    .doesNotHaveDuplicates()
                    .isSubsetOf(
                            (Iterable<?>) LongStream.range(0, BOUNDED).boxed().toList());
        }
    }

    @Test
    void shouldEndSourcesThatNeverEnd() throws Exception {
        for (long limit : new long[] {0, 1, 1_000}) {
            toSink(
                    endless("numbers for " + limit)
                            .shuffle()
                            .map(n -> n + 1)
                            .limit(limit)
                            .map(n -> n - 1),
                    "of " + limit);
        }
        Outcome outcome = road().run(topology.graph());

        for (long limit : new long[] {0, 1, 1_000}) {
            assertThat(outcome.sink("of " + limit)).hasSize((int) limit).doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldEndALiveSource_thoughNoRecordComes() throws Exception {
        LiveTestSource<Long> live = LiveTestSource.of(Long.class)
                .discoverEvery(Duration.ofMillis(5))
                .add("a", 1L, 2L)
                .add("b", 3L, 4L);
        toSink(topology.from(live).limit(3), "limited");

        assertThat(sink("limited")).hasSize(3).isSubsetOf(1L, 2L, 3L, 4L);
    }

    @Test
    void shouldEndWhatLeadsToItFromAfar() throws Exception {
        Stream<WindowResult<Long, Long>> counts = endless("windowed")
                .eventTime(n -> n, Duration.ZERO)
                .keyBy(n -> n % 3)
                .window(Windows.tumbling(Duration.ofMillis(50)))
                .aggregate(Aggregates.count());
        toSink(counts.limit(20), "behind a window");
        toSink(endless("first").union(endless("second")).limit(30), "behind a union");
        PairFunction<Long, Long, Long> sum = Long::sum;
        toSink(
                endless("left")
                        .eventTime(n -> n, Duration.ZERO)
                        .join(endless("right").eventTime(n -> n, Duration.ZERO))
                        .where(n -> n % 5)
                        .equalTo(n -> n % 5)
                        .between(Duration.ofMillis(-10), Duration.ofMillis(10))
                        .inner(sum)
                        .limit(40),
                "behind a join");
        toSink(endless("keyed").keyBy(n -> n % 7).aggregate(Aggregates.count()).limit(50), "behind a key");

        Outcome outcome = road().run(topology.graph());

        assertThat(outcome.sink("behind a window")).hasSize(20).doesNotHaveDuplicates();
        assertThat(outcome.sink("behind a union")).hasSize(30);
        assertThat(outcome.sink("behind a join")).hasSize(40);
        assertThat(outcome.sink("behind a key")).hasSize(50).doesNotHaveDuplicates();
    }

    /** Else the greater of two limits would not be reached, and of the other inputs something would be missing. */
    @Test
    void shouldNotEndASource_thatSomethingElseWantsToHearOf() throws Exception {
        Stream<Long> shared = endless("shared");
        toSink(shared.limit(5), "five");
        toSink(shared.filter(n -> n % 2 == 0).limit(2_000), "two thousand");
        toSink(endless("other").limit(3), "three");
        Stream<Long> bounded = numbers(BOUNDED, "bounded");
        toSink(bounded, "all");
        toSink(bounded.limit(4), "four of them");
        toSink(bounded.limit(6).union(endless("met").limit(7)), "meeting");

        Outcome outcome = road().run(topology.graph());

        assertThat(outcome.sink("five")).hasSize(5);
        assertThat(outcome.sink("two thousand")).hasSize(2_000).doesNotHaveDuplicates();
        assertThat(outcome.sink("three")).hasSize(3);
        assertThat(outcome.sink("all")).hasSize((int) BOUNDED);
        assertThat(outcome.sink("four of them")).hasSize(4);
        assertThat(outcome.sink("meeting")).hasSize(13);
    }

    @Test
    void shouldEndForTheFirstOfTwoInARow() throws Exception {
        toSink(endless("numbers").limit(50).limit(3), "three");
        toSink(endless("more").limit(4).limit(50), "four");

        Outcome outcome = road().run(topology.graph());

        assertThat(outcome.sink("three")).hasSize(3);
        assertThat(outcome.sink("four")).hasSize(4);
    }

    /** As at the end of an input: what was not in a limit's way is emitted in full. */
    @Test
    void shouldEmitTheWindowsOfWhatPassed() throws Exception {
        toSink(
                endless("numbers")
                        .eventTime(n -> n, Duration.ofDays(1))
                        .limit(100)
                        .keyBy(n -> 0L)
                        .window(Windows.tumbling(Duration.ofDays(10_000)))
                        .aggregate(Aggregates.count())
                        .map(WindowResult::value),
                "counts");

        assertThat(sink("counts").stream().mapToLong(Long.class::cast).sum()).isEqualTo(100);
    }

    private static Long failingOnce(Long number) {
        if (number == FAILS_AT && MAY_FAIL.compareAndSet(true, false)) {
            throw new IllegalStateException("failed on purpose");
        }
        return number;
    }

    private static Long[] range(int from, int to) {
        return LongStream.range(from, to).boxed().toArray(Long[]::new);
    }

    /** Of one split the same records come again in the same order: what passed counts, and no other passes in its place. */
    @Test
    void shouldCountOn_whenTheJobIsRestored() throws Exception {
        MAY_FAIL.set(true);
        LiveTestSource<Long> live = LiveTestSource.of(Long.class).add("s", range(0, CONFIRMED));
        CollectSink<Long> sink = CollectSink.of(Long.class);
        topology.from(live)
                .map(LimitRulesContract::failingOnce)
                .limit(RESTARTED_LIMIT)
                .to(sink);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withWarnings(warning -> {})
                .withGuarantee(
                        Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(50)))
                .withRestart(Restart.fixed(1, Duration.ZERO));
        RunningJob job = runner(settings).start(topology.graph());
        live.awaitConfirmed("s", CONFIRMED);
        live.add("s", range(CONFIRMED, 2 * RESTARTED_LIMIT));

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(MAY_FAIL).as("has failed").isFalse();
        assertThat(new TreeSet<>(sink.records())).containsExactly(range(0, RESTARTED_LIMIT));
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        Stream<Long> numbers = endless("numbers");
        assertThatThrownBy(() -> numbers.limit(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a limit must be at least 0 records, not -1");
        assertThatThrownBy(() -> numbers.limit(5).parallelism(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a limit runs in 1 task, not in 2");
    }
}
