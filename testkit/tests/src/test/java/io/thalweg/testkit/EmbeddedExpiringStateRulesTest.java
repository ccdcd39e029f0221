// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.topology.KeyedStream;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.contract.ExpiringStateRulesContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** State with a time to live on the embedded engine, and as the oracle has them. */
@Tag("integration")
final class EmbeddedExpiringStateRulesTest {
    @Nested
    final class Stepped extends ExpiringStateRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(1, 0, true);
        }
    }

    @Nested
    final class SteppedInParallel extends ExpiringStateRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(3, 0, false);
        }
    }

    @Nested
    final class OnThreads extends ExpiringStateRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(2, 2, true);
        }
    }

    @Nested
    final class Sequential extends ExpiringStateRulesContract {
        @Override
        protected TestRunner road() {
            return TestRunner.sequential(2);
        }
    }

    /** Keeps what each key said last. */
    static final class Keeper implements KeyedOperator<Long, Long, Long> {
        private final @Nullable TimeToLive live;
        private @Nullable ValueState<Long> last;

        /** @param live null for state that does not expire */
        Keeper(@Nullable TimeToLive live) {
            this.live = live;
        }

        @Override
        public void open(KeyedContext context) {
            last = live == null
                    ? context.state("last", Type.of(Long.class))
                    : context.state("last", Type.of(Long.class), live);
        }

        @Override
        public void process(Long key, Long number, Output<Long> output) {
            if (last != null) {
                Long before = last.get();
                output.emit(before == null ? -1 : before);
                last.set(number);
            }
        }
    }

    private static Topology keeping(@Nullable TimeToLive live) {
        return keeping(TestSource.of(Long.class), live);
    }

    private static Topology keeping(TestSource<Long> source, @Nullable TimeToLive live) {
        Topology topology = Topology.named("keeping");
        topology.from(source)
                .name("numbers")
                .eventTime(number -> number, Duration.ZERO)
                .keyBy(number -> number % 100)
                .process(() -> new Keeper(live))
                .name("keeper")
                .to(Sinks.discard())
                .name("sink");
        return topology;
    }

    private static final Object[] HUNDRED_KEYS =
            LongStream.range(0, 100).boxed().toArray();

    @Test
    void shouldRemoveWhatHasExpired_asTheWatermarkGoesOn() {
        Topology topology = keeping(TimeToLive.ofEventTime(Duration.ofSeconds(1)));
        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("numbers", HUNDRED_KEYS).add("numbers", 1_500L, 1_501L).end();

            assertThat(tester.stats().keptState()).extracting(StateStats::keys).containsExactly(2L);
        }
    }

    @Test
    void shouldRemoveWhatHasExpired_asTheClockGoesOn() {
        Topology topology = keeping(TimeToLive.ofProcessingTime(Duration.ofSeconds(1)));
        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("numbers", HUNDRED_KEYS).advanceClock(Duration.ofMillis(999));
            tester.add("numbers", 101L).advanceClock(Duration.ofMillis(1));
            tester.newRecords("sink");
            tester.add("numbers", 201L, 202L);
            assertThat(tester.newRecords("sink")).containsExactlyInAnyOrder(101L, -1L);
            tester.advanceClock(Duration.ofSeconds(1)).add("numbers", 303L).end();

            assertThat(tester.stats().keptState()).extracting(StateStats::keys).containsExactly(1L);
        }
    }

    /** Keeps what each key said last, and answers at once. */
    static final class AskingKeeper implements KeyedAsyncOperator<Long, Long, Long, Long> {
        private final TimeToLive live;
        private @Nullable ValueState<Long> last;

        AskingKeeper(TimeToLive live) {
            this.live = live;
        }

        @Override
        public void open(KeyedAsyncContext context) {
            last = context.state("last", Type.of(Long.class), live);
        }

        @Override
        public CompletionStage<Long> apply(Long key, Long number) {
            return CompletableFuture.completedFuture(number);
        }

        @Override
        public Long answered(Long key, Long number, @Nullable Long answer) {
            Long before = last == null ? null : last.get();
            if (last != null) {
                last.set(number);
            }
            return before == null ? -1 : before;
        }
    }

    private static Topology asking(TimeToLive live) {
        Topology topology = Topology.named("asking");
        topology.from(TestSource.of(Long.class))
                .name("numbers")
                .eventTime(number -> number, Duration.ZERO)
                .keyBy(number -> number % 100)
                .async()
                .process(() -> new AskingKeeper(live))
                .name("keeper")
                .to(Sinks.discard())
                .name("sink");
        return topology;
    }

    @Test
    void shouldRemoveWhatHasExpired_behindRequestsThatWereInFlight() {
        Topology topology = asking(TimeToLive.ofEventTime(Duration.ofSeconds(1)));
        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("numbers", HUNDRED_KEYS).add("numbers", 1_500L, 1_501L).end();

            assertThat(tester.newRecords("sink")).hasSize(102).containsOnly(-1L);
            assertThat(tester.stats().keptState()).extracting(StateStats::keys).containsExactly(2L);
        }
    }

    @Test
    void shouldRemoveWhatHasExpired_asTheClockGoesOnWithRequests() {
        Topology topology = asking(TimeToLive.ofProcessingTime(Duration.ofSeconds(1)));
        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("numbers", HUNDRED_KEYS).advanceClock(Duration.ofMillis(999));
            tester.add("numbers", 101L).advanceClock(Duration.ofMillis(1));
            tester.newRecords("sink");
            tester.add("numbers", 201L, 202L);
            assertThat(tester.newRecords("sink")).containsExactlyInAnyOrder(101L, -1L);
            tester.advanceClock(Duration.ofSeconds(1)).add("numbers", 303L).end();

            assertThat(tester.stats().keptState()).extracting(StateStats::keys).containsExactly(1L);
        }
    }

    /** The watermark takes one step past all of them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRemoveAllThatHasExpired_ofManyKeysThatNeverComeBack(boolean asks) {
        TimeToLive live = TimeToLive.ofEventTime(Duration.ofSeconds(1));
        Topology topology = Topology.named("many");
        KeyedStream<Long, Long> keyed = topology.from(TestSource.of(Long.class))
                .name("numbers")
                .eventTime(number -> number / 100, Duration.ZERO)
                .keyBy(number -> number);
        (asks ? keyed.async().process(() -> new AskingKeeper(live)) : keyed.process(() -> new Keeper(live)))
                .name("keeper")
                .to(Sinks.discard())
                .name("sink");
        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("numbers", LongStream.range(0, 5_000).boxed().toArray());
            tester.add("numbers", 1_000_000L).end();

            assertThat(tester.stats().keptState()).extracting(StateStats::keys).containsExactly(1L);
        }
    }

    /** Emits what its state holds, and writes to it when a timer by the clock fires. */
    static final class WritingByClock implements KeyedOperator<Long, Long, Long> {
        private final TimeToLive live;
        private @Nullable KeyedContext context;
        private @Nullable ValueState<Long> last;

        WritingByClock(TimeToLive live) {
            this.live = live;
        }

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            last = opened.state("last", Type.of(Long.class), live);
        }

        @Override
        public void process(Long key, Long number, Output<Long> output) {
            if (context != null && last != null) {
                Long before = last.get();
                output.emit(before == null ? -1 : before);
                context.setProcessingTimer(context.processingTime() + 10);
            }
        }

        @Override
        public void onProcessingTimer(Long key, long epochMs, Output<Long> output) {
            if (last != null) {
                last.set(epochMs);
            }
        }
    }

    @Test
    void shouldKeepWhatATimerByTheClockWrites_beforeThereIsAWatermark() {
        TimeToLive live = TimeToLive.ofEventTime(Duration.ofSeconds(1));
        Topology topology = Topology.named("early");
        Stream<Long> spoken =
                topology.from(TestSource.of(Long.class)).name("spoken").eventTime(number -> number, Duration.ZERO);
        Stream<Long> silent =
                topology.from(TestSource.of(Long.class)).name("silent").eventTime(number -> number, Duration.ZERO);
        spoken.union(silent)
                .keyBy(number -> 1L)
                .process(() -> new WritingByClock(live))
                .to(Sinks.discard())
                .name("sink");
        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("spoken", 5L).advanceClock(Duration.ofMillis(10)).add("spoken", 6L);

            assertThat(tester.records("sink")).containsExactly(-1L, 10L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseStateThatDidNotExpireBefore_orDidAndDoesNotAnyMore(boolean before, @TempDir Path folder)
            throws Exception {
        TimeToLive live = TimeToLive.ofEventTime(Duration.ofSeconds(1));

        assertThatThrownBy(() -> restored(before ? live : null, before ? null : live, folder))
                .message()
                .contains("state 'state last' of operator 'keeper'", "Expiring");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseStateThatExpiredByTheOtherKindOfTime(boolean before, @TempDir Path folder) throws Exception {
        TimeToLive byEvents = TimeToLive.ofEventTime(Duration.ofSeconds(1));
        TimeToLive byClock = TimeToLive.ofProcessingTime(Duration.ofSeconds(1));

        assertThatThrownBy(() -> restored(before ? byEvents : byClock, before ? byClock : byEvents, folder))
                .message()
                .contains("state 'state last' of operator 'keeper'", "Expiring(", "ExpiringByClock(");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRestoreStateWithAnotherTimeToLive(boolean byEvents, @TempDir Path folder) throws Exception {
        Duration hour = Duration.ofHours(1);
        TimeToLive before = new TimeToLive(hour, byEvents);

        assertThat(restored(before, new TimeToLive(hour.multipliedBy(2), byEvents), folder)
                        .state())
                .isEqualTo(JobState.FINISHED);
    }

    /** Runs a job, and then one with another time to live from its last checkpoint to the end. */
    private static JobStats restored(@Nullable TimeToLive before, @Nullable TimeToLive now, Path folder)
            throws Exception {
        RunSettings settings = RunSettings.defaults()
                .withThreads(0)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).restoringLatest());
        TestSource<Long> source = TestSource.of(Long.class).add(1L, 2L, 3L);
        Job first = new EmbeddedRunner(settings).start(keeping(source, before).graph());
        for (int step = 0; step < 50; step++) {
            first.step();
        }
        first.cancel();
        while (first.step()) {
            // to the end
        }
        source.end();

        Job second = new EmbeddedRunner(settings).start(keeping(source, now).graph());
        while (second.step()) {
            // to the end
        }
        return second.await();
    }

    /** Killed again and again, each time restored with another parallelism. */
    @Nested
    final class Crashing extends ExpiringStateRulesContract {
        @TempDir
        private Path folder;

        @Override
        protected TestRunner road() {
            return graph -> {
                Outcome outcome = crashing(1).run(graph);
                for (long seed = 2; seed <= 30; seed++) {
                    assertThat(crashing(seed).run(graph).sink("seen"))
                            .as("crashes of seed %d", seed)
                            .containsExactlyInAnyOrderElementsOf(outcome.sink("seen"));
                }
                return outcome;
            };
        }

        private TestRunner crashing(long seed) {
            RunSettings settings = RunSettings.defaults().withParallelism(2);
            return TestRunner.crashing(
                    settings,
                    EnumSet.allOf(HardCase.class),
                    seed,
                    folder.resolve(UUID.randomUUID().toString()));
        }
    }

    private static TestRunner embedded(int parallelism, int threads, boolean specialise) {
        RunSettings settings = RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(threads)
                .withSpecialise(specialise);
        return TestRunner.embedded(settings, EnumSet.allOf(HardCase.class), 1);
    }
}
