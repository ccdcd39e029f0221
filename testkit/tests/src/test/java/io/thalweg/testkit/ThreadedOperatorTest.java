// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.HeldRecord;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.AckSettings;
import io.thalweg.run.BadLimit;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators that emit from threads of their own and hold records, embedded. */
@Timeout(300)
@SuppressWarnings("NullAway") // like user code without null checks
@Tag("integration")
final class ThreadedOperatorTest {
    private static final int ROOM = 4;

    @TempDir
    Path folder;

    private final Topology topology = Topology.named("test");
    private final TestSource<Long> numbers = TestSource.of(Long.class);
    private final CollectSink<String> sink = CollectSink.of(String.class);
    private final Hands hands = new Hands();
    private final List<String> warnings = new ArrayList<>();
    private long nowNs = 1;

    private final RunSettings settings = RunSettings.defaults()
            .withParallelism(1)
            .withThreads(0)
            .withSteps(100, 2, ROOM)
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

    private Stream<String> threaded() {
        Hands one = hands;
        return topology.from(numbers).name("numbers").process(() -> one).name("hands");
    }

    private Job start(RunSettings how) {
        threaded().to(sink);
        return run(how);
    }

    private Job run(RunSettings how) {
        return new EmbeddedRunner(how).start(topology.graph());
    }

    private static void step(Job job) {
        for (int step = 0; step < 100; step++) {
            job.step();
        }
    }

    private static void end(Job job) {
        while (job.step()) {
            Thread.onSpinWait();
        }
    }

    private interface Doing {
        void run() throws Exception;
    }

