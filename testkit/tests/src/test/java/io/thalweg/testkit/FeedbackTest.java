// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.graph.Limit;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.HeldRecord;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.LoopStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.PlanText;
import io.thalweg.run.RunSettings;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that lead back, embedded. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FeedbackTest {
    private static final SideOutput<Hop> AGAIN = SideOutput.of("again", Hop.class);
    private static final int RECORDS = 1_000;

    @TempDir
    Path folder;

    private final GraphBuilder graph = GraphBuilder.named("loop");
    private final CollectSink<Hop> sink = CollectSink.of(Hop.class);
    private final List<String> warnings = new ArrayList<>();
    private long nowNs = 1;

    private final RunSettings settings = RunSettings.defaults()
            .withParallelism(1)
            .withThreads(0)
            .withSteps(100, 2, 4)
            .withWarnings(warnings::add)
            .withClock(new Clock() {
                @Override
                public long nowNs() {
                    return nowNs;
                }

                @Override
                public long epochMs() {
                    return nowNs / 1_000_000;
                }
            });

    /**
     * A record that goes round a loop.
     *
     * @param left rounds that are left
     * @param gone rounds that it went
     */
    record Hop(long id, int left, int gone) {
        Hop next() {
            return new Hop(id, left - 1, gone + 1);
        }
    }

    /** Emits what has rounds left again, and the rest to the main output. */
    static class Step implements Operator<Hop, Hop> {
        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(AGAIN);
        }

        @Override
        public void process(Hop hop, Output<Hop> output) throws Exception {
            if (hop.left() == 0) {
                output.emit(hop);
            } else {
                output.emit(AGAIN, hop.next());
            }
        }
    }

    private static List<Hop> hops(int rounds) {
        return LongStream.range(0, RECORDS)
                .mapToObj(id -> new Hop(id, (int) (id % (rounds + 1)), 0))
                .toList();
    }

    private void loop(Source<Hop> source, OperatorSupplier<? extends Operator<Hop, Hop>> step) {
        graph.source("hops", source);
        graph.operator("all", new NodeSpec.Union());
        graph.process("step", step);
        graph.sink("out", sink);
        graph.connect("hops", "all").grouped(new Grouping.Shuffle());
        graph.connect("all", "step").grouped(new Grouping.Shuffle());
        graph.connect("step", "out");
        graph.connect("step", "all").side(AGAIN).feedback().grouped(new Grouping.Shuffle());
    }

    private Job start(RunSettings how) {
        return new EmbeddedRunner(how).start(graph.build());
    }

    private static void end(Job job) throws Exception {
        for (int step = 0; job.step(); step++) {
            assertThat(step).as("steps: %s", job.stats()).isLessThan(1_000_000);
        }
        job.await();
    }

    private void assertAllWentRound(int rounds) {
        assertThat(sink.records())
                .extracting(Hop::id)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, RECORDS).boxed().toList());
        assertThat(sink.records()).allMatch(hop -> hop.gone() == hop.id() % (rounds + 1));
    }

    // ---- records

    @Test
    void shouldLeadRecordsRoundOneByOne() throws Exception {
        TestSource<Hop> source = TestSource.of(Hop.class);
        loop(source, Step::new);
        Job job = start(settings);

        source.add(new Hop(1, 3, 0));
        step(job);
        assertThat(sink.records()).containsExactly(new Hop(1, 0, 3));
        assertThat(job.stats().loops()).extracting(LoopStats::records).containsExactly(0L);
        assertThat(job.stats().state()).isEqualTo(JobState.RUNNING);

        source.end();
        end(job);
        assertThat(job.stats().state()).isEqualTo(JobState.FINISHED);
        assertThat(warnings).isEmpty();
    }

    /** Each turn of the step ends because there is no more room before the sink. */
    @Test
    void shouldCountWhatGoesRoundThoughThereIsNoRoom() throws Exception {
        TestSource<Hop> source =
                TestSource.of(Hop.class).add(new Hop(1, 1_000, 0), new Hop(2, 1_000, 0), new Hop(3, 1_000, 0));
        graph.source("hops", source);
        graph.process("step", Comparing::new);
        graph.sink("out", sink).isolate();
        graph.connect("hops", "step");
        graph.connect("step", "out");
        graph.connect("step", "step").side(AGAIN).feedback();
        Job job = start(settings.withSteps(1, 2, 1));

        step(job);
        assertThat(sink.records()).hasSizeBetween(20, 3 * 2 * 1_000);
        assertThat(job.stats().loops())
                .singleElement()
                .extracting(LoopStats::records)
                .as("three records, and what waits for room")
                .isIn(3L, 4L);
        source.end();
        end(job);
        assertThat(job.stats().loops()).extracting(LoopStats::records).containsExactly(0L);
    }

    private static void step(Job job) {
        for (int step = 0; step < 100; step++) {
            job.step();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 16, 512", "3, 1, 1", "3, 2, 3", "4, 16, 512"})
    void shouldEndOnThreadsWhenTheLoopIsEmpty(int parallelism, int batches, int batch) throws Exception {
        loop(Sources.of(Type.of(Hop.class), hops(20)), Step::new);

        start(settings.withClock(Clock.system())
                        .withThreads(3)
                        .withParallelism(parallelism)
                        .withSteps(0, batches, batch))
                .await();

        assertAllWentRound(20);
    }

    @Test
    void shouldEndAtOnceWithoutRecords() throws Exception {
        loop(TestSource.of(Hop.class).end(), Step::new);

        end(start(settings.withParallelism(2)));

        assertThat(sink.records()).isEmpty();
    }

    @Test
    void shouldLeadBackToTheSameOperator() throws Exception {
        graph.source("hops", Sources.of(Type.of(Hop.class), hops(5)));
        graph.process("step", Step::new);
        graph.sink("out", sink);
        graph.connect("hops", "step");
        graph.connect("step", "out");
        graph.connect("step", "step").side(AGAIN).feedback();

        end(start(settings));

        assertAllWentRound(5);
    }

    /** What is led back comes to a sink that has no limit. */
    @Test
    void shouldReadOnBehindALimitThatIsReached_whereRecordsAreLedBackPastIt() throws Exception {
        CollectSink<Hop> ledBack = CollectSink.of(Hop.class);
        graph.source("hops", Sources.of(Type.of(Hop.class), hops(5)));
        graph.source("none", TestSource.of(Hop.class).end());
        graph.operator("back", new NodeSpec.Union());
        graph.operator("all", new NodeSpec.Union());
        graph.process("step", Step::new);
        graph.operator("few", new Limit(1));
        graph.sink("out", sink);
        graph.sink("led back", ledBack);
        graph.connect("none", "back");
        graph.connect("back", "led back");
        graph.connect("back", "all");
        graph.connect("hops", "all");
        graph.connect("all", "step");
        graph.connect("step", "few");
        graph.connect("few", "out");
        graph.connect("step", "back").side(AGAIN).feedback();

        end(start(settings));

        assertThat(sink.records()).hasSize(1);
        assertThat(ledBack.records())
                .hasSize(hops(5).stream().mapToInt(Hop::left).sum());
    }

    @Test
    void shouldEndAtALimit_thoughAnOperatorOnlyLeadsBack() throws Exception {
        graph.source("hops", Sources.generate(Long.MAX_VALUE, id -> new Hop(id, (int) (id % 3), 0)));
        graph.operator("all", new NodeSpec.Union());
        graph.process("step", Step::new);
        graph.operator("again", new NodeSpec.Peek(hop -> {}));
        graph.operator("few", new Limit(7));
        graph.sink("out", sink);
        graph.connect("hops", "all");
        graph.connect("all", "step");
        graph.connect("step", "again").side(AGAIN);
        graph.connect("again", "all").feedback();
        graph.connect("step", "few");
        graph.connect("few", "out");

        end(start(settings));

        assertThat(sink.records()).hasSize(7);
    }

    @Test
    void shouldEndLoopsWithinLoopsTogether() throws Exception {
        graph.source("hops", Sources.of(Type.of(Hop.class), hops(6)));
        graph.operator("outer", new NodeSpec.Union());
        graph.operator("inner", new NodeSpec.Union());
        graph.process("step", Step::new).parallelism(2);
        graph.process("back", Step::new).parallelism(3);
        graph.sink("out", sink);
        graph.connect("hops", "outer");
        graph.connect("outer", "inner");
        graph.connect("inner", "step").grouped(new Grouping.Shuffle());
        graph.connect("step", "back").side(AGAIN).grouped(new Grouping.Shuffle());
        graph.operator("done", new NodeSpec.Union()).as(Type.of(Hop.class));
        graph.connect("step", "done");
        graph.connect("back", "done");
        graph.connect("done", "out");
        graph.connect("back", "inner").side(AGAIN).feedback();
        graph.connect("step", "outer").side(AGAIN).feedback();

        Job job = start(settings);
        assertThat(job.stats().loops())
                .singleElement()
                .satisfies(loop -> assertThat(loop.operators()).containsExactly("outer", "inner", "step", "back"));
        end(job);

        assertThat(sink.records()).hasSizeGreaterThan(RECORDS); // what goes round is emitted twice each time
        assertThat(job.stats().loops()).extracting(LoopStats::records).containsExactly(0L);
    }

    @Test
    void shouldWaitForRecordsThatThreadsHold() throws Exception {
        loop(Sources.of(Type.of(Hop.class), hops(3)), Held::new);

        start(settings.withClock(Clock.system()).withThreads(2).withParallelism(2))
                .await();

        assertAllWentRound(3);
    }

    /** Answers from another thread. */
    static final class Held extends Step implements ThreadedOperator<Hop, Hop> {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private SharedOutput<Hop> shared;

        @Override
        public void start(SharedOutput<Hop> output) {
            shared = output;
        }

        @Override
        public void process(Hop hop, Output<Hop> output) {
            HeldRecord<Hop> held = shared.hold();
            thread.execute(() -> {
                try {
                    super.process(hop, held);
                    held.ack();
                } catch (Exception e) {
                    held.fail(e.toString());
                }
            });
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }

    @Test
    void shouldRetryWhatFailsInTheLoop() throws Exception {
        loop(Sources.of(Type.of(Hop.class), hops(8)), Failing::new);

        start(settings.withClock(Clock.system())
                        .withThreads(2)
                        .withParallelism(2)
                        .withAcks(AckSettings.defaults(), null))
                .await();

        assertThat(sink.records().stream().map(Hop::id).distinct().count()).isEqualTo(RECORDS);
        assertThat(sink.records()).hasSizeGreaterThanOrEqualTo(RECORDS);
    }

    /** Fails now and then. */
    static final class Failing extends Step {
        private final Random random = new Random(4711);

        @Override
        public void process(Hop hop, Output<Hop> output) throws Exception {
            if (random.nextInt(200) == 0) {
                throw new RecordFailedException("bad luck");
            }
            super.process(hop, output);
        }
    }

    // ---- time

    /** What windows hold is emitted when the loop is empty, goes round, and the results of that are emitted, too. */
    @Test
    void shouldLeadBackWhatWindowsHoldAtTheEnd() throws Exception {
        graph.source("numbers", Sources.of(1L, 2L, 3L, 4L));
        graph.operator("timed", new NodeSpec.EventTime(value -> (Long) value, 0, 0, NodeSpec.EventTime.NOT_ALIGNED));
        graph.operator("all", new NodeSpec.Union());
        graph.operator("sums", windows(2))
                .as(Type.<WindowResult<Integer, Long>>of(
                        WindowResult.class, Type.of(Integer.class), Type.of(Long.class)));
        graph.operator("values", new NodeSpec.Map(result -> ((WindowResult<?, ?>) result).value()))
                .as(Type.of(Long.class));
        graph.operator("small", new NodeSpec.Filter(value -> (Long) value < 5));
        CollectSink<Long> values = CollectSink.of(Long.class);
        graph.sink("out", values);
        graph.connect("numbers", "timed");
        graph.connect("timed", "all");
        graph.connect("all", "sums");
        graph.connect("sums", "values");
        graph.connect("values", "out");
        graph.connect("values", "small");
        graph.connect("small", "all").feedback();

        Job job = start(settings);
        end(job);

        assertThat(values.records()).containsExactlyInAnyOrder(1L, 5L, 4L);
        assertThat(job.stats().recordsLate())
                .as("1 and 4 come back behind the end of their windows")
                .isEqualTo(2);
    }

    /** The watermark advances also while a batch that is led back is taken by and by, as there is room behind it. */
    @Test
    void shouldNotTakeRecordsThatAreBehindTheWatermark() throws Exception {
        List<Hop> hops =
                LongStream.range(0, 200).mapToObj(id -> new Hop(id, 3, 0)).toList();
        graph.source("hops", Sources.of(Type.of(Hop.class), hops));
        graph.operator("timed", new NodeSpec.EventTime(hop -> ((Hop) hop).id(), 0, 0, NodeSpec.EventTime.NOT_ALIGNED));
        graph.process("step", Comparing::new);
        graph.sink("out", sink);
        graph.connect("hops", "timed");
        graph.connect("timed", "step").grouped(new Grouping.Shuffle());
        graph.connect("step", "out").grouped(new Grouping.Shuffle());
        graph.connect("step", "step").side(AGAIN).feedback().grouped(new Grouping.Shuffle());

        end(start(settings.withSteps(3, 2, 4)));

        assertThat(sink.records())
                .hasSize(2 * 4 * hops.size())
                .filteredOn(hop -> hop.left() == Comparing.BEHIND)
                .isEmpty();
    }

    /** Emits each record twice, so that there is no room now and then, and says of those whose stamps are behind the watermark. */
    static final class Comparing extends Step {
        static final int BEHIND = -1;

        private @Nullable OperatorContext context;

        @Override
        public void open(OperatorContext context) {
            this.context = context;
        }

        @Override
        public void process(Hop hop, Output<Hop> output) throws Exception {
            OperatorContext now = Objects.requireNonNull(context);
            Hop seen = now.stamp() < now.watermark() ? new Hop(hop.id(), BEHIND, hop.gone()) : hop;
            output.emit(seen);
            output.emit(seen);
            if (hop.left() > 0) {
                output.emit(AGAIN, hop.next());
            }
        }
    }

    /** Where time has ended for a round, it has not for operators behind the loop, nor for those in it that know no event time. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndTimeForARoundOfTheLoopOnly(boolean timed) throws Exception {
        Wrong wrong = watermark -> !timed && watermark != OperatorContext.NO_TIME;
        graph.source("hops", Sources.of(Type.of(Hop.class), hops(4)));
        if (timed) {
            graph.operator("timed", new NodeSpec.EventTime(hop -> 0L, 0, 0, NodeSpec.EventTime.NOT_ALIGNED));
            graph.connect("hops", "timed");
        }
        graph.operator("wait", new NodeSpec.KeyedProcess(byId(), () -> new Waiting(wrong)))
                .as(Type.of(Hop.class));
        graph.process("check", () -> new Checking(wrong));
        graph.operator("ask", new KeyedAsyncMap(byId(), () -> new Asking(wrong), ONE_BY_ONE))
                .as(Type.of(Hop.class));
        graph.process("step", Step::new);
        graph.process("behind", () -> new Checking(watermark -> watermark == Long.MAX_VALUE));
        graph.sink("out", sink);
        graph.connect(timed ? "timed" : "hops", "wait");
        graph.connect("wait", "check");
        graph.connect("check", "ask");
        graph.connect("ask", "step");
        graph.connect("step", "wait").side(AGAIN).feedback();
        graph.connect("step", "behind");
        graph.connect("behind", "out");
        PlanInfo plan = new EmbeddedRunner(settings).plan(graph.build());
        assertThat(plan.edges())
                .as("wait and check are a chain, and ask, step and behind are one that goes on behind the loop")
                .filteredOn(PlanInfo.Edge::fused)
                .extracting(PlanInfo.Edge::to)
                .contains("check", "step", "behind");

        end(start(settings));

        assertAllWentRound(4);
    }

    /** In each round 200 hops leave the loop, and windows of 300 are full but for the last one. */
    @Test
    void shouldNotFireWindowsBehindTheLoopBeforeItEnds() throws Exception {
        CollectSink<Long> counts = CollectSink.of(Long.class);
        graph.source("hops", Sources.of(Type.of(Hop.class), hops(4)));
        graph.operator("wait", new NodeSpec.KeyedProcess(byId(), () -> new Waiting(watermark -> false)))
                .as(Type.of(Hop.class));
        graph.process("step", Step::new);
        graph.operator("counts", counts(300))
                .as(Type.<WindowResult<Integer, Long>>of(
                        WindowResult.class, Type.of(Integer.class), Type.of(Long.class)));
        graph.operator("values", new NodeSpec.Map(result -> ((WindowResult<?, ?>) result).value()))
                .as(Type.of(Long.class));
        graph.sink("out", counts);
        graph.connect("hops", "wait");
        graph.connect("wait", "step");
        graph.connect("step", "wait").side(AGAIN).feedback();
        graph.connect("step", "counts");
        graph.connect("counts", "values");
        graph.connect("values", "out");

        end(start(settings));

        assertThat(counts.records()).containsExactly(300L, 300L, 300L, 100L);
    }

    @SuppressWarnings("unchecked") // the graph holds records as Object
    private static NodeSpec.Window counts(long size) {
        return new NodeSpec.Window(
                new KeySpec(value -> 0, (Type<Object>) (Type<?>) Type.of(Integer.class)),
                Windows.count(size),
                0,
                (Aggregate<Object, Object, Object>) (Aggregate<?, ?, ?>) Aggregates.count(),
                null);
    }

    private static final AsyncMap.Options ONE_BY_ONE =
            new AsyncMap.Options(true, 1, 1_000, new AsyncMap.Retry(0, 1, failure -> false), null);

    @SuppressWarnings("unchecked") // the graph holds records as Object
    private static KeySpec byId() {
        return new KeySpec(hop -> ((Hop) hop).id(), (Type<Object>) (Type<?>) Type.of(Long.class));
    }

    /** Watermarks that an operator must not see. */
    private interface Wrong extends LongPredicate, Serializable {}

    private static void check(@Nullable OperatorContext context, Wrong wrong) {
        OperatorContext now = Objects.requireNonNull(context);
        if (wrong.test(now.watermark())) {
            throw new IllegalStateException("'" + now.operator() + "' is at the watermark " + now.watermark());
        }
    }

    /** Keeps each record until time ends. */
    static final class Waiting implements KeyedOperator<Object, Object, Object> {
        private final Wrong wrong;
        private @Nullable KeyedContext context;
        private @Nullable ValueState<Hop> waiting;

        Waiting(Wrong wrong) {
            this.wrong = wrong;
        }

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            waiting = opened.state("waiting", Type.of(Hop.class));
        }

        @Override
        public void process(Object key, Object hop, Output<Object> output) {
            check(context, wrong);
            Objects.requireNonNull(waiting).set((Hop) hop);
            Objects.requireNonNull(context).setTimer(1_000);
        }

        @Override
        public void onTimer(Object key, long time, Output<Object> output) {
            output.emit(Objects.requireNonNull(Objects.requireNonNull(waiting).get()));
        }
    }

    /** Answers at once. */
    static final class Asking implements KeyedAsyncOperator<Object, Object, Object, Object> {
        private final Wrong wrong;
        private @Nullable OperatorContext context;

        Asking(Wrong wrong) {
            this.wrong = wrong;
        }

        @Override
        public void open(KeyedAsyncContext opened) {
            context = opened;
        }

        @Override
        public CompletionStage<Object> apply(Object key, Object hop) {
            check(context, wrong);
            return CompletableFuture.completedFuture(hop);
        }

        @Override
        public @Nullable Object answered(Object key, Object hop, @Nullable Object answer) {
            return answer;
        }
    }

    static final class Checking implements Operator<Hop, Hop> {
        private final Wrong wrong;
        private @Nullable OperatorContext context;

        Checking(Wrong wrong) {
            this.wrong = wrong;
        }

        @Override
        public void open(OperatorContext opened) {
            context = opened;
        }

        @Override
        public void process(Hop hop, Output<Hop> output) {
            check(context, wrong);
            output.emit(hop);
        }
    }

    @SuppressWarnings("unchecked") // the graph holds records as Object
    private static NodeSpec.Window windows(long sizeMs) {
        return new NodeSpec.Window(
                new KeySpec(value -> 0, (Type<Object>) (Type<?>) Type.of(Integer.class)),
                Windows.tumbling(Duration.ofMillis(sizeMs)),
                0,
                (Aggregate<Object, Object, Object>) (Aggregate<?, ?, ?>) Aggregates.sum((Long value) -> value),
                null);
    }

    @Test
    void shouldNotWaitForTicks() throws Exception {
        loop(TestSource.of(Hop.class).end(), Ticking::new);
        Job job = start(settings);

        for (int step = 0; job.step(); step++) {
            assertThat(step).isLessThan(10_000);
            nowNs += 1_000_000;
        }

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
    }

    /** Leads a record back now and then. */
    static final class Ticking extends Step implements TickingOperator<Hop, Hop> {
        @Override
        public Duration tickEvery() {
            return Duration.ofMillis(100);
        }

        @Override
        public void onTick(long epochMs, Output<Hop> output) {
            output.emit(AGAIN, new Hop(epochMs, 0, 0));
        }
    }

    // ---- what cannot go well

    @Test
    void shouldFailRatherThanLeadBackWhatIsEmittedAtTheEnd() {
        loop(Sources.of(Type.of(Hop.class), hops(1)), LastWord::new);

        assertThatThrownBy(() -> end(start(settings)))
                .isInstanceOf(JobFailedException.class)
                .hasMessage(
                        "topology 'loop', operator 'step': what it emits when its input has ended leads back to an operator"
                                + " whose input has ended, too; emit it before, from a timer or a window, or lead it to an operator outside"
                                + " the loop");
    }

    static final class LastWord extends Step {
        @Override
        public void finish(Output<Hop> output) {
            output.emit(AGAIN, new Hop(-1, 0, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldFailIfMoreIsLedBackThanComesIn(int threads) {
        loop(Sources.of(Type.of(Hop.class), hops(1)), Twice::new);

        assertThatThrownBy(() -> {
                    Job job = start(settings.withFeedbackLimit(500).withThreads(threads));
                    if (threads == 0) {
                        end(job);
                    }
                    job.await();
                })
                .isInstanceOf(JobFailedException.class)
                .hasMessageMatching(
                        "topology 'loop', operator 'step': it leads back more records than 'all' takes: \\d+ wait beyond"
                                + " the queues, and the limit is 508; lead fewer back than come in, or raise"
                                + " RunSettings.withFeedbackLimit");
    }

    static final class Twice extends Step {
        @Override
        public void process(Hop hop, Output<Hop> output) {
            output.emit(AGAIN, hop);
            output.emit(AGAIN, hop);
        }
    }

    @Test
    void shouldStopALoopThatNeverEnds() throws Exception {
        loop(Sources.of(Type.of(Hop.class), hops(1)), ForEver::new);
        Job job = start(settings.withClock(Clock.system()).withThreads(2).withStopTimeout(Duration.ofMillis(50)));
        while (ForEver.SEEN.get() < 10_000) {
            Thread.onSpinWait();
        }

        job.cancel();

        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(warnings).singleElement().asString().contains("records in flight were dropped, before task");
    }

    static final class ForEver extends Step {
        static final AtomicInteger SEEN = new AtomicInteger();

        @Override
        public void process(Hop hop, Output<Hop> output) {
            SEEN.incrementAndGet();
            output.emit(AGAIN, hop);
        }
    }

    @Test
    void shouldFailWithTheOperatorsName() {
        loop(Sources.of(Type.of(Hop.class), hops(1)), Broken::new);

        assertThatThrownBy(() -> end(start(settings)))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("operator 'step'")
                .hasMessageContaining("broken");
    }

    static final class Broken extends Step {
        @Override
        public void process(Hop hop, Output<Hop> output) {
            throw new IllegalStateException("broken");
        }
    }

    @Test
    void shouldRefuseAcksWithCheckpoints() {
        loop(Sources.of(Type.of(Hop.class), hops(1)), Step::new);

        assertThatThrownBy(() -> start(settings.withAcks(AckSettings.defaults(), CheckpointSettings.in(folder))))
                .isInstanceOf(TopologyException.class)
                .hasMessage(
                        "topology 'loop', operator 'all': a stream leads back to it, and there acks cannot be combined with"
                                + " checkpoints; use the guarantee exactly-once, or acked without a directory for checkpoints");
    }

    /** With a directory for checkpoints as without. */
    @Test
    void shouldRefuseStateThatAcksDoNotRestore() {
        graph.source("numbers", Sources.of(1L, 2L, 3L, 4L));
        graph.operator("all", new NodeSpec.Union());
        graph.operator("once", distinct());
        graph.sink("out", CollectSink.of(Long.class));
        graph.connect("numbers", "all");
        graph.connect("all", "once");
        graph.connect("once", "out");
        graph.connect("once", "all").feedback();

        for (CheckpointSettings directory : Arrays.asList(null, CheckpointSettings.in(folder))) {
            assertThatThrownBy(() -> start(settings.withAcks(AckSettings.defaults(), directory)))
                    .isInstanceOf(TopologyException.class)
                    .hasMessage(
                            "topology 'loop', operator 'once': it keeps state, which acks do not restore; a stream leads back"
                                    + " to 'all', and there acks cannot be combined with checkpoints; use the guarantee exactly-once");
        }
    }

    @SuppressWarnings("unchecked") // the graph holds records as Object
    private static NodeSpec.Distinct distinct() {
        return new NodeSpec.Distinct(new KeySpec(value -> value, (Type<Object>) (Type<?>) Type.of(Long.class)));
    }

    @Test
    void shouldShowTheEdgeInThePlan() {
        loop(Sources.of(Type.of(Hop.class), hops(1)), Step::new);

        PlanInfo plan = new EmbeddedRunner(settings).plan(graph.build());

        assertThat(plan.edges())
                .filteredOn(PlanInfo.Edge::feedback)
                .singleElement()
                .satisfies(edge -> {
                    assertThat(edge.from()).isEqualTo("step");
                    assertThat(edge.to()).isEqualTo("all");
                    assertThat(edge.reason()).isEqualTo("a stream leads back to 'all'");
                });
        assertThat(PlanText.of(plan)).contains("step (side 'again') -> all (feedback)");
    }

    // ---- again and again

    /** Nothing is lost, and the end is found: each run has another number of tasks, threads and rounds, and mostly tiny queues. */
    @Test
    @Timeout(1_200)
    void shouldLoseNothingInManyRuns() throws Exception {
        long first = Long.getLong("thalweg.seed", 0);
        int runs = Integer.getInteger("thalweg.loops", 60);
        for (long seed = first; seed < first + runs; seed++) {
            run(seed);
        }
    }

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private void run(long seed) throws Exception {
        Random random = new Random(seed);
        int records = random.nextInt(200);
        int rounds = random.nextInt(30);
        GraphBuilder builder = GraphBuilder.named("loop-" + seed);
        CollectSink<Hop> out = CollectSink.of(Hop.class);
        builder.source(
                "hops",
                Sources.of(
                        Type.of(Hop.class),
                        IntStream.range(0, records)
                                .mapToObj(id -> new Hop(id, id % (rounds + 1), 0))
                                .toList()));
        builder.operator("all", new NodeSpec.Union()).parallelism(1 + random.nextInt(3));
        builder.process("step", Step::new).parallelism(1 + random.nextInt(3));
        builder.operator("between", new NodeSpec.Map(hop -> hop))
                .as(Type.of(Hop.class))
                .parallelism(1 + random.nextInt(3));
        builder.sink("out", out).parallelism(1 + random.nextInt(2));
        builder.connect("hops", "all");
        builder.connect("all", "step").grouped(new Grouping.Shuffle());
        builder.connect("step", "out");
        builder.connect("step", "between").side(AGAIN);
        builder.connect("between", "all").feedback();
        RunSettings how = RunSettings.defaults()
                .withThreads(1 + random.nextInt(4))
                .withParallelism(1 + random.nextInt(3))
                .withSteps(random.nextInt(4), 1 << random.nextInt(3), 1 + random.nextInt(3));
        Job job = new EmbeddedRunner(random.nextBoolean() ? how : how.withAcks(AckSettings.defaults(), null))
                .start(builder.build());

        if (!job.await(LONGEST)) {
            throw Stacks.addTo(new AssertionError("seed " + seed + ": " + job.stats()));
        }
        job.await();
        assertThat(out.records())
                .as("seed %s", seed)
                .extracting(Hop::id)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, records).boxed().toList());
        assertThat(out.records()).as("seed %s", seed).allMatch(hop -> hop.gone() == hop.id() % (rounds + 1));
        assertThat(job.stats().loops()).extracting(LoopStats::records).containsExactly(0L);
    }
}
