// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.FeedbackTest.Hop;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints of graphs whose streams lead back: killed at any step, and stopped, they lose nothing and repeat nothing. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("integration")
final class FeedbackCheckpointsTest {
    private static final SideOutput<Hop> AGAIN = SideOutput.of("again", Hop.class);
    private static final Type<Hop> HOP = Type.of(Hop.class);

    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();
    private int directories;

    /** Graphs with loops; each emits a record when it has gone all its rounds. */
    enum Shape {
        /** One operator that leads back to itself. */
        ITSELF {
            @Override
            void build(GraphBuilder graph) {
                graph.process("step", FeedbackTest.Step::new);
                graph.connect("hops", "step");
                graph.connect("step", "out");
                graph.connect("step", "step").side(AGAIN).feedback();
            }
        },
        /** Each task leads back to each. */
        SHUFFLED {
            @Override
            void build(GraphBuilder graph) {
                graph.operator("all", new NodeSpec.Union());
                graph.process("step", FeedbackTest.Step::new);
                graph.connect("hops", "all").grouped(new Grouping.Shuffle());
                graph.connect("all", "step").grouped(new Grouping.Shuffle());
                graph.connect("step", "out");
                graph.connect("step", "all").side(AGAIN).feedback().grouped(new Grouping.Shuffle());
            }
        },
        /**
         * Each task has an input of its own, and leads back to all. One input is empty, and the other full, so that the barrier of the
         * first is early at the task of the second.
         */
        CROSSED {
            @Override
            void build(GraphBuilder graph) {
                graph.operator("many", new NodeSpec.FlatMap(hop -> {
                            List<Object> more = new ArrayList<>(Collections.nCopies(9, new Hop(-1, 0, 0)));
                            more.add(hop);
                            return more;
                        }))
                        .as(HOP);
                graph.operator("all", new NodeSpec.Union());
                graph.process("step", FeedbackTest.Step::new).isolate();
                graph.operator("real", new NodeSpec.Filter(hop -> ((Hop) hop).id() >= 0));
                graph.connect("hops", "many").grouped(new Grouping.Forward());
                graph.connect("many", "all").grouped(new Grouping.Forward());
                graph.connect("all", "step").grouped(new Grouping.Forward());
                graph.connect("step", "real");
                graph.connect("real", "out").grouped(new Grouping.Shuffle());
                graph.connect("step", "all").side(AGAIN).feedback().grouped(new Grouping.Shuffle());
            }
        },
        /** The tasks of one number know nothing of the others. */
        APART {
            @Override
            void build(GraphBuilder graph) {
                graph.operator("all", new NodeSpec.Union());
                graph.process("step", FeedbackTest.Step::new).isolate();
                graph.connect("hops", "all").grouped(new Grouping.Shuffle());
                graph.connect("all", "step").grouped(new Grouping.Forward());
                graph.connect("step", "out");
                graph.connect("step", "all").side(AGAIN).feedback().grouped(new Grouping.Forward());
            }
        },
        /** One loop with two heads, which records enter at both. */
        TWO_HEADS {
            @Override
            void build(GraphBuilder graph) {
                graph.operator("outer", new NodeSpec.Union());
                graph.operator("inner", new NodeSpec.Union());
                graph.operator("odd", new NodeSpec.Filter(hop -> ((Hop) hop).id() % 2 != 0));
                graph.operator("even", new NodeSpec.Filter(hop -> ((Hop) hop).id() % 2 == 0));
                graph.process("first", FeedbackTest.Step::new);
                graph.process("second", FeedbackTest.Step::new);
                graph.operator("done", new NodeSpec.Union());
                graph.connect("hops", "odd");
                graph.connect("hops", "even");
                graph.connect("odd", "outer").grouped(new Grouping.Shuffle());
                graph.connect("outer", "first").grouped(new Grouping.Shuffle());
                graph.connect("first", "inner").side(AGAIN).grouped(new Grouping.Shuffle());
                graph.connect("even", "inner").grouped(new Grouping.Shuffle());
                graph.connect("inner", "second").grouped(new Grouping.Shuffle());
                graph.connect("second", "inner").side(AGAIN).feedback().grouped(new Grouping.Custom((hop, tasks) ->
                        (int) (((Hop) hop).id() % tasks)));
                graph.connect("first", "done");
                graph.connect("second", "done");
                graph.connect("done", "out");
                graph.operator("none", new NodeSpec.Filter(hop -> false));
                graph.connect("second", "none");
                graph.connect("none", "outer").feedback().grouped(new Grouping.Shuffle());
            }
        },
        /** A loop behind a loop. */
        TWO_LOOPS {
            @Override
            void build(GraphBuilder graph) {
                graph.process("first", FeedbackTest.Step::new);
                graph.operator("more", new NodeSpec.Map(hop -> new Hop(((Hop) hop).id(), 2, ((Hop) hop).gone() - 2)))
                        .as(HOP);
                graph.process("second", FeedbackTest.Step::new);
                graph.connect("hops", "first");
                graph.connect("first", "first").side(AGAIN).feedback().grouped(new Grouping.ByKey(byId()));
                graph.connect("first", "more");
                graph.connect("more", "second").grouped(new Grouping.Shuffle());
                graph.connect("second", "second").side(AGAIN).feedback().grouped(new Grouping.Global());
                graph.connect("second", "out");
            }
        },
        /** What goes round waits for answers. */
        AWAITED {
            @Override
            void build(GraphBuilder graph) {
                graph.operator(
                                "ask",
                                new AsyncMap(
                                        new AsyncMap.OfFunction(CompletableFuture::completedFuture),
                                        null,
                                        new AsyncMap.Options(
                                                false, 3, 1_000_000, new AsyncMap.Retry(0, 0, failure -> false), null)))
                        .as(HOP);
                graph.process("step", FeedbackTest.Step::new);
                graph.connect("hops", "ask").grouped(new Grouping.Shuffle());
                graph.connect("ask", "step").grouped(new Grouping.Shuffle());
                graph.connect("step", "out");
                graph.connect("step", "ask").side(AGAIN).feedback();
            }
        },
        /** State of keys within the loop: it says how often each record was there. */
        KEYED {
            @Override
            void build(GraphBuilder graph) {
                graph.operator("all", new NodeSpec.Union());
                graph.operator("count", new NodeSpec.KeyedProcess(byId(), Counting::new))
                        .as(HOP);
                graph.connect("hops", "all").grouped(new Grouping.Shuffle());
                graph.connect("all", "count");
                graph.connect("count", "out");
                graph.connect("count", "all").side(AGAIN).feedback().grouped(new Grouping.ByKey(byId()));
            }
        },
        /** The same, and what is led back comes to the state at once. */
        KEYED_HEAD {
            @Override
            void build(GraphBuilder graph) {
                KeySpec key = byId();
                graph.operator("count", new NodeSpec.KeyedProcess(key, Counting::new))
                        .as(HOP);
                graph.connect("hops", "count");
                graph.connect("count", "out");
                graph.connect("count", "count").side(AGAIN).feedback();
            }
        };

