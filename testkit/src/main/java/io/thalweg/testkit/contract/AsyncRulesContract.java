// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.AsyncStream;
import io.thalweg.api.topology.KeyedAsyncStream;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lookups in a service that answers from other threads, on any runner within this JVM. */
@Timeout(900)
public abstract class AsyncRulesContract {
    private static final long RECORDS = 2_000;

    private static final AtomicBoolean MAY_FAIL = new AtomicBoolean();

    /** Requests so far, by number. */
    private static final Map<Long, Integer> ASKED = new ConcurrentHashMap<>();

    private static final Set<String> MISTAKEN = ConcurrentHashMap.newKeySet();

    /** The runner under test. */
    protected abstract Runner runner(RunSettings settings);

    /** The strongest guarantee that the runner gives with checkpoints. */
    protected abstract Guarantee guarantee();

    @TempDir
    private Path folder;

    @BeforeEach
    void forget() {
        ASKED.clear();
        MISTAKEN.clear();
    }

    private static RunSettings settings() {
        return RunSettings.defaults().withParallelism(2);
    }

    /** Some requests are answered at once, others later than the ones after them. */
    private static CompletableFuture<Long> twice(Long number) {
        ASKED.merge(number, 1, Integer::sum);
        if (number % 5 == 0) {
            return CompletableFuture.completedFuture(2 * number);
        }
        Executor later = CompletableFuture.delayedExecutor(number * 7 % 4, TimeUnit.MILLISECONDS);
        return CompletableFuture.supplyAsync(() -> 2 * number, later);
    }

    /** Like {@link #twice}, but the first request for every tenth number fails. */
    private static CompletableFuture<Long> atSecond(Long number) {
        CompletableFuture<Long> answer = twice(number);
        boolean fails = number % 10 == 3 && ASKED.getOrDefault(number, 0) == 1;
        return fails ? CompletableFuture.failedFuture(new IllegalStateException("busy")) : answer;
    }

    /** All others are answered at once: on a busy machine an answer of another thread may take longer than a short timeout. */
    private static CompletableFuture<Long> neverTheSeventh(Long number) {
        ASKED.merge(number, 1, Integer::sum);
        return number == 7 ? new CompletableFuture<>() : CompletableFuture.completedFuture(2 * number);
    }

    /** Fails at first, and notes where the current record is another one than it is called for. */
    private static final class Timed implements AsyncOperator<Long, Long> {
        private @Nullable OperatorContext context;

        @Override
        public void open(OperatorContext of) {
            context = of;
        }

        @Override
        public CompletableFuture<Long> apply(Long number) {
            long time = Objects.requireNonNull(context).eventTime();
            if (time != number) {
                MISTAKEN.add("called for " + number + " at " + time);
            }
            return atSecond(number);
        }
    }

    private static CompletableFuture<Long> badOrNone(Long number) {
        if (number % 4 == 1) {
            return CompletableFuture.failedFuture(new BadRecordException("nobody knows it", "" + number));
        }
        return number % 4 == 2 ? CompletableFuture.completedFuture(null) : twice(number);
    }

    private static Long failingOnce(Long number) {
        if (number == RECORDS && MAY_FAIL.compareAndSet(true, false)) {
            throw new IllegalStateException("as it was told to");
        }
        return number;
    }

    /** Counts the records of a key, of which several are in flight, as they are answered; and knows which key it was called for. */
    private static final class Counting implements KeyedAsyncOperator<Long, Long, Long, String> {
        private @Nullable ValueState<Long> count;
        private @Nullable ValueState<Long> name;

        @Override
        public void open(KeyedAsyncContext context) {
            count = context.state("count", Type.of(Long.class));
            name = context.state("name", Type.of(Long.class));
        }

        private static ValueState<Long> opened(@Nullable ValueState<Long> state) {
            if (state == null) {
                throw new IllegalStateException("not open");
            }
            return state;
        }

        @Override
        public CompletableFuture<Long> apply(Long key, Long number) {
            checkName(key, number);
            opened(name).set(key);
            return badOrNone(number);
        }

        @Override
        public @Nullable String answered(Long key, Long number, @Nullable Long answer) {
            checkName(key, number);
            if (answer == null) {
                return null;
            }
            Long before = opened(count).get();
            long now = before == null ? 1 : before + 1;
            opened(count).set(now);
            return key + " " + now + " " + answer;
        }

        private void checkName(Long key, Long number) {
            Long known = opened(name).get();
            if (key != number % 7 || (known != null && !known.equals(key))) {
                throw new IllegalStateException(
                        "called with key " + key + " and state of key " + known + " for " + number);
            }
        }
    }