    /** Runs it to its end on a thread of its own; returns what it threw. */
    private static @Nullable Throwable elsewhere(Doing doing) throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        thread(doing, thrown).join();
        return thrown.get();
    }

    private static Thread thread(Doing doing, AtomicReference<Throwable> thrown) {
        Thread thread = new Thread(() -> {
            try {
                doing.run();
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        thread.start();
        return thread;
    }

    /** Until the thread waits for room. */
    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    // ---- order, room, ends

    @Test
    void shouldEmitWhatOtherThreadsBring_andKeepTheOrderOfEach() throws Exception {
        int count = 1_000;
        Job job = start(settings);
        numbers.add(1L, 2L);
        step(job);
        List<Thread> threads = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            HeldRecord<String> held = hands.held(1);
            threads.add(thread(
                    () -> {
                        for (int i = 0; i < count; i++) {
                            Output<String> output = i % 3 == 0 ? hands.shared() : held;
                            output.emit(name + i);
                        }
                    },
                    new AtomicReference<>()));
        }
        while (threads.stream().anyMatch(Thread::isAlive)) {
            job.step();
        }
        hands.held(2).ack();
        elsewhere(() -> hands.held(1).ack());
        numbers.end();
        end(job);

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        for (String name : List.of("a", "b", "c")) {
            assertThat(sink.records().stream().filter(each -> each.startsWith(name)))
                    .containsExactlyElementsOf(
                            IntStream.range(0, count).mapToObj(i -> name + i).toList());
        }
    }

    /** What the task's own thread emits stays in its order too, whichever output it uses. */
    @Test
    void shouldKeepTheOrderOfTheTasksOwnThread_whichNeverWaits() throws Exception {
        hands.doing((value, output) -> {
            HeldRecord<String> held = hands.shared().hold();
            assertThat(hands.shared().hold()).isSameAs(held);
            for (int i = 0; i < 30; i += 3) {
                output.emit("" + i);
                held.emit("" + (i + 1));
                hands.shared().emit("" + (i + 2));
            }
            held.ack();
        });
        Job job = start(settings);
        numbers.add(1L).end();
        end(job);

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(sink.records())
                .containsExactlyElementsOf(
                        IntStream.range(0, 30).mapToObj(i -> "" + i).toList());
    }

    @Test
    void shouldHaveAThreadWaitForRoom_butNotTheTask() throws Exception {
        Job job = start(settings);
        numbers.add(1L);
        step(job);
        AtomicInteger emitted = new AtomicInteger();
        Thread emitter = thread(
                () -> {
                    for (int i = 0; i < 10 * ROOM; i++) {
                        hands.shared().emit("" + i);
                        emitted.incrementAndGet();
                    }
                },
                new AtomicReference<>());
        awaitWaiting(emitter);
        assertThat(emitted).hasValue(ROOM);
        elsewhere(() -> hands.held(1).ack()); // which never waits
        while (emitter.isAlive()) {
            job.step();
        }
        numbers.end();
        end(job);
        assertThat(sink.records()).hasSize(10 * ROOM);
    }

    /** Or the thread and the task would wait for each other at each record. */
    @Test
    void shouldHaveRoomForAPartOfAQueue_whereBatchesAreOfOneRecord() throws Exception {
        int part = 16;
        Job job = start(settings.withSteps(100, 4 * part, 1));
        step(job);
        AtomicInteger emitted = new AtomicInteger();
        Thread emitter = thread(
                () -> {
                    for (int i = 0; i <= part; i++) {
                        hands.shared().emit("" + i);
                        emitted.incrementAndGet();
                    }
                },
                new AtomicReference<>());
        awaitWaiting(emitter);
        assertThat(emitted).hasValue(part);
        while (emitter.isAlive()) {
            job.step();
        }
        numbers.end();
        end(job);
        assertThat(sink.records()).hasSize(part + 1);
    }

    /** With bounded room this would be a deadlock. */
    @Test
    void shouldNotHaveAThreadWaitForRoom_whileTheOperatorWaitsForTheThread() throws Exception {
        hands.doing((value, output) -> {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread emitter = thread(
                    () -> {
                        for (int i = 0; i < 10 * ROOM; i++) {
                            hands.shared().emit(value + "." + i);
                        }
                    },
                    thrown);
            emitter.join();
            assertThat(thrown).hasNullValue();
        });
        Job job = start(settings);
        numbers.add(1L, 2L).end();
        end(job);
        assertThat(sink.records()).hasSize(20 * ROOM);
    }

    /** It waits already when the call begins. */
    @Test
    void shouldReleaseAThreadThatWaits_whenTheOperatorBeginsToWaitForIt() throws Exception {
        AtomicReference<Thread> emitter = new AtomicReference<>();
        hands.doing((value, output) -> emitter.get().join());
        Job job = start(settings);
        step(job);
        emitter.set(thread(
                () -> {
                    for (int i = 0; i < 10 * ROOM; i++) {
                        hands.shared().emit("" + i);
                    }
                },
                new AtomicReference<>()));
        awaitWaiting(emitter.get());
        numbers.add(1L).end();
        end(job);
        assertThat(sink.records()).hasSize(10 * ROOM);
    }

    @Test
    void shouldNotEnd_beforeTheRecordsThatItHoldsAreDone() throws Exception {
        Job job = start(settings);
        numbers.add(1L, 2L).end();
        step(job);
        elsewhere(() -> hands.held(1).ack());
        step(job);
        assertThat(hands.finished()).isFalse();
        elsewhere(() -> {
            hands.held(2).emit("late");
            hands.held(2).ack();
            hands.held(2).fail("which does nothing any more");
        });
        end(job);
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(sink.records()).containsExactly("late");
        assertThat(hands.closed()).isTrue();
    }

    @Test
    void shouldNotEnd_whileItIsKeptOpen_thoughAllInputHasEnded() throws Exception {
        hands.keepingOpen();
        Job job = start(settings);
        numbers.end();
        step(job);
        assertThat(hands.finished()).isTrue();
        for (int i = 0; i < 3; i++) {
            int number = i;
            elsewhere(() -> hands.shared().emit("after " + number));
            step(job);
            assertThat(sink.records()).hasSize(i + 1);
        }
        elsewhere(() -> {
            hands.shared().emit("last");
            hands.shared().close();
        });
        end(job);
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(sink.records()).containsExactly("after 0", "after 1", "after 2", "last");
    }

    @Test
    void shouldRefuseToEmitAfterTheEnd() throws Exception {
        Job job = start(settings);
        numbers.add(1L);
        step(job);
        elsewhere(() -> hands.held(1).ack());
        assertThat(elsewhere(() -> hands.held(1).emit("late")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("operator 'hands' emits through a record that it has acked or failed; emit before ack()");
        numbers.end();
        end(job);
        assertThat(elsewhere(() -> hands.shared().emit("late")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "operator 'hands' emits after its output was closed; a job ends when all input has, unless the"
                                + " operator holds a record or has called keepOpen()");
        assertThat(sink.records()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReleaseAThreadThatWaits_beforeTheOperatorIsClosed(boolean killed) throws Exception {
        Job job = start(settings);
        numbers.add(1L);
        step(job);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread emitter = thread(
                () -> {
                    while (true) {
                        hands.shared().emit("more");
                    }
                },
                thrown);
        awaitWaiting(emitter);
        if (killed) {
            job.kill();
            end(job);
        } else {
            elsewhere(() -> hands.held(1).ack());
            job.cancel();
            end(job);
            assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        }
        emitter.join();
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("'hands' emits after");
        assertThat(hands.closed()).isTrue();
    }

    @Test
    void shouldSayThatAWaitingThreadWasInterrupted() throws Exception {
        Job job = start(settings);
        step(job);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread emitter = thread(
                () -> {
                    while (true) {
                        hands.shared().emit("more");
                    }
                },
                thrown);
        awaitWaiting(emitter);
        emitter.interrupt();
        emitter.join();
        assertThat(thrown.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("operator 'hands': the thread was interrupted while it waited for room");
        job.kill();
        end(job);
    }

    @Test
    void shouldDropWhatACancelledJobHolds_afterTheStopTimeout() throws Exception {
        Job job = start(settings.withStopTimeout(Duration.ofSeconds(3)));
        numbers.add(1L, 2L, 3L);
        step(job);
        job.cancel();
        step(job);
        elsewhere(() -> {
            hands.held(2).emit("two");
            hands.held(2).ack();
        });
        step(job);
        nowNs += 3_000_000_000L;
        end(job);
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(sink.records()).containsExactly("two");
        assertThat(warnings).singleElement().asString().contains("2 records").contains("hands+sink[0]");
        hands.held(1).ack();
    }

    @Test
    void shouldEmitToSideOutputs() throws Exception {
        CollectSink<String> side = CollectSink.of(String.class);
        Stream<String> stream = threaded();
        stream.to(sink);
        stream.side(Hands.SIDE).to(side);
        Job job = run(settings);
        numbers.add(1L).end();
        step(job);
        elsewhere(() -> {
            hands.shared().emit(Hands.SIDE, "of none");
            hands.held(1).emit(Hands.SIDE, "of 1");
            hands.held(1).ack();
        });
        end(job);
        assertThat(side.records()).containsExactly("of none", "of 1");
        assertThat(sink.records()).isEmpty();
    }

    static final class Ticker implements ThreadedOperator<Long, String>, TickingOperator<Long, String> {
        private SharedOutput<String> shared;
        private int ticks;

        @Override
        public void start(SharedOutput<String> output) {
            shared = output;
        }

        @Override
        public void process(Long value, Output<String> output) {
            shared.hold().ack();
        }

        @Override
        public Duration tickEvery() {
            return Duration.ofMillis(10);
        }

        @Override
        public void onTick(long time, Output<String> output) {
            assertThatIllegalStateException().isThrownBy(shared::hold);
            shared.emit("tick " + ++ticks);
        }
    }

    @Test
    void shouldTick_asWell() throws Exception {
        topology.from(numbers).process(Ticker::new).as(String.class).to(sink);
        assertThat(new EmbeddedRunner(settings).explain(topology.graph()))
                .contains("process, ticks every 10 ms, emits from threads of its own (not deterministic)");
        Job job = run(settings);
        step(job);
        nowNs += 10_000_000;
        step(job);
        numbers.add(1L).end();
        end(job);
        assertThat(sink.records()).containsExactly("tick 1");
    }

    // ---- time

    private Job windows() {
        Hands one = hands;
        topology.from(numbers)
                .eventTime(n -> n, Duration.ZERO)
                .process(() -> one)
                .as(String.class)
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregates.count())
                .map(result -> result.start() + ": " + result.value())
                .as(String.class)
                .to(sink);
        return run(settings);
    }

    @Test
    void shouldHoldTheWatermarkBack_soThatNothingIsLate() throws Exception {
        Job job = windows();
        for (long number : List.of(3L, 15L, 25L, 90L)) {
            numbers.add(number);
            step(job);
        }
        elsewhere(() -> {
            hands.held(15).ack();
            hands.held(90).ack();
        });
        step(job);
        assertThat(sink.records()).as("3 is held").isEmpty();
        elsewhere(() -> {
            hands.held(3).emit("3");
            hands.held(3).emitAt(8, "8");
            hands.held(3).emitAt(30, "30");
            hands.held(3).ack();
        });
        step(job);
        assertThat(sink.records())
                .as("25 is held, and came behind the watermark 14")
                .containsExactly("0: 2");
        elsewhere(() -> {
            hands.held(25).emit("25");
            hands.held(25).ack();
        });
        step(job);
        assertThat(sink.records()).as("the watermark is 89").containsExactly("0: 2", "20: 1", "30: 1");
        numbers.end();
        end(job);
        assertThat(job.await().recordsLate()).isZero();
        assertThat(sink.records()).hasSize(3);
    }

    @Test
    void shouldRefuseTimesThatWouldBeLate() throws Exception {
        Job job = windows();
        numbers.add(3L);
        step(job);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hands.held(3).emitAt(2, "2"))
                .withMessage("emitAt(2) is before the event time of the record, 3");
        assertThatIllegalStateException()
                .isThrownBy(() -> hands.shared().emitAt(5, "5"))
                .withMessage(
                        "operator 'process': emitAt needs a record that holds the watermark back; hold one with hold(), and"
                                + " emit through it");
        job.kill();
        end(job);
    }

    // ---- failures

    @Test
    void shouldRefuseNull() throws Exception {
        Job job = start(settings);
        numbers.add(1L);
        step(job);
        for (Doing emission : List.<Doing>of(
                () -> hands.shared().emit(null),
                () -> hands.held(1).emit(null),
                () -> hands.held(1).emit(Hands.SIDE, null))) {
            assertThat(elsewhere(emission)).isInstanceOf(NullValueException.class);
        }
        job.kill();
        end(job);
    }

    @Test
    void shouldFailWithTheNameOfTheOperator_ifItSaysSo() throws Exception {
        Job job = start(settings);
        step(job);
        elsewhere(() -> {
            hands.shared().fail(new IOException("the client has gone"));
            hands.shared().fail(new IOException("a second time"));
        });
        end(job);
        assertThatThrownBy(job::await)
                .hasMessageContaining("operator 'hands'")
                .hasMessageContaining("the client has gone");
    }

    @Test
    void shouldFailWithTheNameOfTheNextOperator_ifThatFails() throws Exception {
        threaded()
                .map(text -> {
                    throw new IllegalStateException("no " + text);
                })
                .as(String.class)
                .name("next")
                .to(sink);
        Job job = run(settings);
        numbers.add(1L);
        step(job);
        elsewhere(() -> hands.held(1).emit("thanks"));
        end(job);
        assertThatThrownBy(job::await).hasMessageContaining("operator 'next'").hasMessageContaining("no thanks");
    }

    @Test
    void shouldFail_ifARecordHasFailedAndNobodyRetriesIt() throws Exception {
        Job job = start(settings);
        numbers.add(1L);
        step(job);
        elsewhere(() -> hands.held(1).fail("service away"));
        end(job);
        assertThatThrownBy(job::await).hasMessageContaining("operator 'hands'").hasMessageContaining("service away");
    }

    @Test
    void shouldFail_alsoWithoutACause() throws Exception {
        Job job = start(settings);
        step(job);
        elsewhere(() -> hands.shared().fail(null));
        numbers.end();
        end(job);
        assertThatThrownBy(job::await)
                .hasMessageContaining("operator 'hands'")
                .hasMessageContaining("the operator gave no reason");
    }

    @Test
    void shouldHoldNothingFromAnyWhereElse() throws Exception {
        Job job = start(settings);
        step(job);
        assertThat(elsewhere(() -> hands.shared().hold()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "operator 'hands': hold() holds the record that process was called with; call it there, on the"
                                + " same thread");
        job.kill();
        end(job);
    }

    /** A bad record is dropped, and not held. */
    @Test
    void shouldNotHoldARecordAfterACallThatThrew() throws Exception {
        hands.doing((value, output) -> {
            hands.shared().hold();
            throw new BadRecordException("odd", "" + value);
        });
        Job job = start(settings.withBadLimit(BadLimit.none()));
        numbers.add(1L, 3L).end();
        end(job);
        assertThat(job.await().recordsBad()).isEqualTo(2);
    }

    // ---- guarantees

    private static AckStats acks(Job job) {
        return job.stats().acks();
    }

    @Test
    void shouldAckARecord_whenAnyThreadSaysSoAndAllThatItEmittedIsDone() throws Exception {
        Job job = start(settings.withAcks(AckSettings.defaults(), null));
        numbers.add(1L, 2L, 3L);
        step(job);
        elsewhere(() -> {
            hands.held(1).emit("1");
            hands.held(2).emit("2");
        });
        step(job);
        assertThat(acks(job).acked()).isZero();
        elsewhere(() -> {
            hands.held(1).ack();
            hands.held(2).fail("busy");
        });
        step(job);
        assertThat(acks(job).acked()).isEqualTo(1);
        assertThat(acks(job).failed()).isEqualTo(1);
        nowNs += 10_000_000_000L;
        step(job);
        assertThat(hands.seen()).containsExactly(1L, 2L, 3L, 2L);
        elsewhere(() -> {
            hands.held(2).emit("2 again");
            hands.held(2).ack();
            hands.held(3).ack();
        });
        numbers.end();
        end(job);
        assertThat(job.await().acks().acked()).isEqualTo(3);
        assertThat(sink.records()).containsExactly("1", "2", "2 again");
    }

    /** Such as the message of an exception that has none. */
    @Test
    void shouldRetryARecordThatFails_alsoWithoutAReason() throws Exception {
        Job job = start(settings.withAcks(AckSettings.defaults(), null));
        numbers.add(1L);
        step(job);
        elsewhere(() -> hands.held(1).fail(null));
        step(job);
        assertThat(acks(job).failed()).isEqualTo(1);
        nowNs += 10_000_000_000L;
        step(job);
        assertThat(hands.seen()).containsExactly(1L, 1L);
        elsewhere(() -> hands.held(1).ack());
        numbers.end();
        end(job);
        assertThat(job.await().acks().acked()).isEqualTo(1);
    }

    /** What it emitted belongs to the record that it holds, not to the one in hand, and fails that. */
    @Test
    void shouldRetryARecord_ifWhatItEmittedFailsFurtherDown() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        hands.doing((value, output) -> {
            if (value == 1) {
                hands.held(1, hands.shared().hold());
            } else {
                hands.held(1).emit("1");
                output.emit("" + value);
                hands.held(1).ack();
            }
        });
        threaded()
                .shuffle()
                .peek(text -> {
                    if (text.equals("1") && failures.getAndIncrement() == 0) {
                        throw new RecordFailedException("not yet");
                    }
                })
                .isolate()
                .to(sink);
        Job job = run(settings.withAcks(AckSettings.defaults(), null));
        numbers.add(1L, 2L);
        step(job);
        assertThat(acks(job).acked()).as("2").isEqualTo(1);
        assertThat(acks(job).failed()).as("1").isEqualTo(1);
        nowNs += 10_000_000_000L;
        step(job);
        assertThat(hands.seen()).containsExactly(1L, 2L, 1L);
        numbers.add(3L).end();
        end(job);
        assertThat(job.await().acks().acked()).isEqualTo(3);
        assertThat(sink.records()).containsExactly("2", "1", "3");
    }

    @Test
    void shouldLetABarrierWait_untilTheRecordsBeforeItAreDone_ifItGuaranteesAtLeastOnce() throws Exception {
        Job job = start(settings.withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder)));
        numbers.add(1L);
        step(job);
        assertThat(job.checkpoint()).isTrue();
        step(job);
        assertThat(job.lastCheckpoint()).isNull();
        elsewhere(() -> {
            hands.held(1).emit("1");
            hands.held(1).ack();
        });
        while (job.lastCheckpoint() == null) {
            step(job);
        }
        assertThat(sink.records()).containsExactly("1");
        job.kill();
        end(job);
    }

    /** The source keeps to the record that is held. */
    @Test
    void shouldLetABarrierPass_ifRecordsAreAcked_andReadARecordAgainThatWasHeld() throws Exception {
        RunSettings acked = settings.withAcks(
                AckSettings.defaults(), CheckpointSettings.in(folder).restoringLatest());
        Job job = start(acked);
        numbers.add(1L, 2L);
        step(job);
        elsewhere(() -> hands.held(1).ack());
        step(job);
        assertThat(job.checkpoint()).isTrue();
        while (job.lastCheckpoint() == null) {
            step(job);
        }
        job.kill();
        end(job);

        Job second = run(acked);
        step(second);
        assertThat(hands.seen()).containsExactly(1L, 2L, 2L);
        elsewhere(() -> hands.held(2).ack());
        numbers.end();
        end(second);
        assertThat(second.await().state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void shouldRefuseExactlyOnceByItsName() {
        threaded().to(sink);
        RunSettings exactly = settings.withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder));
        for (Doing doing : List.<Doing>of(
                () -> new EmbeddedRunner(exactly).start(topology.graph()),
                () -> new EmbeddedRunner(exactly).plan(topology.graph()))) {
            assertThatThrownBy(doing::run)
                    .isInstanceOf(TopologyException.class)
                    .hasMessage(
                            "topology 'test', operator 'hands': it uses emission from threads of its own, of which a"
                                    + " checkpoint cannot know what they have emitted, so exactly-once cannot be guaranteed; use"
                                    + " --guarantee acked or at-least-once, or async() for requests that are answered");
        }
    }

    // ---- many threads

    /** Holds each record, and has a pool emit and ack it, or fail it. */
    private static final class Pool implements ThreadedOperator<Long, Long> {
        private final ExecutorService workers = Executors.newFixedThreadPool(3);
        private final int failing;
        private SharedOutput<Long> shared;

        /** @param failing in a hundred */
        Pool(int failing) {
            this.failing = failing;
        }

        @Override
        public void start(SharedOutput<Long> output) {
            shared = output;
        }

        @Override
        public void process(Long value, Output<Long> output) {
            HeldRecord<Long> held = shared.hold();
            if (value % 3 == 0) {
                held.emit(value);
                held.ack();
                return;
            }
            workers.execute(() -> {
                held.emit(value);
                if (ThreadLocalRandom.current().nextInt(100) < failing) {
                    held.fail("as it was told to");
                } else {
                    held.ack();
                }
            });
        }

        @Override
        public void close() {
            workers.shutdownNow();
        }
    }

    @ParameterizedTest
    @CsvSource({"NONE,SPIN", "NONE,BALANCED", "ACKED,BALANCED", "ACKED,PARK"})
    void shouldLoseNothing_onThreads(Guarantee guarantee, Idle idle) throws Exception {
        long count = 10_000;
        boolean acked = guarantee == Guarantee.ACKED;
        CollectSink<Long> out = CollectSink.of(Long.class);
        topology.from(Sources.generate(count, n -> n).splitInto(3))
                .process(() -> new Pool(acked ? 1 : 0))
                .as(Long.class)
                .shuffle()
                .flatMap(n -> List.of(n, -n))
                .as(Long.class)
                .shuffle()
                .process(() -> new Pool(0))
                .as(Long.class)
                .to(out);
        RunSettings threads =
                RunSettings.defaults().withParallelism(2).withThreads(2).withIdle(idle);
        Job job = run(acked ? threads.withAcks(AckSettings.defaults().withMaxPending(500), null) : threads);

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        Map<Long, Integer> times = new HashMap<>();
        out.records().forEach(n -> times.merge(n, 1, Integer::sum));
        assertThat(new HashSet<>(times.keySet()))
                .containsAll(LongStream.range(-count + 1, count).boxed().toList());
        if (acked) {
            assertThat(acks(job).failed()).isPositive();
            assertThat(acks(job).acked()).isEqualTo(count);
        } else {
            assertThat(times.remove(0L)).isEqualTo(2);
            assertThat(times.values()).containsOnly(1);
        }
    }
}
