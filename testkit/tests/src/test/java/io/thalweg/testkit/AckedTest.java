// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose source records are confirmed one by one, and sent again where that fails. */
@Timeout(300)
final class AckedTest {
    private static final long RECORDS = 5_000;

    @TempDir
    Path folder;

    private static RunSettings settings(int threads, AckSettings acks, @Nullable CheckpointSettings where) {
        RunSettings settings = RunSettings.defaults().withParallelism(2).withThreads(threads);
        return (threads == 0 ? settings.withSteps(7, 2, 4) : settings).withAcks(acks, where);
    }

    private static JobStats run(Topology topology, RunSettings settings) throws Exception {
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        while (settings.threads() == 0 && job.step()) {
            // to the end
        }
        return job.await();
    }

    private static Topology relay(FailsOnce fails, CollectSink<Long> to) {
        Topology topology = Topology.named("relay");
        topology.from(Sources.generate(RECORDS, n -> n).splitInto(3))
                .shuffle()
                .map(n -> n)
                .shuffle()
                .map(fails::map)
                .shuffle()
                .to(to);
        return topology;
    }

    /** Fails the first time at some records. */
    private record FailsOnce(long every, Set<Long> failed) implements java.io.Serializable {
        static FailsOnce at(long every) {
            return new FailsOnce(every, ConcurrentHashMap.newKeySet());
        }

        long map(long n) {
            if (n % every == 0 && failed.add(n)) {
                throw new RecordFailedException("no luck with " + n);
            }
            return n;
        }
    }

