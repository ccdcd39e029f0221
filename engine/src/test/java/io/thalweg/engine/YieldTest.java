// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.RunSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What emits much within one call gives up its turn, and goes on in the next one as if nothing had been. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class YieldTest {
    private static final int KEYS = 100;
    private static final long LATE_MS = 100_000;
    private static final long TIMERS_AT_MS = 1_000;
    private static final int CLOCK_SET = 30;
    private static final int INPUT_ENDS = 100;

    private static final AtomicLong NOW_NS = new AtomicLong();
    private static final AtomicLong EPOCH_MS = new AtomicLong();

    /** By how much the clock goes on with each record that is emitted. */
    private static final AtomicLong TICK_NS = new AtomicLong();

    private static final AtomicInteger READ = new AtomicInteger();
    private static final AtomicLong POLLS = new AtomicLong();
    private static volatile boolean inputEnds;

    private static final Clock CLOCK = new Clock() {
        @Override
        public long nowNs() {
            return NOW_NS.get();
        }

        @Override
        public long epochMs() {
            return EPOCH_MS.get();
        }
    };

    @TempDir
    Path folder;

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    @BeforeEach
    void reset() {
        NOW_NS.set(1);
        TICK_NS.set(0);
        begin();
    }

    private static void begin() {
        EPOCH_MS.set(0);
        READ.set(0);
        POLLS.set(0);
        inputEnds = false;
    }

    private static void tick(long record) {
        NOW_NS.addAndGet(TICK_NS.get());
    }

    private static Iterable<Long> upTo(long end, LongConsumer onEach) {
        return () -> LongStream.range(0, end).peek(onEach).boxed().iterator();
    }

    private static Iterable<String> texts(long end) {
        return () -> LongStream.range(0, end).mapToObj(i -> "of one: " + i).iterator();
    }

    private RunSettings settings() {
        return RunSettings.defaults()
                .withParallelism(1)
                .withThreads(0)
                .withSteps(16, 16, 512)
                .withClock(CLOCK)
                .withWarnings(warnings::add);
    }

    /** Each number up to {@code count}, and then waits for the end. */
    private record Numbers(int count) implements Source<Long> {
        @Override
        public String name() {
            return "numbers";
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public boolean replayable() {
            return true;
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            return new SplitReader<>() {
                private int next;

                @Override
                public @Nullable Long poll() {
                    if (next == count) {
                        POLLS.incrementAndGet();
                        return null;
                    }
                    READ.incrementAndGet();
                    return (long) next++;
                }

                @Override
                public boolean finished() {
                    return inputEnds && next == count;
                }

                @Override
                public long position() {
                    return next;
                }

                @Override
                public void seek(long position) {
                    next = Math.toIntExact(position);
                }
            };
        }
    }

    /** Sets a timer for each key, all for the same time. */
    private static final class Alarms implements KeyedOperator<Long, Long, String> {
        private final boolean byClock;
        private @Nullable KeyedContext context;

        Alarms(boolean byClock) {
            this.byClock = byClock;
        }

        @Override
        public void open(KeyedContext opened) {
            context = opened;
        }

        @Override
        public void process(Long key, Long record, Output<String> output) {
            KeyedContext timers = Objects.requireNonNull(context);
            if (byClock) {
                timers.setProcessingTimer(TIMERS_AT_MS);
            } else if (timers.eventTime() < LATE_MS) {
                timers.setTimer(TIMERS_AT_MS);
            }
        }

        @Override
        public void onTimer(Long key, long time, Output<String> output) {
            output.emit(key + " at " + time);
        }

        @Override
        public void onProcessingTimer(Long key, long epochMs, Output<String> output) {
            output.emit(key + " by the clock at " + epochMs);
        }
    }

    /** What emits something of each key, or of one record, in one call. */
    private enum Shape {
        WHOLE,
        TUMBLING,
        SLIDING,
        SESSION,
        EVENT_TIMERS,
        PROCESSING_TIMERS,
        FLAT_MAP;

        Stream<String> of(Stream<Long> numbers) {
            return switch (this) {
                case WHOLE -> window(numbers, Windows.whole());
                case TUMBLING -> window(timed(numbers), Windows.tumbling(Duration.ofSeconds(1)));
                case SLIDING -> window(timed(numbers), Windows.sliding(Duration.ofSeconds(1), Duration.ofMillis(500)));
                case SESSION -> window(timed(numbers), Windows.session(Duration.ofMillis(300)));
                case EVENT_TIMERS -> timed(numbers).keyBy(n -> n % KEYS).process(() -> new Alarms(false));
                case PROCESSING_TIMERS -> numbers.keyBy(n -> n % KEYS).process(() -> new Alarms(true));
                case FLAT_MAP ->
                    numbers.flatMap(n -> n == 7 ? texts(KEYS) : List.of(n.toString()))
                            .as(String.class);
            };
        }

        /** Two records of each key within a second, and one much later. */
        private static Stream<Long> timed(Stream<Long> numbers) {
            return numbers.eventTime(n -> n == 2 * KEYS ? LATE_MS : n, Duration.ZERO);
        }

        private static Stream<String> window(Stream<Long> numbers, WindowSpec window) {
            return numbers.keyBy(n -> n % KEYS)
                    .window(window)
                    .aggregate(Aggregates.sum(n -> n))
                    .map(Object::toString);
        }
    }

    /** @param apart the source has a task of its own */
    private static Topology topology(Shape shape, boolean apart, Sink<String> sink) {
        Topology topology = Topology.named("yields");
        Stream<Long> numbers = topology.from(new Numbers(2 * KEYS + 1)).name("in");
        boolean timed = shape != Shape.WHOLE && shape != Shape.PROCESSING_TIMERS && shape != Shape.FLAT_MAP;
        if (apart && !timed) { // event times are read where the source is
            numbers = numbers.map(n -> n).isolate();
        }
        shape.of(numbers)
                .peek(text -> NOW_NS.addAndGet(TICK_NS.get()))
                .name("slow")
                .to(sink);
        topology.from(new Numbers(0)).name("others").to(Sinks.discard());
        return topology;
    }

    private record Run(List<String> results, int mostInATurn, boolean othersWaited, List<Integer> stepsThatEmit) {}

    /** Steps a job to its end, or to a step in which it is killed. */
    private static Run run(Job job, List<String> results, int mostSteps, int checkpointsEvery) throws Exception {
        int most = 0;
        boolean othersWaited = false;
        List<Integer> emitting = new ArrayList<>();
        for (int step = 0; step < mostSteps; step++) {
            if (step == CLOCK_SET) {
                EPOCH_MS.set(TIMERS_AT_MS);
            }
            inputEnds |= step == INPUT_ENDS;
            if (checkpointsEvery > 0 && step % checkpointsEvery == 0) {
                job.checkpoint();
            }
            int before = results.size();
            long polls = POLLS.get();
            boolean goesOn = job.step();
            if (results.size() > before) {
                emitting.add(step);
                othersWaited |= !inputEnds && POLLS.get() == polls;
            }
            most = Math.max(most, results.size() - before);
            if (!goesOn) {
                job.await();
                return new Run(results, most, othersWaited, emitting);
            }
        }
        job.kill();
        while (job.step()) {
            // to its end
        }
        return new Run(results, most, othersWaited, emitting);
    }

    private Run run(Shape shape, boolean apart, long tickNs) throws Exception {
        begin();
        TICK_NS.set(tickNs);
        List<String> results = new ArrayList<>();
        Job job = new EmbeddedRunner(settings())
                .start(topology(shape, apart, Sinks.each(results::add)).graph());
        return run(job, results, Integer.MAX_VALUE, 0);
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldGiveUpItsTurn_andComeToTheSame(Shape shape) throws Exception {
        for (boolean apart : new boolean[] {false, true}) {
            Run quick = run(shape, apart, 0);
            Run slow = run(shape, apart, 1_000_000);

            assertThat(quick.mostInATurn).as("emitted while the clock stands").isGreaterThanOrEqualTo(KEYS);
            assertThat(slow.mostInATurn).as("emitted in one turn").isLessThan(KEYS / 4);
            assertThat(slow.othersWaited).as("others had no turn").isFalse();
            assertThat(slow.results).isEqualTo(quick.results).hasSizeGreaterThanOrEqualTo(KEYS);
        }
    }

    /** Keeps what it writes in checkpoints, and hands it over at the end. */
    private record Kept(List<String> written, List<String> whole) implements Sink<String> {
        @Override
        public String name() {
            return "kept";
        }

        @Override
        public SinkWriter<String> open(SinkContext context) {
            return new CheckpointedWriter<>() {
                private final List<String> own = new ArrayList<>();

                @Override
                public void write(String value) {
                    own.add(value);
                    written.add(value);
                }

                @Override
                public byte[] save(long checkpoint) {
                    ByteWriter out = new ByteWriter(256);
                    own.forEach(out::writeText);
                    return out.toByteArray();
                }

                @Override
                public void restore(List<byte[]> saved) {
                    for (byte[] each : saved) {
                        ByteReader in = new ByteReader(each);
                        while (in.remaining() > 0) {
                            own.add(in.readText());
                        }
                    }
                }

                @Override
                public void finish() {
                    whole.addAll(own);
                }
            };
        }
    }

    private Job start(Shape shape, Kept sink, Path checkpoints) {
        begin();
        RunSettings guarded = settings()
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(checkpoints).restoringLatest());
        return new EmbeddedRunner(guarded).start(topology(shape, true, sink).graph());
    }

    /** Checkpoints are asked for all the time, and the job is killed while it emits. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldComeToTheSame_whereItIsKilledInBetween(Shape shape) throws Exception {
        long seed = Long.getLong("thalweg.seed", new Random().nextLong());
        Random random = new Random(seed);
        List<String> expected = run(shape, true, 0).results();
        TICK_NS.set(1_000_000);
        Kept first = new Kept(new ArrayList<>(), new ArrayList<>());
        Run whole = run(
                start(shape, first, Files.createDirectory(folder.resolve("whole"))),
                first.written,
                Integer.MAX_VALUE,
                2);
        assertThat(whole.mostInATurn).isLessThan(KEYS / 4);
        assertThat(first.whole).isEqualTo(expected);
        for (int kill = 0; kill < 6; kill++) {
            int at = whole.stepsThatEmit.get(random.nextInt(whole.stepsThatEmit.size())) + random.nextInt(3);
            Path checkpoints = Files.createDirectory(folder.resolve("kill-" + kill));
            Kept killed = new Kept(new ArrayList<>(), new ArrayList<>());
            run(start(shape, killed, checkpoints), killed.written, at, 1 + random.nextInt(4));
            Kept restored = new Kept(new ArrayList<>(), new ArrayList<>());
            run(start(shape, restored, checkpoints), restored.written, Integer.MAX_VALUE, 0);

            assertThat(restored.whole)
                    .as("killed at step %d, seed %d", at, seed)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    /** Sets its timer for now again, each time that it fires. */
    private static final class Restless implements KeyedOperator<Long, Long, String> {
        private @Nullable KeyedContext context;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
        }

        @Override
        public void process(Long key, Long value, Output<String> output) {
            Objects.requireNonNull(context).setProcessingTimer(0);
        }

        @Override
        public void onProcessingTimer(Long key, long epochMs, Output<String> output) {
            NOW_NS.addAndGet(1_000_000);
            Objects.requireNonNull(context).setProcessingTimer(0);
        }
    }

    /** Timers that set themselves again for now must not keep the input from its turns, though each turn of theirs is too long. */
    @Test
    void shouldReadOn_whereTimersAreAlwaysDue() throws Exception {
        Topology topology = Topology.named("restless");
        topology.from(new Numbers(2 * KEYS))
                .keyBy(n -> n % KEYS)
                .process(Restless::new)
                .to(Sinks.discard());
        Job job = new EmbeddedRunner(settings()).start(topology.graph());
        for (int step = 0; step < 1_000; step++) {
            job.step();
        }
        assertThat(READ).hasValue(2 * KEYS);
        job.kill();
    }

    private static Stream<Long> slowFlatMap(Stream<Long> numbers) {
        return numbers.flatMap(n -> upTo(KEYS, i -> {})).as(Long.class);
    }

    private int mostInATurn(Topology topology, List<Long> results, RunSettings settings) throws Exception {
        TICK_NS.set(1_000_000);
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        int most = 0;
        for (boolean goesOn = true; goesOn; ) {
            int before = results.size();
            goesOn = job.step();
            most = Math.max(most, results.size() - before);
        }
        job.await();
        return most;
    }

    /** A call of theirs that emits much cannot be interrupted: what it emits would pile up before a flatMap that waits for its turn. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void shouldGoToTheEndOfAFlatMap_behindAnOperatorOfTheUsers_andWhereRecordsMayBeGivenUp(
            boolean behind, boolean triesAgain) throws Exception {
        List<Long> results = new ArrayList<>();
        Topology topology = Topology.named("chained");
        Stream<Long> numbers = topology.from(Sources.generate(2, n -> n));
        if (behind) {
            numbers = numbers.process(() -> (Operator<Long, Long>) (value, output) -> output.emit(value))
                    .as(Long.class);
        }
        slowFlatMap(numbers).peek(YieldTest::tick).to(Sinks.each(results::add));

        int most = mostInATurn(topology, results, settings().withTries(triesAgain ? 2 : 0));

        assertThat(results).hasSize(2 * KEYS);
        if (behind || triesAgain) {
            assertThat(most).isGreaterThanOrEqualTo(KEYS);
        } else {
            assertThat(most).isLessThan(KEYS / 4);
        }
    }

    /** Behind a flatMap and behind a window both can stop: of many records that become many. */
    @Test
    void shouldGiveUpItsTurn_inAFlatMapBehindOthers() throws Exception {
        List<Long> results = new ArrayList<>();
        Topology topology = Topology.named("nested");
        Stream<Long> twice = slowFlatMap(topology.from(Sources.generate(3, n -> n))
                .flatMap(n -> List.of(n, n))
                .as(Long.class));
        slowFlatMap(twice.filter(n -> n < 2)
                        .keyBy(n -> n)
                        .window(Windows.whole())
                        .aggregate(Aggregates.count())
                        .map(result -> result.value())
                        .as(Long.class))
                .peek(YieldTest::tick)
                .to(Sinks.each(results::add));

        int most = mostInATurn(topology, results, settings());

        assertThat(results)
                .isEqualTo(
                        LongStream.range(0, 2 * KEYS).map(n -> n % KEYS).boxed().toList());
        assertThat(most).isLessThan(KEYS / 4);
    }

    private static Stream<Long> endless(Stream<Long> numbers) {
        return numbers.flatMap(n -> upTo(Long.MAX_VALUE, YieldTest::tick)).as(Long.class);
    }

    /** Also where the task that follows is the slower one, so that each of its turns ends because there is no room. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void shouldStopAtItsTimeout_whereAFlatMapIsWithoutEnd(boolean noRoom) throws Exception {
        TICK_NS.set(1_000_000);
        Topology topology = Topology.named("endless");
        Stream<Long> numbers =
                endless(topology.from(Sources.generate(1, n -> n)).name("in"));
        (noRoom ? numbers.map(n -> n).isolate() : numbers).to(Sinks.discard());
        Job job = new EmbeddedRunner(settings().withSteps(1, 1, 2).withStopTimeout(Duration.ofSeconds(1)))
                .start(topology.graph());
        for (int step = 0; step < 100; step++) {
            job.step();
        }
        job.cancel();
        long cancelledNs = NOW_NS.get();
        while (job.step()) {
            // to its end
        }
        JobStats stats = job.await();

        assertThat(stats.state()).isEqualTo(JobState.CANCELLED);
        assertThat(NOW_NS.get() - cancelledNs)
                .as("it emits until its time is over")
                .isBetween(1_000_000_000L, 1_100_000_000L);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0))
                .startsWith("topology 'endless': ")
                .contains(" in flight w", " dropped, before task ", "'in+flat-map")
                .endsWith("; --stop-timeout waits longer for them");
    }

    /** As the watchdog of its checkpoints hears it, on threads. */
    @Test
    void shouldStopWithoutALastCheckpoint_whereAFlatMapIsWithoutEnd() throws Exception {
        Topology topology = Topology.named("endless");
        endless(topology.from(Sources.generate(1, n -> n)).name("in")).to(Sinks.discard());
        RunSettings threaded = RunSettings.defaults()
                .withParallelism(1)
                .withThreads(1)
                .withStopTimeout(Duration.ofMillis(50))
                .withWarnings(warnings::add)
                .withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder));
        TICK_NS.set(1);
        Job job = new EmbeddedRunner(threaded).start(topology.graph());
        while (NOW_NS.get() < 1_000) { // until it emits
            job.await(Duration.ofMillis(5));
        }
        job.cancel();
        JobStats stats = job.await();

        assertThat(stats.state()).isEqualTo(JobState.CANCELLED);
        assertThat(job.stoppedShort()).isTrue();
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith(
                        "topology 'endless': the last checkpoint is not complete 50 ms after the job was asked to stop;"
                                + " it stops without");
    }

    /** Keeps what it is told of the end. */
    private record Told(List<String> told, Set<String> written) implements Sink<String> {
        @Override
        public String name() {
            return "told";
        }

        @Override
        public SinkWriter<String> open(SinkContext context) {
            return new SinkWriter<>() {
                @Override
                public void write(String value) {
                    written.add(value);
                }

                @Override
                public void finish() {
                    told.add("finished");
                }

                @Override
                public void cancelled() {
                    told.add("cancelled");
                }
            };
        }
    }

    /** The input has ended as it should, but what was made of it is dropped: behind it nobody takes the rest for the whole. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldStopAtItsTimeout_andShowNoPartAsTheWhole(boolean sinkToo) throws Exception {
        TICK_NS.set(1_000_000);
        List<String> told = new ArrayList<>();
        Topology topology = Topology.named("endless");
        Stream<Long> numbers =
                endless(topology.from(Sources.generate(1, n -> n)).name("in").isolate());
        (sinkToo ? numbers.isolate() : numbers).map(String::valueOf).to(new Told(told, new TreeSet<>()));
        Job job = new EmbeddedRunner(settings().withStopTimeout(Duration.ofMillis(20))).start(topology.graph());
        while (NOW_NS.get() < 100_000_000) { // the end of the input has come, and it emits
            job.step();
        }
        job.cancel();
        while (job.step()) {
            // to its end
        }
        JobStats stats = job.await();

        assertThat(stats.state()).isEqualTo(JobState.CANCELLED);
        assertThat(told).containsExactly("cancelled");
    }

    /** The input has ended, and windows are being emitted: the rest is counted as open, and no sink takes it for the whole. */
    @Test
    void shouldStopAtItsTimeout_whereWindowsAreEmittedAtTheEnd() throws Exception {
        TICK_NS.set(1_000_000);
        List<String> told = new ArrayList<>();
        Set<String> written = new TreeSet<>();
        Topology topology = topology(Shape.WHOLE, false, new Told(told, written));
        inputEnds = true;
        Job job = new EmbeddedRunner(settings().withStopTimeout(Duration.ofMillis(20))).start(topology.graph());
        while (written.isEmpty()) {
            job.step();
        }
        job.cancel();
        while (job.step()) {
            // to its end
        }
        JobStats stats = job.await();

        assertThat(stats.state()).isEqualTo(JobState.CANCELLED);
        assertThat(told).containsExactly("cancelled");
        assertThat(written).hasSizeBetween(20, KEYS / 2);
        assertThat(stats.windowsOpen()).isEqualTo(KEYS - written.size());
    }
}