    private static Stream<Long> numbers(Topology topology, int splits) {
        return topology.from(Sources.generate(RECORDS, index -> index).splitInto(splits));
    }

    private static List<Long> doubled(LongStream numbers) {
        return numbers.map(number -> 2 * number).boxed().toList();
    }

    @Test
    void shouldEmitWhatIsAnswered_inOrderIfAskedTo() throws Exception {
        CollectSink<Long> inOrder = CollectSink.of(Long.class);
        CollectSink<Long> inAnyOrder = CollectSink.of(Long.class);
        Topology topology = Topology.named("asking");
        for (boolean ordered : new boolean[] {true, false}) {
            AsyncStream<Long> async = numbers(topology, 1).async().concurrency(20);
            (ordered ? async : async.unordered())
                    .map(AsyncRulesContract::twice)
                    .as(Long.class)
                    .parallelism(1)
                    .to(ordered ? inOrder : inAnyOrder)
                    .parallelism(1);
        }

        JobStats end = runner(settings()).start(topology.graph()).await();

        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        List<Long> expected = doubled(LongStream.range(0, RECORDS));
        assertThat(inOrder.records()).containsExactlyElementsOf(expected);
        assertThat(inAnyOrder.records()).containsExactlyInAnyOrderElementsOf(expected);
    }

    /**
     * Downstream windows lose nothing: watermarks stay behind the records in flight, and checkpoints contain all that
     * was read.
     */
    @Test
    void shouldCountEachRecordOnce_whereATaskFailedOnTheWay() throws Exception {
        MAY_FAIL.set(true);
        CollectSink<String> sink = CollectSink.of(String.class);
        Topology topology = Topology.named("asking");
        topology.from(Sources.generate(RECORDS, index -> index).splitInto(2).rate(2_000))
                .eventTime(number -> number, Duration.ofMillis(4))
                .async()
                .unordered()
                .retry(2, Duration.ofMillis(1))
                .map(AsyncRulesContract::atSecond)
                .as(Long.class)
                .map(AsyncRulesContract::failingOnce)
                .keyBy(number -> number % 3)
                .window(Windows.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregates.sum(number -> number))
                .map(result -> result.start() + " " + result.key() + " " + result.value())
                .to(sink);
        RunSettings settings = settings()
                .withGuarantee(guarantee(), CheckpointSettings.in(folder).every(Duration.ofMillis(50)))
                .withRestart(Restart.fixed(3, Duration.ofMillis(10)));

        JobStats end = runner(settings).start(topology.graph()).await();

        List<String> expected = new ArrayList<>();
        for (long start = 0; start < RECORDS; start += 100) {
            for (long key = 0; key < 3; key++) {
                long of = key;
                expected.add(start + " " + key + " "
                        + LongStream.range(start, start + 100)
                                .map(number -> 2 * number)
                                .filter(number -> number % 3 == of)
                                .sum());
            }
        }
        assertThat(MAY_FAIL).isFalse();
        assertThat(end.recordsLate()).isZero();
        assertThat(found(sink.records())).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** In order, results tell how many records of their key came before: none was forgotten or counted twice. */
    @Test
    void shouldKeepStateForEachKey_whereATaskFailedOnTheWay() throws Exception {
        MAY_FAIL.set(true);
        CollectSink<String> inOrder = CollectSink.of(String.class);
        CollectSink<String> inAnyOrder = CollectSink.of(String.class);
        Topology topology = Topology.named("counting");
        for (boolean ordered : new boolean[] {true, false}) {
            KeyedAsyncStream<Long, Long> async = topology.from(
                            Sources.generate(RECORDS, index -> index).rate(2_000))
                    .keyBy(number -> number % 7)
                    .async()
                    .concurrency(2);
            (ordered ? async : async.unordered())
                    .process(Counting::new)
                    .peek(result -> {
                        if (result.endsWith(" " + RECORDS)) {
                            failingOnce(RECORDS);
                        }
                    })
                    .to(ordered ? inOrder : inAnyOrder);
        }
        RunSettings settings = settings()
                .withGuarantee(guarantee(), CheckpointSettings.in(folder).every(Duration.ofMillis(50)))
                .withRestart(Restart.fixed(3, Duration.ofMillis(10)));

        JobStats end = runner(settings).start(topology.graph()).await();

        List<String> expected = new ArrayList<>();
        Map<Long, Long> counts = new HashMap<>();
        for (long number = 0; number < RECORDS; number++) {
            if (number % 4 == 0 || number % 4 == 3) {
                long count = counts.merge(number % 7, 1L, Long::sum);
                expected.add(number % 7 + " " + count + " " + 2 * number);
            }
        }
        assertThat(MAY_FAIL).isFalse();
        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(found(inOrder.records())).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(found(withoutAnswer(inAnyOrder.records())))
                .containsExactlyInAnyOrderElementsOf(withoutAnswer(expected));
    }

    private static List<String> withoutAnswer(List<String> results) {
        return results.stream()
                .map(result -> result.substring(0, result.lastIndexOf(' ')))
                .toList();
    }

    /** With at-least-once, results may come again. */
    private Collection<String> found(List<String> results) {
        return guarantee() == Guarantee.EXACTLY_ONCE ? results : new HashSet<>(results);
    }

    @Test
    void shouldCountBadRecords_andEmitNoneWithoutAResult() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("asking");
        numbers(topology, 2)
                .async()
                .map(AsyncRulesContract::badOrNone)
                .as(Long.class)
                .to(sink);

        JobStats end = runner(settings()).start(topology.graph()).await();

        assertThat(end.recordsBad()).isEqualTo(RECORDS / 4);
        assertThat(sink.records())
                .containsExactlyInAnyOrderElementsOf(
                        doubled(LongStream.range(0, RECORDS).filter(number -> number % 4 == 0 || number % 4 == 3)));
    }

