// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.TestSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** State per key of functions in Python: restored, rescaled, and refused. */
@Timeout(600)
@Tag("integration")
final class PythonStateTest {
    private static final int KEYS = 5;

    @TempDir
    private Path folder;

    @TempDir
    private Path checkpoints;

    private final TestSource<Long> numbers = TestSource.of(Long.class);
    private final CollectSink<Long> found = CollectSink.of(Long.class);

    @AfterEach
    void everyProcessShouldHaveEnded() {
        assertThat(Jobs.children()).isEmpty();
    }

    private PythonOperator operator(String function) {
        return Python.operator(Jobs.script(folder, "state.py"), function);
    }

    private Job start(String function, int parallelism) {
        Topology topology = Topology.named("counted");
        Stream<Long> counted =
                operator(function).map(topology.from(numbers).keyBy(number -> number % KEYS), Long.class);
        counted.name("count").to(found).parallelism(1);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(parallelism)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(checkpoints).restoringLatest());
        return new EmbeddedRunner(settings).start(topology.graph());
    }

    private void add(long from, long to) {
        LongStream.range(from, to).forEach(numbers::add);
    }

    private static List<Long> range(long to) {
        return LongStream.range(0, to).boxed().toList();
    }

    @ParameterizedTest
    @CsvSource({"counted, 1, 3", "counted_all, 3, 2"})
    void shouldGoOnFromACheckpoint_withMoreTasksOrFewer(String function, int before, int after) throws Exception {
        Job first = start(function, before);
        add(0, 1_000);
        Jobs.await(() -> first.stats().recordsIn() >= 1_000);
        assertThat(first.checkpoint()).isTrue();
        Jobs.await(() -> first.lastCheckpoint() != null);
        add(1_000, 1_500);
        Jobs.await(() -> first.stats().recordsIn() >= 1_500);
        first.kill();
        assertThatThrownBy(first::await).hasMessageContaining("was killed");

        add(1_500, 2_000);
        numbers.end();
        start(function, after).await();

        assertThat(found.records()).containsExactlyInAnyOrderElementsOf(range(2_000));
    }

    private JobFailedException failure(PythonOperator operator) {
        Topology topology = Topology.named("faults");
        operator.map(topology.from(Sources.generate(20, i -> i)).keyBy(i -> i % KEYS), Long.class)
                .name("count")
                .to(found);
        try {
            Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();
        } catch (JobFailedException e) {
            return e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("the job has not failed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "raises | ValueError: no 12 for 2 in checked (FILE line 27), called from raises (line 22); row 12",
                "raises_all | ValueError: no 12 for 2 in checked (",
                "unsaved | unsaved returned a state for key 0 that cannot be saved: an object cannot be sent to Java; row 0",
                "large | large returned a state of 1503 bytes for key 0, and at most 1200 are kept; allow more with largestState(…); row 10",
                "alone | alone must return the new state and a result as a tuple of two, not an int; row 0",
                "narrow | TypeError: it takes 2 arguments; it must take a key, a state, a row",
                "stateless | stateless of state.py keeps no state, and its stream has keys; mark it with @operator(state=True), or pass stream.keyBy(…).records()"
            })
    void shouldSayWhatIsWrong(String function, String expected) {
        Path file = folder.resolve("state.py");

        assertThat(failure(operator(function).largestState(1_200)))
                .hasMessageContaining("operator 'count'")
                .hasMessageContaining(expected.replace("FILE", file.toString()));
    }

    /** Whether a row is, or its key, or its result. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveTheStateAsItWas_whereARowHasHalfASurrogatePair(boolean ownKeys) throws Exception {
        List<String> reasons = new CopyOnWriteArrayList<>();
        CollectSink<String> places = CollectSink.of(String.class);
        Topology topology = Topology.named("half");
        Stream<String> rows = topology.from(Sources.of("a", "half", "\ud800", "a", "half\udc00", "a"));
        operator("placed")
                .map(rows.keyBy(row -> ownKeys ? row : "one"), String.class)
                .to(places);
        Jobs.start(
                        topology,
                        RunSettings.defaults()
                                .withParallelism(1)
                                .withBadRecords((job, operator, record) -> reasons.add(record.reason())))
                .await();

        assertThat(places.records()).containsExactly("1", "2", "3");
        assertThat(reasons).hasSize(3).allMatch(each -> each.contains("half a surrogate pair"));
        assertThat(reasons.stream().filter(each -> each.contains("sent to Python: the key: ")))
                .hasSize(ownKeys ? 2 : 0);
    }

    /** The engine's own clock, and a time of day that stands still until a test sets it. */
    private static final class StillClock implements Clock {
        private final AtomicLong epochMs = new AtomicLong(1_000_000);

        @Override
        public long nowNs() {
            return Clock.system().nowNs();
        }

        @Override
        public long epochMs() {
            return epochMs.get();
        }
    }

    @Test
    void shouldLetStateExpireByTheClock() throws Exception {
        StillClock clock = new StillClock();
        Topology topology = Topology.named("expiring");
        Python.operator(Jobs.script(folder, "lives.py"), "last")
                .map(topology.from(numbers).keyBy(number -> number % KEYS), Long.class)
                .to(found);
        Job job =
                new EmbeddedRunner(RunSettings.defaults().withParallelism(1).withClock(clock)).start(topology.graph());

        numbers.add(0L);
        Jobs.await(() -> found.records().size() == 1);
        clock.epochMs.addAndGet(999);
        numbers.add(5L);
        Jobs.await(() -> found.records().size() == 2);
        clock.epochMs.addAndGet(1_000);
        numbers.add(10L);
        Jobs.await(() -> found.records().size() == 3);
        clock.epochMs.addAndGet(1_250); // by then it is looked for
        numbers.add(1L);
        Jobs.await(() -> found.records().size() == 4);
        numbers.end();
        JobStats end = job.await();

        assertThat(found.records()).containsExactly(-1L, 0L, -1L, -1L);
        assertThat(end.keptState()).extracting(StateStats::keys).containsExactly(1L);
    }

    @Test
    void shouldGoOnWithStateThatExpires_withTheTimeItHasLeft() throws Exception {
        CollectSink<String> seen = CollectSink.of(String.class);
        TestSource<PythonRulesContract.Reading> readings = TestSource.of(PythonRulesContract.Reading.class);
        readings.add(new PythonRulesContract.Reading(0, 1, 1_000));
        readings.add(new PythonRulesContract.Reading(1, 2, 1_000));
        Job first = expiring(readings, seen);
        Jobs.await(() -> first.stats().recordsIn() >= 2);
        assertThat(first.checkpoint()).isTrue();
        Jobs.await(() -> first.lastCheckpoint() != null);
        first.kill();
        assertThatThrownBy(first::await).hasMessageContaining("was killed");

        readings.add(new PythonRulesContract.Reading(2, 1, 1_039));
        readings.add(new PythonRulesContract.Reading(3, 2, 1_040));
        readings.end();
        expiring(readings, seen).await();

        assertThat(seen.records()).containsExactlyInAnyOrder("0 sees None", "1 sees None", "2 sees 1", "3 sees None");
    }

    private Job expiring(TestSource<PythonRulesContract.Reading> readings, CollectSink<String> seen) {
        Topology topology = Topology.named("expiring");
        Python.operator(Jobs.script(folder, "lives.py"), "seen")
                .map(
                        topology.from(readings)
                                .eventTime(PythonRulesContract.Reading::time, Duration.ofMillis(100))
                                .keyBy(PythonRulesContract.Reading::number),
                        String.class)
                .name("see")
                .to(seen);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(1)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(checkpoints).restoringLatest());
        return new EmbeddedRunner(settings).start(topology.graph());
    }

    @Test
    void shouldRefuseATtlByEventTimeWhereThereIsNone() {
        assertThat(failure(Python.operator(Jobs.script(folder, "lives.py"), "untimed")))
                .hasMessageContaining(
                        "operator 'count': the state of untimed of lives.py has a ttl by event time, and the rows have none;"
                                + " call eventTime(…) before keyBy(…), or mark the function with ttl_time=\"processing\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "state=True, ttl=timedelta(seconds=-1) | ValueError: ttl must be at least a millisecond, in whole milliseconds, not -1.0 s in <module> (FILE line 3)",
                "state=True, ttl=timedelta(0) | ValueError: ttl must be at least a millisecond, in whole milliseconds, not 0.0 s",
                "state=True, ttl=timedelta(microseconds=1500) | ValueError: ttl must be at least a millisecond, in whole milliseconds, not 0.0015 s",
                "state=True, ttl=3600 | TypeError: ttl must be a datetime.timedelta, such as timedelta(hours=1), not 3600",
                "state=True, ttl=timedelta(1), ttl_time='clock' | ValueError: ttl_time must be 'event' or 'processing', not 'clock'",
                "ttl=timedelta(1) | ValueError: ttl is how long a state lives; mark the function with state=True too"
            })
    void shouldSayWhatATtlMustBe(String arguments, String expected) {
        Path file = Jobs.source(
                folder,
                "wrong.py",
                "from datetime import timedelta\nfrom thalweg import operator\n@operator(" + arguments
                        + ")\ndef f(key, state, value):\n    return value, value\n");

        assertThat(failure(Python.operator(file, "f")))
                .hasMessageContaining("operator 'count'")
                .hasMessageContaining(expected.replace("FILE", file.toString()))
                .message()
                .doesNotContain("\n");
    }

    @Test
    void shouldRefuseAFunctionWithStateWhereThereAreNoKeys() {
        Topology topology = Topology.named("faults");
        operator("counted")
                .map(topology.from(Sources.generate(20, i -> i)), Long.class)
                .to(found);

        assertThatThrownBy(() -> Jobs.start(topology, RunSettings.defaults().withParallelism(1))
                        .await())
                .hasMessageContaining("keeps a state for each key, and its stream has no keys; pass stream.keyBy(…)");
    }
}