        abstract void build(GraphBuilder graph);

        TopologyGraph graph(Source<Hop> hops, CollectSink<Hop> out) {
            GraphBuilder graph = GraphBuilder.named("loop");
            graph.source("hops", hops);
            build(graph);
            graph.sink("out", out);
            return graph.build();
        }
    }

    @SuppressWarnings("unchecked") // the graph holds records as Object
    private static KeySpec byId() {
        return new KeySpec(hop -> ((Hop) hop).id(), (Type<Object>) (Type<?>) Type.of(Long.class));
    }

    /** Counts in its state, and not in the record, how many rounds the record went. */
    static final class Counting implements KeyedOperator<Object, Object, Object> {
        private @Nullable ValueState<Integer> gone;

        @Override
        public void open(KeyedContext context) {
            gone = context.state("gone", Type.of(Integer.class));
        }

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(AGAIN);
        }

        @Override
        public void process(Object key, Object record, Output<Object> output) {
            Hop hop = (Hop) record;
            ValueState<Integer> state = Objects.requireNonNull(gone);
            Integer before = state.get();
            int now = before == null ? 0 : before;
            if (hop.left() == 0) {
                output.emit(new Hop(hop.id(), 0, now));
            } else {
                state.set(now + 1);
                output.emit(AGAIN, new Hop(hop.id(), hop.left() - 1, 0));
            }
        }
    }

    private static List<Hop> hops(int records, int rounds) {
        return LongStream.range(0, records)
                .mapToObj(id -> new Hop(id, (int) (id % (rounds + 1)), 0))
                .toList();
    }

    private static List<Hop> done(int records, int rounds) {
        return LongStream.range(0, records)
                .mapToObj(id -> new Hop(id, 0, (int) (id % (rounds + 1))))
                .toList();
    }

    private RunSettings settings(Path checkpoints, int parallelism, int batches, int batch) {
        return RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(0)
                .withSpecialise(false)
                .withSteps(batch, batches, batch)
                .withWarnings(warnings::add)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(checkpoints).restoringLatest());
    }

    private static void end(Job job) throws Exception {
        EmbeddedTestRunner.stepToEnd(job);
        job.await();
    }

    // ---- killed

    /** Killed at each step, with a checkpoint asked for at each of the last ones. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldLoseNothing_whereverTheJobIsKilled(Shape shape) throws Exception {
        killAtEachStep(shape, 2, left -> left < 12);
    }

    /** The same with one checkpoint only, which begins a little before. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldLoseNothing_whereverOneCheckpointBegins(Shape shape) throws Exception {
        for (int before : new int[] {4, 7, 9, 17}) {
            killAtEachStep(shape, 1 + before % 3, left -> left == before);
        }
    }

    /** @param asks for a checkpoint when so many steps are left until it is killed */
    private void killAtEachStep(Shape shape, int parallelism, IntPredicate asks) throws Exception {
        int records = 8;
        int rounds = 3;
        boolean killed = true;
        int restored = 0;
        for (int at = 1; killed; at++) {
            RunSettings settings = settings(folder.resolve("killed-" + directories++), parallelism, 2, 1);
            Job job = new EmbeddedRunner(settings)
                    .start(shape.graph(Sources.of(HOP, hops(records, rounds)), CollectSink.of(HOP)));
            killed = killedAt(at, job, asks);
            CollectSink<Hop> out = CollectSink.of(HOP);
            Job next = new EmbeddedRunner(settings).start(shape.graph(Sources.of(HOP, hops(records, rounds)), out));
            end(next);

            assertThat(out.records())
                    .as("%s, killed at step %d", shape, at)
                    .containsExactlyInAnyOrderElementsOf(done(records, rounds));
            restored += next.await().recordsIn() < records ? 1 : 0;
        }
        assertThat(restored).as("runs that went on from a checkpoint").isGreaterThan(0);
    }

    private static boolean killedAt(int step, Job job, IntPredicate asks) {
        for (int i = 0; i < step; i++) {
            if (asks.test(step - i)) {
                job.checkpoint();
            }
            if (!job.step()) {
                return false;
            }
        }
        job.kill();
        EmbeddedTestRunner.stepToEnd(job);
        return true;
    }

    /** As where the next checkpoint is due before the last one is complete: it gets nowhere, and the job does. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldTakeInput_thoughEachCheckpointIsAborted(Shape shape) throws Exception {
        CollectSink<Hop> out = CollectSink.of(HOP);
        RunSettings settings = settings(folder, 2, 2, 1);
        Job job = new EmbeddedRunner(
                        settings.withCheckpoints(CheckpointSettings.in(folder).withTimeout(Duration.ofNanos(1))))
                .start(shape.graph(Sources.of(HOP, hops(5, 3)), out));

        for (int step = 0; job.step(); step++) {
            assertThat(step).as("steps: %s", job.stats()).isLessThan(100_000);
            job.checkpoint();
        }

        job.await();
        assertThat(out.records()).containsExactlyInAnyOrderElementsOf(done(5, 3));
    }

    /** Killed or stopped, and started again with another number of tasks, on threads and without. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldLoseNothing_withOtherNumbersOfTasks(Shape shape) throws Exception {
        long first = Long.getLong("thalweg.seed", 0);
        int runs = Integer.getInteger("thalweg.loops", 8);
        for (long seed = first; seed < first + runs; seed++) {
            killAtRandom(shape, seed);
        }
    }

    private void killAtRandom(Shape shape, long seed) throws Exception {
        Random random = new Random(seed);
        int records = random.nextInt(100);
        int rounds = random.nextInt(12);
        Path checkpoints = folder.resolve("seed-" + seed);
        Source<Hop> hops = Sources.of(HOP, hops(records, rounds));
        for (int run = random.nextInt(4); run > 0; run--) {
            Job job = new EmbeddedRunner(random(random, checkpoints)).start(shape.graph(hops, CollectSink.of(HOP)));
            int every = 1 + random.nextInt(40);
            boolean ended = false;
            for (int step = random.nextInt(800); step > 0 && !ended; step--) {
                if (random.nextInt(every) == 0) {
                    job.checkpoint();
                }
                ended = !job.step();
            }
            if (random.nextBoolean()) {
                job.cancel();
            } else {
                job.kill();
            }
            EmbeddedTestRunner.stepToEnd(job);
        }
        CollectSink<Hop> out = CollectSink.of(HOP);
        Job last = new EmbeddedRunner(random(random, checkpoints)).start(shape.graph(hops, out));
        end(last);
        assertThat(out.records())
                .as("%s, seed %d", shape, seed)
                .containsExactlyInAnyOrderElementsOf(done(records, rounds));
        assertThat(warnings).as("%s, seed %d", shape, seed).isEmpty();
    }

    private RunSettings random(Random random, Path checkpoints) {
        int batch = 1 + random.nextInt(3);
        return settings(checkpoints, 1 + random.nextInt(4), 1 << random.nextInt(3), batch);
    }

    /** On threads, with checkpoints all the time. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldLoseNothing_onThreads(Shape shape) throws Exception {
        int records = 400;
        Path checkpoints = folder.resolve("threads");
        Source<Hop> hops = Sources.of(HOP, hops(records, 30));
        RunSettings settings = settings(checkpoints, 2, 2, 3)
                .withThreads(2)
                .withClock(Clock.system())
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(checkpoints)
                                .every(Duration.ofMillis(1))
                                .restoringLatest());
        for (int kill = 0; kill < 3; kill++) {
            Job job = new EmbeddedRunner(settings).start(shape.graph(hops, CollectSink.of(HOP)));
            while (job.lastCheckpoint() == null && !job.await(Duration.ofMillis(3L + 5L * kill))) {
                // kills before the first checkpoint test nothing
            }
            if (kill == 1) {
                job.cancel();
            } else {
                job.kill();
            }
            assertThat(job.await(Duration.ofMinutes(2))).as("it has ended").isTrue();
        }
        CollectSink<Hop> out = CollectSink.of(HOP);
        Job last = new EmbeddedRunner(settings).start(shape.graph(hops, out));
        assertThat(last.await(Duration.ofMinutes(2))).as("%s", last.stats()).isTrue();
        last.await();
        assertThat(out.records()).containsExactlyInAnyOrderElementsOf(done(records, 30));
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldMissNothing_whereRecordsMayRepeat(Shape shape) throws Exception {
        int restored = 0;
        for (int seed = 0; seed < 10; seed++) {
            Random random = new Random(seed);
            Path checkpoints = folder.resolve("repeating-" + seed);
            RunSettings settings = settings(checkpoints, 2, 2, 1)
                    .withGuarantee(
                            Guarantee.AT_LEAST_ONCE,
                            CheckpointSettings.in(checkpoints).restoringLatest());
            Source<Hop> hops = Sources.of(HOP, hops(20, 5));
            Job job = new EmbeddedRunner(settings).start(shape.graph(hops, CollectSink.of(HOP)));
            killedAt(20 + random.nextInt(150), job, left -> left % 5 == 0);
            CollectSink<Hop> out = CollectSink.of(HOP);
            Job next = new EmbeddedRunner(settings).start(shape.graph(hops, out));
            end(next);

            assertThat(out.records().stream().map(Hop::id))
                    .as("seed %d", seed)
                    .containsAll(LongStream.range(0, 20).boxed().toList());
            restored += next.await().recordsIn() < 20 ? 1 : 0;
        }
        assertThat(restored).as("runs that went on from a checkpoint").isGreaterThan(0);
    }

    // ---- what is saved

    @Test
    void shouldKeepWhatIsOnItsWay_andSayHowMuchThatIs() throws Exception {
        TestSource<Hop> source = TestSource.of(Hop.class);
        source.add(new Hop(1, 1_000_000, 0), new Hop(2, 1_000_000, 0));
        RunSettings settings = settings(folder, 1, 2, 4);
        Job job = new EmbeddedRunner(settings).start(Shape.ITSELF.graph(source, CollectSink.of(HOP)));
        steps(job, 50);
        job.checkpoint();
        steps(job, 50);

        CheckpointStats saved = Objects.requireNonNull(job.lastCheckpoint());
        assertThat(saved.states())
                .filteredOn(state -> state.name().equals("led back from step (side 'again')"))
                .singleElement()
                .satisfies(state -> assertThat(state.bytes()).isGreaterThan(10));
        job.kill();
        EmbeddedTestRunner.stepToEnd(job);

        Job next = new EmbeddedRunner(settings).start(Shape.ITSELF.graph(source, CollectSink.of(HOP)));
        steps(next, 10);
        assertThat(next.stats().recordsIn()).as("read again").isZero();
        assertThat(next.stats().loops().get(0).records()).as("within the loop").isEqualTo(2);
        next.kill();
        EmbeddedTestRunner.stepToEnd(next);
    }

    /** Counts the records that it reads. */
    record CountedHops() implements Codec<Hop>, Serializable {
        private static final AtomicInteger READ = new AtomicInteger();

        @Override
        public void encode(Hop hop, ByteWriter out) {
            HOP.codec().encode(hop, out);
        }

        @Override
        public Hop decode(ByteReader in) {
            READ.incrementAndGet();
            return HOP.codec().decode(in);
        }

        @Override
        public boolean immutable() {
            return true;
        }
    }

    private static final SideOutput<Hop> COUNTED =
            new SideOutput<>("counted", Type.custom(Hop.class, new CountedHops()));

    static final class LeadingBack implements Operator<Hop, Hop> {
        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(COUNTED);
        }

        @Override
        public void process(Hop hop, Output<Hop> output) {
            output.emit(COUNTED, hop.next());
        }
    }

    /** By whichever task takes it, of however many. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void shouldReadARecordThatWasOnItsWayOnce(int parallelism) throws Exception {
        TestSource<Hop> source = TestSource.of(Hop.class);
        for (int id = 0; id < 6; id++) {
            source.add(new Hop(id, 1_000_000, 0));
        }
        GraphBuilder graph = GraphBuilder.named("loop");
        graph.source("hops", source);
        graph.process("step", LeadingBack::new);
        graph.sink("out", CollectSink.of(HOP));
        graph.connect("hops", "step");
        graph.connect("step", "out");
        graph.connect("step", "step").side(COUNTED).feedback().grouped(new Grouping.ByKey(byId()));
        TopologyGraph loop = graph.build();
        Job job = new EmbeddedRunner(settings(folder, 2, 4, 8)).start(loop);
        steps(job, 50);
        job.checkpoint();
        steps(job, 50);
        assertThat(job.lastCheckpoint()).isNotNull();
        job.kill();
        EmbeddedTestRunner.stepToEnd(job);

        CountedHops.READ.set(0);
        Job next = new EmbeddedRunner(settings(folder, parallelism, 4, 8)).start(loop);
        steps(next, 10);
        assertThat(CountedHops.READ).hasValue(6);
        assertThat(next.stats().recordsIn()).as("read again").isZero();
        next.kill();
        EmbeddedTestRunner.stepToEnd(next);
    }

    private static void steps(Job job, int steps) {
        for (int step = 0; step < steps; step++) {
            job.step();
        }
    }

    @Test
    void shouldNotForgetWhatWasOnItsWay_whereTheStreamIsNotLedBackAnyMore() throws Exception {
        TestSource<Hop> source = TestSource.of(Hop.class);
        source.add(new Hop(1, 1_000_000, 0));
        RunSettings settings = settings(folder, 1, 2, 4);
        Job job = new EmbeddedRunner(settings).start(Shape.ITSELF.graph(source, CollectSink.of(HOP)));
        steps(job, 50);
        job.cancel();
        EmbeddedTestRunner.stepToEnd(job);
        GraphBuilder straight = GraphBuilder.named("loop");
        straight.source("hops", source);
        straight.process("step", FeedbackTest.Step::new);
        straight.sink("out", CollectSink.of(HOP));
        straight.connect("hops", "step");
        straight.connect("step", "out");

        assertThatThrownBy(() -> new EmbeddedRunner(settings).start(straight.build()))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("state 'led back from step (side 'again')' of operator 'step'")
                .hasMessageContaining("--discard-state 'step'");
    }

    // ---- stopped

    /** What goes round for ever is in the last checkpoint, and goes on from there. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldStopALoopThatNeverEnds(Shape shape) throws Exception {
        for (boolean ended : new boolean[] {false, true}) {
            for (int steps : new int[] {5, 40, 200}) {
                TestSource<Hop> source = TestSource.of(Hop.class);
                source.add(new Hop(1, 1_000_000, 0), new Hop(2, 1_000_000, 0), new Hop(3, 1_000_000, 0));
                if (ended) {
                    source.end();
                }
                Path checkpoints = folder.resolve(ended + "-" + steps);
                RunSettings settings = settings(checkpoints, 2, 2, 1);
                Job job = new EmbeddedRunner(settings).start(shape.graph(source, CollectSink.of(HOP)));
                steps(job, steps);
                job.checkpoint();
                steps(job, steps % 7);
                job.cancel();
                EmbeddedTestRunner.stepToEnd(job);
                assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
                assertThat(job.stoppedShort()).isFalse();
                assertThat(warnings).isEmpty();

                Job next = new EmbeddedRunner(settings).start(shape.graph(source, CollectSink.of(HOP)));
                steps(next, 300);
                long within = next.stats().loops().stream()
                        .mapToLong(loop -> loop.records())
                        .sum();
                assertThat(within).as("records and their watermarks").isBetween(3L, 9L);
                assertThat(next.stats().recordsIn())
                        .as("read again")
                        .isEqualTo(3 - job.stats().recordsIn());
                next.kill();
                EmbeddedTestRunner.stepToEnd(next);
            }
        }
    }

    /** A loop goes on when its input has ended, and so do checkpoints. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldTakeCheckpointsWhenAllInputHasEnded(Shape shape) throws Exception {
        TestSource<Hop> source =
                TestSource.of(Hop.class).add(new Hop(1, 1_000_000, 0)).end();
        Job job = new EmbeddedRunner(settings(folder, 2, 2, 1)).start(shape.graph(source, CollectSink.of(HOP)));
        steps(job, 200);
        for (int i = 1; i < 4; i++) {
            assertThat(job.checkpoint()).isTrue();
            steps(job, 200);
            assertThat(Objects.requireNonNull(job.lastCheckpoint()).number()).isEqualTo(i);
        }
        job.kill();
        EmbeddedTestRunner.stepToEnd(job);
    }

    // ---- time

    /** Stamps are right behind a restored watermark, too: no operator takes a record for on time that is not. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldNotTakeRecordsThatAreBehindTheWatermark(int parallelism) throws Exception {
        List<Hop> hops =
                LongStream.range(0, 60).mapToObj(id -> new Hop(id, 3, 0)).toList();
        for (int at = 10; at < 400; at += 7) {
            RunSettings settings = settings(folder.resolve("time-" + at), parallelism, 2, 3);
            Job job = new EmbeddedRunner(settings).start(timed(hops, CollectSink.of(HOP)));
            killedAt(at, job, left -> left % 11 == 0);
            CollectSink<Hop> out = CollectSink.of(HOP);
            end(new EmbeddedRunner(settings).start(timed(hops, out)));

            assertThat(out.records())
                    .as("killed at %d", at)
                    .hasSize(2 * 4 * hops.size())
                    .filteredOn(hop -> hop.left() == FeedbackTest.Comparing.BEHIND)
                    .isEmpty();
        }
    }

    private static TopologyGraph timed(List<Hop> hops, CollectSink<Hop> out) {
        GraphBuilder graph = GraphBuilder.named("timed");
        graph.source("hops", Sources.of(HOP, hops));
        graph.operator("timed", new NodeSpec.EventTime(hop -> ((Hop) hop).id(), 0, 0, NodeSpec.EventTime.NOT_ALIGNED));
        graph.operator("all", new NodeSpec.Union());
        graph.process("step", FeedbackTest.Comparing::new).isolate();
        graph.sink("out", out);
        graph.connect("hops", "timed");
        graph.connect("timed", "all").grouped(new Grouping.Shuffle());
        graph.connect("all", "step").grouped(new Grouping.Shuffle());
        graph.connect("step", "out").grouped(new Grouping.Shuffle());
        graph.connect("step", "all").side(AGAIN).feedback().grouped(new Grouping.Shuffle());
        return graph.build();
    }

    // ---- refused

    @Test
    void shouldRefuseToLeadBackToAllTasks() {
        GraphBuilder graph = GraphBuilder.named("loop");
        graph.source("hops", Sources.of(HOP, hops(3, 1)));
        graph.process("step", FeedbackTest.Step::new);
        graph.sink("out", CollectSink.of(HOP));
        graph.connect("hops", "step");
        graph.connect("step", "out");
        graph.connect("step", "step").side(AGAIN).feedback().grouped(new Grouping.Broadcast());

        assertThatThrownBy(() -> new EmbeddedRunner(settings(folder, 1, 2, 1)).start(graph.build()))
                .isInstanceOf(TopologyException.class)
                .hasMessage(
                        "topology 'loop', operator 'step': the stream 'step (side 'again') -> step' leads back to all of its tasks"
                                + " (broadcast), and each may have taken another part of it when a checkpoint is taken; lead it back with"
                                + " another grouping, or use the guarantee none");
    }

    /** Nobody writes them, unless they are led back. */
    record Unwritable(Object anything) {}

    private static final SideOutput<Unwritable> UNWRITABLE = SideOutput.of("unwritable", Unwritable.class);

    static final class Emitting extends FeedbackTest.Step {
        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(UNWRITABLE);
        }
    }

    @Test
    void shouldRefuseToLeadBackWhatCannotBeWritten() {
        GraphBuilder graph = GraphBuilder.named("loop");
        graph.source("hops", Sources.of(HOP, hops(3, 1)));
        graph.operator("all", new NodeSpec.Map(hop -> hop)).as(HOP).takes(0, Type.of(Object.class));
        graph.process("step", Emitting::new);
        graph.sink("out", CollectSink.of(HOP));
        graph.connect("hops", "all");
        graph.connect("all", "step");
        graph.connect("step", "out");
        graph.connect("step", "all").side(UNWRITABLE).feedback();

        assertThatThrownBy(() -> new EmbeddedRunner(settings(folder, 1, 2, 1)).start(graph.build()))
                .isInstanceOf(TopologyException.class)
                .hasMessageStartingWith(
                        "topology 'loop', operator 'all': the stream 'step (side 'unwritable') -> all' leads back, and a"
                                + " checkpoint cannot hold its records: ");
    }
}