    /** A cached answer is emitted at once, without a request. */
    @Test
    void shouldAskOnceForEachKeyThatItKeeps() throws Exception {
        CollectSink<Long> inOrder = CollectSink.of(Long.class);
        CollectSink<Long> inAnyOrder = CollectSink.of(Long.class);
        Topology topology = Topology.named("asking");
        for (boolean ordered : new boolean[] {true, false}) {
            long first = ordered ? 0 : 100; // each asks for others
            AsyncStream<Long> async = topology.from(Sources.generate(RECORDS, index -> first + index % 9))
                    .async()
                    .concurrency(3)
                    .cache(number -> number, 100, Duration.ofHours(1));
            (ordered ? async : async.unordered())
                    .map(AsyncRulesContract::twice)
                    .as(Long.class)
                    .parallelism(1)
                    .to(ordered ? inOrder : inAnyOrder);
        }

        assertThat(runner(settings()).start(topology.graph()).await().state()).isEqualTo(JobState.FINISHED);

        assertThat(inOrder.records())
                .containsExactlyInAnyOrderElementsOf(
                        doubled(LongStream.range(0, RECORDS).map(number -> number % 9)));
        assertThat(inAnyOrder.records())
                .containsExactlyInAnyOrderElementsOf(
                        doubled(LongStream.range(0, RECORDS).map(number -> 100 + number % 9)));
        assertThat(ASKED).hasSize(18).containsValue(1).doesNotContainValue(2);
    }

    @Test
    void shouldBeCalledAgainAtTheTimeOfTheRecord() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("asking");
        numbers(topology, 2)
                .eventTime(number -> number, Duration.ofMillis(4))
                .async()
                .retry(2, Duration.ofMillis(1))
                .process(Timed::new)
                .to(sink);

        assertThat(runner(settings()).start(topology.graph()).await().state()).isEqualTo(JobState.FINISHED);

        assertThat(MISTAKEN).isEmpty();
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(doubled(LongStream.range(0, RECORDS)));
        assertThat(ASKED).containsEntry(3L, 2);
    }

    @Test
    void shouldFailAndNameTheRecord_whereNoAnswerComesInTime() {
        Topology topology = Topology.named("asking");
        numbers(topology, 1)
                .async()
                .timeout(Duration.ofMillis(200))
                .map(AsyncRulesContract::neverTheSeventh)
                .as(Long.class)
                .name("ask")
                .to(CollectSink.of(Long.class));

        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() -> runner(settings()).start(topology.graph()).await())
                .withMessageStartingWith("topology 'asking', operator 'ask', task ")
                .withMessageContaining("no answer within 200 ms for record 7; see whether the service is up");
    }

    @Test
    void shouldCancelAJobThatWaitsForAnAnswer() throws Exception {
        Topology topology = Topology.named("asking");
        numbers(topology, 1)
                .async()
                .map(AsyncRulesContract::neverTheSeventh)
                .as(Long.class)
                .to(CollectSink.of(Long.class));
        RunningJob job = runner(settings()).start(topology.graph());
        while (!ASKED.containsKey(8L)) {
            assertThat(job.await(Duration.ofMillis(5))).isFalse();
        }

        job.cancel();

        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }
}
