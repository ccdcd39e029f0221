// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.PeekFunction;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose operators fail: they start again from their last checkpoint, give up a record, or end. */
@Timeout(600)
final class RestartTest {
    @TempDir
    Path folder;

    private final CollectSink<WindowResult<Long, Long>> sums = KeyedSums.sink();

    private RunSettings settings(int parallelism, int threads) {
        return RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(threads)
                .withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder));
    }

    /** An operator that throws at some records, each time for the first time only. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldStartAgainWhereAnOperatorFails(int threads) throws Exception {
        Set<Long> failed = ConcurrentHashMap.newKeySet();
        PeekFunction<Long> onceFailing = n -> {
            if (n % 10_000 == 0 && n > 0 && failed.add(n)) {
                throw new IllegalStateException("no luck with " + n);
            }
        };
        List<String> warnings = new CopyOnWriteArrayList<>();
        RunSettings settings = settings(2, threads)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(1)))
                .withRestart(Restart.fixed(3, Duration.ofMillis(1)))
                .withWarnings(warnings::add);
        Job job = new EmbeddedRunner(settings)
                .start(KeyedSums.to(sums, onceFailing).graph());
        for (int step = 0; threads == 0 && job.step(); step++) {
            if (step % 50 == 0) {
                job.checkpoint();
            }
        }
        job.await();
        assertThat(failed).containsExactlyInAnyOrder(10_000L, 20_000L, 30_000L);
        assertThat(warnings)
                .hasSizeBetween(1, 3)
                .allMatch(line -> line.contains("operator 'picky'") && line.contains("no luck"));
        assertThat(KeyedSums.found(sums)).isEqualTo(KeyedSums.expected());
    }

    @Test
    void shouldFailForGood_afterSoManyTimes() throws Exception {
        RunSettings settings = settings(1, 0).withRestart(Restart.fixed(2, Duration.ZERO));
        Topology topology = Topology.named("hopeless");
        topology.from(Sources.generate(10, n -> n))
                .map(n -> 1 / (n - 5))
                .name("divides")
                .to(Sinks.discard());
        List<String> warnings = new ArrayList<>();
        Job job = new EmbeddedRunner(settings.withWarnings(warnings::add)).start(topology.graph());
        while (job.step()) {
            // to the end
        }
        assertThatThrownBy(job::await).isInstanceOf(JobFailedException.class).hasMessageContaining("/ by zero");
        assertThat(warnings).hasSize(2);
    }

    /** Takes a checkpoint after every step, to the end. */
    private Job stepped(RunSettings settings, Topology topology) {
        Job job = new EmbeddedRunner(settings.withSteps(10, 2, 4)).start(topology.graph());
        while (job.step()) {
            job.checkpoint();
        }
        return job;
    }

    @Test
    void shouldCountFailuresInARowOnly() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Set<Long> failed = ConcurrentHashMap.newKeySet();
        Topology topology = Topology.named("outages");
        topology.from(Sources.generate(1_000, n -> n))
                .peek(n -> {
                    if (n % 100 == 99 && failed.add(n)) {
                        throw new IllegalStateException("an outage");
                    }
                })
                .to(sink)
                .parallelism(1);
        stepped(settings(1, 0).withRestart(Restart.fixed(1, Duration.ZERO)), topology)
                .await();
        assertThat(failed).hasSize(10);
        assertThat(sink.records()).hasSize(1_000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFailForGoodAtTheSameRecord_howeverManyCheckpointsAreTakenBeforeIt(boolean behindAQueue) {
        Topology topology = Topology.named("hopeless");
        var numbers = topology.from(Sources.generate(1_000, n -> n));
        (behindAQueue ? numbers.shuffle() : numbers)
                .peek(n -> {
                    if (n == 500) {
                        throw new IllegalStateException("never 500");
                    }
                })
                .to(Sinks.discard());
        List<String> warnings = new ArrayList<>();
        Job job = stepped(
                settings(1, 0).withRestart(Restart.fixed(3, Duration.ZERO)).withWarnings(warnings::add), topology);
        assertThatThrownBy(job::await).hasMessageContaining("never 500");
        assertThat(warnings).hasSize(3);
        assertThat(job.lastCheckpoint()).as("some was taken in the last start").isNotNull();
    }

    /** A service that is down for several starts, before, between and after records that pass. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveUpNoRecordBecauseOfAnOutage(boolean behindAQueue) throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        AtomicLong calls = new AtomicLong();
        Topology topology = Topology.named("outage");
        var numbers = topology.from(Sources.generate(1_000, n -> n));
        (behindAQueue ? numbers.shuffle() : numbers)
                .filter(n -> n % 2 == 0)
                .peek(n -> {
                    long call = calls.incrementAndGet();
                    if ((call > 100 && call < 900) || (call > 1_000 && call < 1_400)) {
                        throw new IllegalStateException("the service is down");
                    }
                })
                .name("asks")
                .to(sink)
                .parallelism(1);
        List<String> bad = new ArrayList<>();
        stepped(
                        settings(1, 0)
                                .withRestart(Restart.fixed(1_000, Duration.ZERO))
                                .withTries(2)
                                .withBadRecords((t, operator, record) -> bad.add(record.reason())),
                        topology)
                .await();
        assertThat(bad).isEmpty();
        assertThat(sink.records())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 500).mapToObj(n -> 2 * n).toList());
    }

    @Test
    void shouldFailRatherThanGiveUpEveryRecord() {
        long zero = 0;
        Topology topology = Topology.named("outage");
        topology.from(Sources.generate(50, n -> n))
                .map(n -> n / zero)
                .name("divides")
                .to(Sinks.discard());
        List<String> bad = new ArrayList<>();
        RunSettings settings = RunSettings.defaults()
                .withParallelism(1)
                .withThreads(0)
                .withTries(1)
                .withBadRecords((t, operator, record) -> bad.add(record.reason()));
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        while (job.step()) {
            // to the end
        }
        assertThatThrownBy(job::await).isInstanceOf(JobFailedException.class).hasMessageContaining("/ by zero");
        assertThat(bad).isEmpty();
    }

    /** The first records of a start fail, and those behind them pass. */
    @Test
    void shouldGiveUpNeighboursThatFail() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("poisoned");
        topology.from(Sources.generate(20, n -> n))
                .peek(n -> {
                    if (n < 3) {
                        throw new IllegalStateException("not " + n);
                    }
                })
                .name("picky")
                .to(sink)
                .parallelism(1);
        List<String> bad = new ArrayList<>();
        stepped(
                        settings(1, 0)
                                .withRestart(Restart.fixed(3, Duration.ZERO))
                                .withTries(2)
                                .withBadRecords((t, operator, record) -> bad.add(record.offset() + record.reason())),
                        topology)
                .await();
        assertThat(bad).hasSize(3).allMatch(each -> each.contains("given up after 2 times"));
        assertThat(bad).extracting(each -> each.charAt(0)).containsExactly('0', '1', '2');
        assertThat(sink.records()).hasSize(17);
    }

    /** Records that look alike. */
    record Alike(long number) {
        @Override
        public String toString() {
            return "one of many";
        }
    }

    @Test
    void shouldTellRecordsThatLookAlikeApartByTheirPosition() throws Exception {
        CollectSink<Alike> sink = CollectSink.of(Alike.class);
        Set<Long> failed = ConcurrentHashMap.newKeySet();
        Topology topology = Topology.named("alike");
        topology.from(Sources.generate(100, Alike::new))
                .as(Alike.class)
                .peek(each -> {
                    if (each.number % 10 == 5 && failed.add(each.number)) {
                        throw new IllegalStateException("the first time");
                    }
                })
                .to(sink)
                .parallelism(1);
        List<String> bad = new ArrayList<>();
        RunSettings settings = settings(1, 0)
                .withRestart(Restart.fixed(20, Duration.ZERO))
                .withTries(2)
                .withBadRecords((t, operator, record) -> bad.add(record.reason()));
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        while (job.step()) {
            // without a checkpoint: each start begins at the beginning
        }
        job.await();
        assertThat(bad).isEmpty();
        assertThat(failed).hasSize(10);
        assertThat(sink.records()).hasSize(100);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldGoOnWithoutARecordThatFailsEachTime(int threads) throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("poisoned");
        topology.from(Sources.generate(100, n -> n))
                .shuffle()
                .peek(n -> {
                    if (n == 42) {
                        throw new IllegalStateException("not 42");
                    }
                })
                .name("picky")
                .to(sink)
                .parallelism(1);
        List<String> bad = new CopyOnWriteArrayList<>();
        List<String> warnings = new CopyOnWriteArrayList<>();
        RunSettings settings = settings(1, threads)
                .withRestart(Restart.fixed(5, Duration.ZERO))
                .withTries(3)
                .withWarnings(warnings::add)
                .withBadRecords((t, operator, record) -> bad.add(operator + ", " + record.reason()));
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        while (threads == 0 && job.step()) {
            // to the end
        }
        job.await();
        assertThat(warnings).hasSize(2);
        assertThat(bad).containsExactly("picky, given up after 3 times: java.lang.IllegalStateException: not 42");
        assertThat(sink.records()).hasSize(99).doesNotContain(42L);
    }

    /** One of many that a flatMap makes of a record, after its output was full. */
    @Test
    void shouldGoOnWithoutOneOfManyThatFailsEachTime() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("poisoned");
        topology.from(Sources.generate(3, n -> n))
                .flatMap(n -> LongStream.range(200 * n, 200 * n + 200).boxed().toList())
                .as(Long.class)
                .peek(n -> {
                    if (n == 350) {
                        throw new IllegalStateException("not 350");
                    }
                })
                .name("picky")
                .to(sink)
                .parallelism(1)
                .isolate();
        List<String> bad = new ArrayList<>();
        RunSettings settings = settings(1, 0)
                .withSteps(50, 2, 4)
                .withRestart(Restart.fixed(5, Duration.ZERO))
                .withTries(3)
                .withBadRecords((t, operator, record) -> bad.add(new String(record.bytes(), StandardCharsets.UTF_8)));
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        while (job.step()) {
            // to the end
        }
        job.await();
        assertThat(bad).containsExactly("350");
        assertThat(sink.records()).hasSize(599).doesNotContain(350L);
    }
}
