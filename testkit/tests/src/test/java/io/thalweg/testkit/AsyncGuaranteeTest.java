// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job promises, with lookups in flight: checkpoints, acks, ends. */
@Timeout(600)
final class AsyncGuaranteeTest {
    private static final ExecutorService SERVICE = Executors.newFixedThreadPool(3);

    /** Static, because functions are serialized. */
    private static final CompletableFuture<Long> NEVER = new CompletableFuture<>();

    private static final CountDownLatch ASKED = new CountDownLatch(1);

    @TempDir
    Path folder;

    private final TestSource<Long> numbers = TestSource.of(Long.class);
    private final CollectSink<String> found = CollectSink.of(String.class);
    private final Answers service = new Answers();
    private final List<String> warnings = new ArrayList<>();
    private long nowNs = 1;

    @AfterAll
    static void stop() {
        SERVICE.shutdown();
    }

    private RunSettings settings() {
        return RunSettings.defaults()
                .withParallelism(1)
                .withThreads(0)
                .withWarnings(warnings::add)
                .withClock(() -> nowNs);
    }

    private RunSettings exactlyOnce() {
        return settings()
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).restoringLatest());
    }

    private Job start(RunSettings settings, boolean ordered) {
        Topology topology = Topology.named("test");
        var asked = topology.from(numbers).async();
        (ordered ? asked : asked.unordered()).<String>map(service).name("ask").to(found);
        return new EmbeddedRunner(settings).start(topology.graph());
    }

    private static void step(Job job) {
        for (int step = 0; step < 100; step++) {
            job.step();
            Thread.onSpinWait();
        }
    }

    private static void end(Job job) {
        while (job.step()) {
            // to the end
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeACheckpointWhenAllIsAnswered_andGoOnFromIt(boolean ordered) throws Exception {
        Job job = start(exactlyOnce(), ordered);
        numbers.add(1L, 2L);
        step(job);
        assertThat(job.checkpoint()).isTrue();
        numbers.add(3L);
        step(job);
        service.answer(2);
        step(job);
        assertThat(service.asked())
                .as("nothing new is asked before the barrier")
                .containsExactly(1L, 2L);
        assertThat(job.lastCheckpoint()).isNull();
        service.answer(1);
        while (job.lastCheckpoint() == null) {
            step(job); // a thread writes it
        }
        step(job);
        assertThat(service.asked()).containsExactly(1L, 2L, 3L);
        service.answer(3);
        step(job);
        job.kill();
        end(job);

        numbers.add(4L).end();
        Job second = start(exactlyOnce(), ordered);
        step(second);
        assertThat(service.asked()).as("3 is read again").containsExactly(1L, 2L, 3L, 3L, 4L);
        service.answer(3, 4);
        end(second);
        assertThat(second.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(found.records()).containsExactlyInAnyOrder("=1", "=2", "=3", "=4");
    }

    /** What is answered goes on at once, though no input is taken while the checkpoint waits. */
    @Test
    void shouldHandOnWhatIsAnswered_whileABarrierWaitsForTheOthers() {
        List<String> seen = new ArrayList<>();
        Topology topology = Topology.named("test");
        topology.from(numbers)
                .async()
                .<String>map(service)
                .as(String.class)
                .shuffle()
                .peek(seen::add)
                .isolate()
                .to(found);
        Job job = new EmbeddedRunner(exactlyOnce()).start(topology.graph());
        numbers.add(1L, 2L);
        step(job);
        assertThat(job.checkpoint()).isTrue();
        numbers.add(3L);
        step(job);
        service.answer(1);
        step(job);
        assertThat(seen).containsExactly("=1");
        assertThat(service.asked()).containsExactly(1L, 2L);
        job.kill();
        end(job);
    }

    /** The last checkpoint cannot be taken: the job goes on from the one before, when it is restored. */
    @Test
    void shouldEndACancelledJobWithoutALastCheckpoint_whereALookupNeverEnds() throws Exception {
        RunSettings settings = RunSettings.defaults()
                .withParallelism(1)
                .withThreads(1)
                .withWarnings(warnings::add)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofDays(1)))
                .withStopTimeout(Duration.ofMillis(200));
        Topology topology = Topology.named("test");
        topology.from(Sources.generate(10, n -> n))
                .async()
                .concurrency(2)
                .map(n -> {
                    ASKED.countDown();
                    return NEVER;
                })
                .as(Long.class)
                .to(CollectSink.of(Long.class));
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        ASKED.await();
        job.cancel();

        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(job.stoppedShort()).isTrue();
        assertThat(NEVER).isCancelled();
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("the last checkpoint is not complete")
                .contains("it stops without");
    }

    @Test
    void shouldAnswerEverythingBeforeADrainEnds() throws Exception {
        Job job = start(settings(), true);
        numbers.add(1L, 2L);
        step(job);
        job.drain();
        step(job);
        service.answer(2);
        step(job);
        assertThat(found.records()).isEmpty();
        service.answer(1);
        end(job);
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(found.records()).containsExactly("=1", "=2");
    }

    @Test
    void shouldAnswerWhatIsInFlightBeforeACancelledJobEnds_butNotForEver() throws Exception {
        Job job = start(settings().withStopTimeout(Duration.ofSeconds(3)), false);
        numbers.add(1L, 2L, 3L);
        step(job);
        job.cancel();
        step(job);
        service.answer(2);
        step(job);
        assertThat(service.to(1)).isNotDone();
        nowNs += 3_000_000_000L;
        end(job);
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(found.records()).containsExactly("=2");
        assertThat(service.to(1)).isCancelled();
        assertThat(warnings).singleElement().asString().contains("2 records").contains("ask+sink[0]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAckARecordWhenItsAnswerWasEmitted(boolean ordered) throws Exception {
        Job job = start(settings().withAcks(AckSettings.defaults(), null), ordered);
        numbers.add(1L, 2L, 3L);
        step(job);
        assertThat(acks(job).acked()).isZero();
        service.answer(1, null);
        service.fail(2, new RecordFailedException("busy"));
        service.fail(3, new BadRecordException("gone", "3"));
        step(job);
        assertThat(acks(job).acked()).as("without a result, and bad").isEqualTo(2);
        assertThat(acks(job).failed()).isEqualTo(1);
        nowNs += 10_000_000_000L;
        step(job);
        assertThat(service.asked()).containsExactly(1L, 2L, 3L, 2L);
        service.answer(2);
        numbers.end();
        end(job);
        assertThat(job.await().acks().acked()).isEqualTo(3);
        assertThat(found.records()).containsExactly("=2");
    }

    private static AckStats acks(Job job) {
        return job.stats().acks();
    }

    /** It fails each time; the others do not, so it is the record's own fault. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGiveUpARecordThatFailsEachTime(boolean acked) throws Exception {
        RunSettings settings =
                RunSettings.defaults().withParallelism(1).withThreads(0).withTries(2);
        settings = acked
                ? settings.withAcks(AckSettings.defaults(), CheckpointSettings.in(folder))
                : settings.withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).restoringLatest());
        settings = settings.withRestart(new Restart(5, Duration.ofMillis(1), Duration.ofMillis(1)));
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("test");
        topology.from(Sources.generate(500, n -> n))
                .async()
                .concurrency(10)
                .map(n -> n == 77
                        ? CompletableFuture.<Long>failedFuture(new IOException("cannot find " + n))
                        : CompletableFuture.completedFuture(n))
                .as(Long.class)
                .to(sink);
        JobStats stats = new EmbeddedRunner(settings.withThreads(1))
                .start(topology.graph())
                .await();
        assertThat(stats.recordsBad()).isEqualTo(1);
        assertThat(sink.records()).hasSize(499).doesNotContain(77L);
    }

    /** The service is down: that is no record's fault, however many other records were asked for meanwhile. */
    @Test
    void shouldFail_ifEachRecordFails() {
        RunSettings settings = RunSettings.defaults()
                .withParallelism(1)
                .withThreads(1)
                .withTries(1)
                .withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder));
        Topology topology = Topology.named("test");
        topology.from(Sources.generate(500, n -> n))
                .async()
                .map(n -> CompletableFuture.<Long>failedFuture(new IOException("down")))
                .as(Long.class)
                .to(CollectSink.of(Long.class));
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        assertThatThrownBy(job::await).hasMessageContaining("java.io.IOException: down");
    }

    /** Answers on other threads, queues of few records behind, and every few records a failure: all come once. */
    @ParameterizedTest
    @CsvSource({"0,true", "0,false", "2,true", "2,false"})
    void shouldAnswerAll_onThreads(int threads, boolean ordered) throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Map<Long, Integer> tries = new ConcurrentHashMap<>();
        Topology topology = Topology.named("test");
        var asked = topology.from(Sources.generate(20_000, n -> n).splitInto(3))
                .async()
                .concurrency(37)
                .retry(1, Duration.ofMillis(1));
        (ordered ? asked : asked.unordered())
                .map(n -> CompletableFuture.supplyAsync(
                        () -> {
                            if (n % 97 == 0 && tries.merge(n, 1, Integer::sum) == 1) {
                                throw new IllegalStateException("busy");
                            }
                            return n;
                        },
                        SERVICE))
                .as(Long.class)
                .shuffle()
                .flatMap(n -> List.of(n, -n))
                .as(Long.class)
                .shuffle()
                .to(sink);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withThreads(threads)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(5)));
        Job job = new EmbeddedRunner(threads == 0 ? settings.withSteps(7, 2, 4) : settings).start(topology.graph());
        while (threads == 0 && job.step()) {
            Thread.onSpinWait();
        }
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        Map<Long, Integer> times = new HashMap<>();
        sink.records().forEach(n -> times.merge(Math.abs(n), 1, Integer::sum));
        assertThat(times).hasSize(20_000);
        assertThat(LongStream.range(1, 20_000).filter(n -> times.get(n) != 2)).isEmpty();
        assertThat(tries.values()).allMatch(count -> count == 2);
    }
}