    @ParameterizedTest
    @CsvSource({"0,10000", "0,1", "0,50", "2,10000", "2,1", "2,50"})
    void shouldSendAgainWhatFailed(int threads, int maxPending) throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        FailsOnce fails = FailsOnce.at(97);
        JobStats stats =
                run(relay(fails, sink), settings(threads, AckSettings.defaults().withMaxPending(maxPending), null));
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(all());
        AckStats acks = stats.acks();
        assertThat(acks.acked()).isEqualTo(RECORDS);
        assertThat(acks.failed()).isEqualTo(fails.failed().size()).isPositive();
        assertThat(acks.timedOut()).isZero();
        assertThat(acks.pending()).isZero();
        assertThat(acks.complete().samples()).isEqualTo(RECORDS);
    }

    private static List<Long> all() {
        return LongStream.range(0, RECORDS).boxed().toList();
    }

    /** Some of a tree come through, one of it fails: all of it comes again, and nothing else. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldSendAWholeTreeAgain(int threads) throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        FailsOnce fails = FailsOnce.at(30);
        Topology topology = Topology.named("tree");
        var numbers = topology.from(Sources.generate(RECORDS, n -> n).splitInto(2));
        var many = numbers.shuffle().flatMap(n -> List.of(10 * n, 10 * n + 1, 10 * n + 2));
        many.as(Long.class).shuffle().map(fails::map).to(sink);
        many.as(Long.class).broadcast().filter(n -> n < 0).to(Sinks.discard());
        JobStats stats = run(topology, settings(threads, AckSettings.defaults(), null));

        Map<Long, Integer> times = new HashMap<>();
        sink.records().forEach(n -> times.merge(n, 1, Integer::sum));
        for (long n = 0; n < RECORDS; n++) {
            boolean failed = 10 * n % 30 == 0;
            assertThat(times.get(10 * n)).isEqualTo(1);
            assertThat(times.get(10 * n + 1)).isEqualTo(failed ? 2 : 1);
            assertThat(times.get(10 * n + 2)).isEqualTo(failed ? 2 : 1);
        }
        assertThat(stats.acks().acked()).isEqualTo(RECORDS);
        assertThat(stats.acks().failed()).isEqualTo(fails.failed().size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldGiveUpWhatFailsAgainAndAgain(int threads) throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        List<String> bad = new CopyOnWriteArrayList<>();
        AtomicLong tries = new AtomicLong();
        Topology topology = Topology.named("poison");
        topology.from(Sources.generate(100, n -> n))
                .name("numbers")
                .shuffle()
                .map(n -> {
                    if (n == 42) {
                        tries.incrementAndGet();
                        throw new RecordFailedException("it is 42");
                    }
                    return n;
                })
                .name("picky")
                .to(sink);
        JobStats stats = run(
                topology,
                settings(threads, AckSettings.defaults(), null)
                        .withTries(3)
                        .withBadRecords((t, operator, record) -> bad.add(operator + ": " + describe(record))));
        assertThat(tries).hasValue(3);
        assertThat(sink.records()).hasSize(99).doesNotContain(42L);
        assertThat(bad).containsExactly("numbers: 42, given up after 3 times: it is 42 (operator 'picky')");
        assertThat(stats.acks().givenUp()).isEqualTo(1);
        assertThat(stats.acks().acked()).isEqualTo(99);
    }

    private static String describe(BadRecord record) {
        return new String(record.bytes(), java.nio.charset.StandardCharsets.UTF_8) + ", " + record.reason();
    }

    /** One record takes until others have taken too long. */
    @Test
    void shouldSendAgainWhatTakesTooLong() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        AtomicReference<Job> started = new AtomicReference<>();
        AtomicBoolean first = new AtomicBoolean(true);
        Topology topology = Topology.named("slow");
        topology.from(Sources.generate(RECORDS, n -> n).splitInto(4))
                .shuffle()
                .map(n -> {
                    if (n == 100 && first.compareAndSet(true, false)) {
                        Job job = started.get();
                        while (job == null || job.stats().acks().timedOut() == 0) {
                            Thread.onSpinWait();
                            job = started.get();
                        }
                    }
                    return n;
                })
                .shuffle()
                .to(sink);
        AckSettings acks =
                AckSettings.defaults().withTimeout(Duration.ofMillis(200)); // on a busy machine records take their time
        Job job = new EmbeddedRunner(settings(2, acks, null)).start(topology.graph());
        started.set(job);

        JobStats stats = job.await();

        assertThat(stats.acks().timedOut()).isPositive();
        assertThat(stats.acks().acked()).isEqualTo(RECORDS);
        assertThat(sink.records()).hasSizeGreaterThan((int) RECORDS);
        assertThat(new HashSet<>(sink.records())).hasSize((int) RECORDS);
    }

    @Test
    void shouldHaveNoMorePendingThanAllowed() throws Exception {
        AtomicLong in = new AtomicLong();
        AtomicLong out = new AtomicLong();
        AtomicLong most = new AtomicLong();
        Topology topology = Topology.named("few");
        topology.from(Sources.generate(RECORDS, n -> {
                    most.accumulateAndGet(in.incrementAndGet() - out.get(), Math::max);
                    return n;
                }))
                .shuffle()
                .map(n -> n)
                .shuffle()
                .to(Sinks.each(n -> out.incrementAndGet()));
        run(
                topology,
                settings(2, AckSettings.defaults().withMaxPending(13), null).withParallelism(1));
        assertThat(out).hasValue(RECORDS);
        assertThat(most.get()).isBetween(1L, 13L);
    }

    /** Time does not pass a record that may come again, and it comes with the stamp that it had. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldFireNoWindowBeforeWhatMayComeAgain(int threads) throws Exception {
        CollectSink<WindowResult<Long, Long>> sums =
                CollectSink.of(Type.of(WindowResult.class, Type.of(Long.class), Type.of(Long.class)));
        FailsOnce fails = FailsOnce.at(13);
        Topology topology = Topology.named("windows");
        topology.from(Sources.generate(RECORDS, n -> n).splitInto(3))
                .eventTime(n -> n, Duration.ZERO)
                .shuffle()
                .map(fails::map)
                .keyBy(n -> n % 7)
                .window(Windows.tumbling(Duration.ofMillis(50)))
                .aggregate(Aggregates.sum(n -> n))
                .to(sums);
        JobStats stats = run(topology, settings(threads, AckSettings.defaults(), CheckpointSettings.in(folder)));

        Map<String, Long> expected = new HashMap<>();
        for (long n = 0; n < RECORDS; n++) {
            expected.merge(n % 7 + " from " + n / 50 * 50, n, Long::sum);
        }
        Map<String, Long> found = new HashMap<>();
        sums.records().forEach(sum -> found.merge(sum.key() + " from " + sum.start(), sum.value(), Long::sum));
        assertThat(found).isEqualTo(expected);
        assertThat(stats.recordsLate()).isZero();
        assertThat(stats.acks().failed()).isEqualTo(fails.failed().size());
    }

    /** What the flatMap makes of a record waits for room before its time is read. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldKeepTheStampOfWhatWaitsForRoom(int threads) throws Exception {
        CollectSink<WindowResult<Long, Long>> sums =
                CollectSink.of(Type.of(WindowResult.class, Type.of(Long.class), Type.of(Long.class)));
        FailsOnce fails = FailsOnce.at(13);
        Topology topology = Topology.named("many");
        topology.from(Sources.generate(RECORDS / 50, n -> n).splitInto(2))
                .flatMap(n -> LongStream.range(50 * n, 50 * n + 50).boxed().toList())
                .as(Long.class)
                .eventTime(n -> n, Duration.ofMillis(50))
                .shuffle()
                .map(fails::map)
                .keyBy(n -> n % 7)
                .window(Windows.tumbling(Duration.ofMillis(50)))
                .aggregate(Aggregates.sum(n -> n))
                .to(sums);
        RunSettings settings = settings(threads, AckSettings.defaults(), CheckpointSettings.in(folder));
        JobStats stats = run(topology, settings.withSteps(7, 2, 4));
        assertThat(stats.recordsLate()).isZero();
        assertThat(stats.acks().acked()).isEqualTo(RECORDS / 50);
        assertThat(stats.acks().failed()).isPositive();
    }

    /** Killed on the way, with records that fail: none is missing. */
    @Test
    void shouldMissNothingAfterAKill() throws Exception {
        Set<Long> all = new HashSet<>();
        for (int run = 0; run < 6; run++) {
            CollectSink<Long> sink = CollectSink.of(Long.class);
            CheckpointSettings where = CheckpointSettings.in(folder).restoringLatest();
            Job job = new EmbeddedRunner(settings(0, AckSettings.defaults().withMaxPending(100), where))
                    .start(relay(FailsOnce.at(11), sink).graph());
            for (int step = 0; (run == 5 || step < 60 + 30 * run) && job.step(); step++) {
                if (step % 9 == run) {
                    job.checkpoint();
                }
            }
            if (run < 5) {
                job.kill();
                while (job.step()) {
                    // lets go
                }
            }
            all = new HashSet<>(sink.records());
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(all());
    }

    /** One that blocks is read on a thread of its own. */
    @ParameterizedTest
    @CsvSource({"0,false", "2,false", "2,true"})
    void shouldTellTheSourceOfEachRecord(int threads, boolean blocking) throws Exception {
        ConfirmedSource queue = ConfirmedSource.of(RECORDS, blocking);
        Set<Long> written = ConcurrentHashMap.newKeySet();
        Topology topology = Topology.named("confirmed");
        topology.from(queue)
                .shuffle()
                .map(FailsOnce.at(17)::map)
                .filter(n -> n % 2 == 0)
                .to(Sinks.each(written::add));
        run(topology, settings(threads, AckSettings.defaults().withMaxPending(30), null));
        assertThat(queue.confirmed()).containsExactlyInAnyOrderElementsOf(all());
        assertThat(queue.late()).as("confirmed after it was closed, or twice").isFalse();
        assertThat(written).hasSize((int) RECORDS / 2);
    }

    /** What a checkpoint does not hold yet is not confirmed: it might be lost. */
    @Test
    void shouldTellTheSourceOnceACheckpointHoldsIt() throws Exception {
        ConfirmedSource queue = ConfirmedSource.of(RECORDS, false);
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("confirmed");
        topology.from(queue).shuffle().to(sink);
        Job job = new EmbeddedRunner(settings(0, AckSettings.defaults(), CheckpointSettings.in(folder)))
                .start(topology.graph());
        while (job.stats().acks().acked() < 1_000) {
            job.step();
        }
        assertThat(queue.confirmed()).isEmpty();
        job.checkpoint();
        for (int step = 0; step < 10; step++) {
            job.step();
        }
        assertThat(queue.confirmed()).hasSizeGreaterThan(900);
        while (job.step()) {
            // to the end
        }
        job.await();
        assertThat(queue.confirmed()).containsExactlyInAnyOrderElementsOf(all());
        assertThat(queue.late()).isFalse();
    }

    @Test
    void shouldConfirmNothingThatASinkShowsAtTheEndOnly() {
        ConfirmedSource queue = ConfirmedSource.of(RECORDS, false);
        Topology topology = Topology.named("unsafe");
        topology.from(queue).to(CollectSink.of(Long.class));
        assertThatThrownBy(() -> run(topology, settings(0, AckSettings.defaults(), null)))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("give the job a directory for checkpoints");
        assertThat(queue.confirmed()).isEmpty();
    }

    /** Two of a tree fail at once, in one task. */
    @Test
    void shouldSendOnceMoreWhatFailsTwice() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        FailsOnce fails = FailsOnce.at(1);
        Topology topology = Topology.named("twice");
        topology.from(Sources.generate(3, n -> n))
                .shuffle()
                .flatMap(n -> List.of(10 * n, 10 * n + 1))
                .as(Long.class)
                .map(fails::map)
                .to(sink);
        JobStats stats = run(topology, settings(0, AckSettings.defaults(), null));
        assertThat(sink.records()).containsExactlyInAnyOrder(0L, 1L, 10L, 11L, 20L, 21L);
        assertThat(stats.acks().acked()).isEqualTo(3);
    }

    /** One that fails for good holds up no other. */
    @Test
    void shouldReadOnThoughARecordFailsAgainAndAgain() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        AtomicBoolean broken = new AtomicBoolean(true);
        Topology topology = Topology.named("broken");
        topology.from(Sources.generate(RECORDS, n -> n))
                .map(n -> {
                    if (n == 3 && broken.get()) {
                        throw new RecordFailedException("not yet");
                    }
                    return n;
                })
                .to(sink);
        Job job = new EmbeddedRunner(settings(0, AckSettings.defaults(), null)).start(topology.graph());
        while (sink.records().size() < RECORDS - 1) {
            assertThat(job.step()).isTrue();
        }
        broken.set(false);
        while (job.step()) {
            // to the end
        }
        assertThat(job.await().acks().acked()).isEqualTo(RECORDS);
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(all());
    }

    /** Stopped in good order, with records on their way, and gone on: each counts once. */
    @Test
    void shouldRepeatNothingAfterAStop() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        for (int run = 0; run < 4; run++) {
            sink = CollectSink.of(Long.class);
            CheckpointSettings where = CheckpointSettings.in(folder).restoringLatest();
            Job job = new EmbeddedRunner(
                            settings(0, AckSettings.defaults(), where).withSteps(50, 2, 1))
                    .start(relay(FailsOnce.at(11), sink).graph());
            for (int step = 0; (run == 3 || step < 100) && job.step(); step++) {
                // on its way
            }
            if (run < 3) {
                job.cancel();
                while (job.step()) {
                    // stops
                }
            }
        }
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(all());
    }

    @Test
    void shouldRefuseStateThatAcksDoNotBringBack() {
        Topology topology = Topology.named("counts");
        topology.from(Sources.generate(10, n -> n))
                .keyBy(n -> n)
                .aggregate(Aggregates.<Long>count())
                .name("counts")
                .to(Sinks.discard());
        assertThatThrownBy(() -> run(topology, settings(0, AckSettings.defaults(), null)))
                .isInstanceOf(JobFailedException.class)
                .hasMessage("topology 'counts', operator 'counts': it keeps state, which acks do not restore;"
                        + " give the job a directory for checkpoints as well");
    }

    @Test
    void shouldFailWhereNobodyConfirms() {
        List<Long> seen = new ArrayList<>();
        Topology topology = Topology.named("plain");
        topology.from(Sources.generate(10, n -> n))
                .peek(seen::add)
                .map(n -> {
                    throw new RecordFailedException("not now");
                })
                .as(Long.class)
                .name("picky")
                .to(Sinks.discard());
        assertThatThrownBy(() -> run(topology, RunSettings.defaults().withThreads(0)))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("operator 'picky'")
                .hasMessageContaining("not now");
        assertThat(seen).hasSize(1);
    }
}
