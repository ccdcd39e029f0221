// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.AsyncStream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookups in a service that answers when the test says so, by a clock that the test sets. */
final class AsyncTest {
    private static final long MS = 1_000_000;

    private final Topology topology = Topology.named("test");
    private final TestSource<Long> numbers = TestSource.of(Long.class);
    private final CollectSink<String> found = CollectSink.of(String.class);
    private final Answers service = new Answers();
    private final List<String> bad = new ArrayList<>();
    private long nowNs = 5;

    private RunSettings settings = RunSettings.defaults()
            .withParallelism(1)
            .withThreads(0)
            .withClock(() -> nowNs)
            .withBadRecords((name, operator, record) -> bad.add(operator + " " + record.split() + ":" + record.offset()
                    + " " + record.reason() + " " + new String(record.bytes(), StandardCharsets.UTF_8)));

    private AsyncStream<Long> ask() {
        return topology.from(numbers).name("numbers").async();
    }

    private Job start(AsyncStream<Long> how) {
        how.<String>map(service).name("ask").to(found);
        return start();
    }

    private Job start() {
        return new EmbeddedRunner(settings).start(topology.graph());
    }

    private static void step(Job job) {
        for (int step = 0; step < 50; step++) {
            job.step();
        }
    }

    private static void end(Job job) throws InterruptedException {
        for (int step = 0; job.step(); step++) {
            assertThat(step).as("steps").isLessThan(100_000);
        }
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void shouldKeepTheOrder() throws Exception {
        Job job = start(ask());
        numbers.add(1L, 2L, 3L).end();
        step(job);
        assertThat(service.asked()).containsExactly(1L, 2L, 3L);
        service.answer(3, 2);
        step(job);
        assertThat(found.records()).isEmpty();
        service.answer(1);
        end(job);
        assertThat(found.records()).containsExactly("=1", "=2", "=3");
    }

    @Test
    void shouldEmitResultsAsTheyCome_ifUnordered() throws Exception {
        Job job = start(ask().unordered());
        numbers.add(1L, 2L, 3L).end();
        step(job);
        service.answer(3, 2);
        step(job);
        assertThat(found.records()).containsExactly("=3", "=2");
        service.answer(1);
        end(job);
        assertThat(found.records()).containsExactly("=3", "=2", "=1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHoldNoMoreRecordsThanItMay(boolean ordered) throws Exception {
        Job job = start(ordered ? ask().concurrency(2) : ask().concurrency(2).unordered());
        numbers.add(1L, 2L, 3L, 4L).end();
        step(job);
        assertThat(service.asked()).containsExactly(1L, 2L);
        service.answer(2);
        step(job);
        assertThat(service.asked())
                .as("a result that waits for its turn is held too")
                .hasSize(ordered ? 2 : 3);
        service.answer(1);
        step(job);
        assertThat(service.asked()).contains(3L);
        service.answer(3);
        step(job);
        service.answer(4);
        end(job);
        assertThat(found.records()).containsExactlyInAnyOrder("=1", "=2", "=3", "=4");
    }

    @Test
    void shouldEmitNothingForNoResult_andWhatAFunctionMakesOfIt() throws Exception {
        var asked = topology.from(numbers).async();
        asked.<String>map(service).to(found);
        CollectSink<String> joined = CollectSink.of(String.class);
        Answers second = new Answers();
        asked.join(second, (number, answer) -> answer == null && number > 2 ? null : number + ":" + answer)
                .as(String.class)
                .to(joined);
        Job job = start();
        numbers.add(1L, 2L, 3L).end();
        step(job);
        service.answer(1, null);
        service.answer(2, 3);
        second.answer(1, "one");
        second.answer(2, null);
        second.answer(3, null);
        end(job);
        assertThat(found.records()).containsExactly("=2", "=3");
        assertThat(joined.records()).containsExactly("1:one", "2:null");
    }

    @Test
    void shouldFailTheJobWithTheRecordsPlace() {
        Job job = start(ask());
        numbers.add(7L);
        step(job);
        numbers.add(8L);
        step(job);
        service.answer(7);
        service.fail(8, new IOException("no route to host"));
        step(job);
        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessage("topology 'test', operator 'ask', task 'ask+sink[0]', split '0', offset 1:"
                        + " java.io.IOException: no route to host");
    }

    @Test
    void shouldKeepABadRecordWithItsOwnPlace() throws Exception {
        Job job = start(ask().retry(3, Duration.ZERO));
        numbers.add(7L);
        step(job);
        numbers.add(8L).end();
        step(job);
        service.fail(7, new BadRecordException("no such user", "7"));
        service.answer(8);
        end(job);
        assertThat(found.records()).containsExactly("=8");
        assertThat(bad).containsExactly("ask 0:0 no such user 7");
        assertThat(service.asked()).as("a bad record is not asked for again").containsExactly(7L, 8L);
    }

    @Test
    void shouldGiveUpARequestThatIsLate() {
        Job job = start(ask().timeout(Duration.ofMillis(200)));
        numbers.add(7L);
        step(job);
        nowNs += 199 * MS;
        step(job);
        assertThat(service.to(7)).isNotDone();
        nowNs += MS;
        step(job);
        assertThatThrownBy(job::await)
                .hasMessageContaining(
                        "split '0', offset 0: java.util.concurrent.TimeoutException: no answer within 200 ms"
                                + " for record 7; see whether the service is up, or allow more with timeout(…)");
        assertThat(service.to(7)).isCancelled();
    }

    @Test
    void shouldAskAgainAfterLongerAndLongerPauses() throws Exception {
        Job job = start(ask().retry(2, Duration.ofMillis(10), thrown -> thrown instanceof IOException));
        numbers.add(7L).end();
        step(job);
        service.fail(7, new IOException("busy"));
        nowNs += 9 * MS; // heard of now, so that the pause begins
        step(job);
        nowNs += 9 * MS;
        step(job);
        assertThat(service.asked()).hasSize(1);
        nowNs += MS;
        step(job);
        assertThat(service.asked()).hasSize(2);
        service.fail(7, new CompletionException(new IOException("busy")));
        step(job);
        nowNs += 19 * MS;
        step(job);
        assertThat(service.asked()).hasSize(2);
        nowNs += MS;
        step(job);
        assertThat(service.asked()).hasSize(3);
        service.answer(7);
        end(job);
        assertThat(found.records()).containsExactly("=7");
    }

    @Test
    void shouldNotAskAgain_ifNotWorthIt_norTooOften_norTooLate() {
        Job job = start(ask().retry(1, Duration.ZERO).timeout(Duration.ofSeconds(1)));
        numbers.add(7L);
        step(job);
        service.fail(7, new IOException("first"));
        step(job);
        service.fail(7, new IOException("second"));
        step(job);
        assertThatThrownBy(job::await).hasMessageEndingWith("java.io.IOException: second");

        Answers other = new Answers();
        Topology late = Topology.named("late");
        late.from(Sources.of(7L))
                .async()
                .retry(5, Duration.ofSeconds(2))
                .timeout(Duration.ofSeconds(1))
                .<String>map(other)
                .to(found);
        Job second = new EmbeddedRunner(settings).start(late.graph());
        step(second);
        other.fail(7, new IOException("at once"));
        step(second);
        assertThatThrownBy(second::await).hasMessageEndingWith("java.io.IOException: at once");
        assertThat(other.asked()).hasSize(1);
    }

    @Test
    void shouldRetryWhatTheFunctionThrows() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        topology.from(Sources.of(7L))
                .async()
                .retry(2, Duration.ZERO)
                .map(n -> {
                    if (calls.incrementAndGet() < 3) {
                        throw new IOException("refused");
                    }
                    return CompletableFuture.completedFuture("=" + n);
                })
                .as(String.class)
                .to(found);
        end(start());
        assertThat(found.records()).containsExactly("=7");
        assertThat(calls).hasValue(3);
    }

    private static final class Refusing implements AsyncOperator<Long, String> {
        private @Nullable OperatorContext context;

        @Override
        public void open(OperatorContext of) {
            context = of;
        }

        @Override
        public CompletableFuture<String> apply(Long number) {
            if (context != null) {
                context.countBad(new BadRecordException("it is refused", "" + number));
            }
            return CompletableFuture.completedFuture("=" + number);
        }
    }

    /** It was tried again, as if the service had failed, and then the user was told nothing of the record. */
    @Test
    void shouldFailAtOnce_ifTheOperatorCountsABadRecord_andNoneMayBe() {
        topology.from(numbers)
                .async()
                .retry(3, Duration.ZERO)
                .process(Refusing::new)
                .name("ask")
                .to(found);
        Job job = new EmbeddedRunner(settings.withFailOnBad(true)).start(topology.graph());
        numbers.add(7L);
        step(job);
        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("topology 'test', operator 'ask': bad record in ")
                .hasMessageContaining("it is refused");
        assertThat(bad).hasSize(1);
    }

    @Test
    void shouldNameAFunctionThatReturnsNoStage() {
        topology.from(Sources.of(7L)).async().map(AsyncTest::none).to(found);
        Job job = start();
        step(job);
        assertThatThrownBy(job::await)
                .hasMessageEndingWith("AsyncTest::none, given to async(), returned null for record 7; return a"
                        + " CompletionStage, which may be completed with null for no result");
    }

    @SuppressWarnings("NullAway") // as a user may
    private static CompletableFuture<String> none(Long number) {
        return null;
    }

    @Test
    void shouldAskOnceForEqualKeys_whileTheResultIsFresh() throws Exception {
        Job job = start(ask().cache(n -> n % 10, 2, Duration.ofMillis(100)));
        numbers.add(1L, 11L, 21L);
        step(job);
        assertThat(service.asked()).as("one in flight is shared").containsExactly(1L);
        service.answer(1);
        nowNs += 99 * MS;
        step(job);
        nowNs += 99 * MS;
        numbers.add(31L);
        step(job);
        assertThat(found.records()).containsExactly("=1", "=1", "=1", "=1");
        nowNs += MS;
        numbers.add(41L);
        step(job);
        assertThat(service.asked()).as("the result is too old").containsExactly(1L, 41L);
        service.answer(41);
        step(job);
        numbers.add(2L, 1L, 3L, 2L);
        step(job);
        assertThat(service.asked()).as("2 made room for 3").containsExactly(1L, 41L, 2L, 3L, 2L);
        job.kill();
        step(job);
    }

    @Test
    void shouldKeepThatThereIsNone_andNoFailure() throws Exception {
        Job job = start(ask().cache(n -> n % 10, 10, Duration.ofMinutes(1)).unordered());
        numbers.add(1L, 2L, 12L);
        step(job);
        service.answer(1, null);
        service.fail(2, new BadRecordException("gone", "2"));
        step(job);
        assertThat(bad).hasSize(2);
        numbers.add(11L, 22L).end();
        step(job);
        assertThat(service.asked()).containsExactly(1L, 2L, 22L);
        service.answer(22);
        end(job);
        assertThat(found.records()).containsExactly("=22");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLetNoWatermarkOvertakeARecord(boolean ordered) throws Exception {
        CollectSink<WindowResult<String, Long>> counts =
                CollectSink.of(Type.of(WindowResult.class, Type.of(String.class), Type.of(Long.class)));
        var asked = topology.from(numbers).eventTime(n -> n, Duration.ZERO).async();
        (ordered ? asked : asked.unordered())
                .join(service, (number, answer) -> number + answer)
                .as(String.class)
                .keyBy(text -> "all")
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .to(counts);
        Job job = start();
        numbers.add(1L);
        step(job);
        numbers.add(25L);
        step(job);
        numbers.add(47L);
        step(job);
        service.answer(25, 47);
        step(job);
        assertThat(counts.records()).isEmpty();
        service.answer(1);
        numbers.end();
        end(job);
        assertThat(counts.records()).extracting(WindowResult::value).containsExactly(1L, 1L, 1L);
        assertThat(job.await().recordsLate()).isZero();
    }

    /** More input waits all the time, as in a job that never rests. */
    @Test
    void shouldLetTimeGoOn_whileItIsFull() throws Exception {
        CollectSink<WindowResult<String, Long>> counts =
                CollectSink.of(Type.of(WindowResult.class, Type.of(String.class), Type.of(Long.class)));
        topology.from(numbers)
                .eventTime(n -> n, Duration.ZERO)
                .async()
                .concurrency(2)
                .<String>map(service)
                .keyBy(text -> "all")
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .to(counts);
        Job job = start();
        for (long n = 0; n < 100; n += 5) {
            numbers.add(n);
            step(job);
            if (n >= 15) { // two are in flight, and one waits behind them
                service.answer(n - 15);
            }
        }
        step(job);
        assertThat(counts.records()).hasSizeGreaterThan(6);
        job.kill();
    }

    @Test
    void shouldOpenAndCloseAnOperatorOfEachTask() throws Exception {
        List<String> calls = new ArrayList<>();
        Calls.log = calls;
        topology.from(Sources.of(1L)).async().process(Calls::new).parallelism(2).to(found);
        settings = settings.withParallelism(2);
        end(start());
        assertThat(calls).containsExactlyInAnyOrder("open ask 0", "open ask 1", "close", "close");
        assertThat(found.records()).containsExactly("1");
    }

    private static final class Calls implements AsyncOperator<Long, String> {
        static List<String> log = List.of();

        @Override
        public void open(OperatorContext context) {
            log.add("open ask " + context.task());
        }

        @Override
        public CompletableFuture<String> apply(Long value) {
            return CompletableFuture.completedFuture(value.toString());
        }

        @Override
        public void close() {
            log.add("close");
        }
    }

    @Test
    void shouldCancelWhatIsInFlight_ifTheJobIsKilled() throws Exception {
        Job job = start(ask());
        numbers.add(1L, 2L);
        step(job);
        job.kill();
        step(job);
        assertThat(service.to(1)).isCancelled();
        assertThat(service.to(2)).isCancelled();
        assertThatThrownBy(service.to(1)::join).isInstanceOf(CancellationException.class);
        assertThat(found.records()).isEmpty();
    }

    @Test
    void shouldRefuseNumbersThatMakeNoSense() throws Exception {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ask().concurrency(0))
                .withMessage("concurrency must be at least 1, not 0");
        assertThatIllegalArgumentException().isThrownBy(() -> ask().timeout(Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ask().timeout(java.time.temporal.ChronoUnit.FOREVER.getDuration()))
                .withMessageStartingWith("the timeout must be from 1 ms to 365 days");
        assertThatIllegalArgumentException().isThrownBy(() -> ask().retry(-1, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> ask().cache(n -> n, 0, Duration.ofSeconds(1)));
    }

    /** Of two splits one is idle: the task says so, and takes it back when it has a record in hand again. */
    @Test
    void shouldNotBeIdleWhileARecordIsInHand() throws Exception {
        TestSource<Long> others = TestSource.of(Long.class);
        CollectSink<WindowResult<String, Long>> counts =
                CollectSink.of(Type.of(WindowResult.class, Type.of(String.class), Type.of(Long.class)));
        Duration idle = Duration.ofMillis(100);
        var asked = topology.from(numbers)
                .eventTime(n -> n, Duration.ZERO, idle)
                .async()
                .<String>map(service);
        topology.from(others)
                .eventTime(n -> n, Duration.ZERO)
                .map(n -> "other " + n)
                .isolate()
                .union(asked)
                .keyBy(text -> "all")
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .to(counts);
        Job job = start();
        numbers.add(1L);
        others.add(2L);
        step(job);
        service.answer(1);
        step(job);
        nowNs += 100 * MS;
        step(job);
        others.add(15L); // the first window is done, as only this stream counts
        step(job);
        assertThat(counts.records()).extracting(WindowResult::value).containsExactly(2L);
        numbers.add(16L);
        step(job);
        others.add(31L);
        step(job);
        assertThat(counts.records())
                .as("16 is in hand, and belongs to the second window")
                .hasSize(1);
        service.answer(16);
        numbers.end();
        others.end();
        end(job);
        assertThat(counts.records()).extracting(WindowResult::value).containsExactly(2L, 2L, 1L);
    }

    @Test
    void shouldMeasureLatencyWithTheAnswer() throws Exception {
        Job job = start(ask());
        numbers.add(1L).end();
        step(job);
        nowNs += 500 * MS;
        service.answer(1);
        end(job);
        assertThat(job.await().latency().samples()).isEqualTo(1);
        assertThat(job.await().latency().maxUs()).isBetween(499_000d, 502_000d);
    }

    @Test
    void shouldRefuseEventTimeBehindIt() {
        topology.from(numbers)
                .async()
                .<String>map(service)
                .eventTime(text -> 1L, Duration.ZERO)
                .name("time")
                .to(found);
        assertThatThrownBy(topology::graph)
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining(
                        "operator 'time': eventTime must come before the first grouping, union, connect, async");
    }

    /** The same object for every record. */
    static final class Cell {
        long value;
    }

    private record Reusing(long count) implements Source<Cell> {
        @Override
        public String name() {
            return "reusing";
        }

        @Override
        public Type<Cell> type() {
            return Type.of(Cell.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        @Override
        public boolean reusesRecords() {
            return true;
        }

        @Override
        public SplitReader<Cell> open(String split, SourceContext context) {
            Cell cell = new Cell();
            return new SplitReader<>() {
                private long next;

                @Override
                public @Nullable Cell poll() {
                    cell.value = next;
                    return next++ < count ? cell : null;
                }

                @Override
                public boolean finished() {
                    return next > count;
                }

                @Override
                public long position() {
                    return next;
                }
            };
        }
    }

    @Test
    void shouldKeepRecordsThatTheirSourceReuses() throws Exception {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        topology.from(new Reusing(3))
                .async()
                .join(
                        cell -> {
                            answers.add(new CompletableFuture<>());
                            return answers.get(answers.size() - 1);
                        },
                        (cell, answer) -> answer + cell.value)
                .to(found);
        Job job = start();
        step(job);
        answers.forEach(answer -> answer.complete("="));
        end(job);
        assertThat(found.records()).containsExactly("=0", "=1", "=2");
    }
}
