// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.LiveTestSource;
import io.thalweg.testkit.TestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules of watermark alignment, for any runner within this JVM. Records are their own event times. */
@Timeout(900)
public abstract class AlignmentRulesContract {
    private static final Duration BOUND = Duration.ofMillis(100);
    private static final Duration IDLE = Duration.ofMillis(50);
    private static final long LOOK_MS = 20;

    /** What the sinks have received; static, because sinks are serialized. */
    private static volatile BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    private final Topology topology = Topology.named("aligned");

    /** A runner with one task, or with several if it supports that. */
    protected abstract Runner runner();

    @BeforeEach
    void empty() {
        seen = new LinkedBlockingQueue<>();
    }

    private RunningJob start(Source<Long> source, Duration disorder, Duration idleAfter) {
        topology.from(source)
                .name("numbers")
                .eventTime(time -> time, disorder, idleAfter)
                .alignedWithin(BOUND)
                .to(Sinks.each(AlignmentRulesContract::see));
        return runner().start(topology.graph());
    }

    private static void see(Object record) {
        seen.add(record);
    }

    private static List<Object> next(RunningJob job, int count) throws InterruptedException {
        List<Object> records = new ArrayList<>();
        while (records.size() < count) {
            Object record = seen.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (record != null) {
                records.add(record);
            } else if (job.await(Duration.ofMillis(1)) && seen.isEmpty()) {
                throw new AssertionError("only " + records + " came until the end, " + job.await());
            }
        }
        return records;
    }

    /** From a number to another one, both included, by tens. */
    private static Long[] tens(long from, long to) {
        return LongStream.rangeClosed(from / 10, to / 10)
                .mapToObj(ten -> ten * 10)
                .toArray(Long[]::new);
    }

    private static void cancel(RunningJob job) throws Exception {
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(seen).isEmpty();
    }

    /** The last record that is read is the first that lies beyond the bound; its reader is told to pause. */
    @Test
    void shouldReadASplitNoFurther_thanTheBoundAheadOfTheSlowest() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class);
        source.add("fast", tens(0, 50_000)).add("slow", 5L);
        RunningJob job = start(source, Duration.ZERO, Duration.ZERO);

        assertThat(next(job, 13)).contains(5L).contains((Object[]) tens(0, 110));
        source.awaitPaused("fast");
        assertThat(source.fetched("fast")).isLessThan(100);

        source.add("slow", 300L);
        assertThat(next(job, 31)).contains(300L).contains((Object[]) tens(120, 410));
        cancel(job);
    }

    /** A split without a record yet may still bring any event time. */
    @Test
    void shouldWaitForASplitThatHadNoRecord_unlessItIsIdle() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class);
        source.add("fast", tens(0, 1_000)).add("slow");
        RunningJob job = start(source, Duration.ZERO, Duration.ZERO);
        assertThat(next(job, 1)).containsExactly(0L);
        source.awaitPaused("fast");
        source.add("slow", 900L);
        assertThat(next(job, 101)).contains(900L, 1_000L);
        cancel(job);
    }

    @Test
    void shouldNotWaitForASplitThatIsIdle() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class);
        source.add("fast", tens(0, 1_000)).add("slow", 5L).add("empty");
        RunningJob job = start(source, Duration.ZERO, IDLE);
        assertThat(next(job, 102)).contains(5L).contains((Object[]) tens(0, 1_000));

        source.add("slow", 6L).add("empty", 7L);
        assertThat(next(job, 2)).containsExactlyInAnyOrder(6L, 7L);
        cancel(job);
    }

    @Test
    void shouldNotWaitForASplitThatHasEnded() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class);
        source.add("slow", 5L).add("empty").end().add("fast", tens(0, 1_000));
        RunningJob job = start(source, Duration.ZERO, Duration.ZERO);
        assertThat(next(job, 102)).contains(5L).contains((Object[]) tens(0, 1_000));
        source.end();
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
    }

    /** A new split begins at the watermark of the others, and they do not get too far ahead of it. */
    @Test
    void shouldWaitForASplitThatIsFound() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class).discoverEvery(Duration.ofMillis(5));
        source.add("a", tens(0, 50));
        RunningJob job = start(source, Duration.ZERO, IDLE);
        assertThat(next(job, 6)).containsExactly((Object[]) tens(0, 50));

        source.add("b", tens(0, 5_000));
        assertThat(next(job, 501)).containsExactlyInAnyOrder((Object[]) tens(0, 5_000));
        source.add("a", tens(60, 5_000)).add("c", 7L);
        assertThat(next(job, 496)).contains(7L).contains((Object[]) tens(60, 5_000));
        cancel(job);
    }

    /** Each split is as far out of order as it may be, which is further than splits may run apart. */
    @Test
    void shouldComeToTheSame_withABoundSmallerThanTheDisorder() throws Exception {
        TestSource<Long> source = TestSource.of(io.thalweg.api.codec.Type.of(Long.class), 3);
        for (int split = 0; split < 3; split++) {
            List<Long> times = new ArrayList<>();
            for (long time = split * 1_000L; time < 20_000; time += 10 + split) {
                times.add(time % 3 == 0 ? Math.max(0, time - 500) : time);
            }
            source.addTo(split, times);
        }
        topology.from(source.end())
                .name("numbers")
                .eventTime(time -> time, Duration.ofMillis(500))
                .alignedWithin(BOUND)
                .keyBy(time -> 0L)
                .window(Windows.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregates.count())
                .map(result -> result.value())
                .to(Sinks.each(count -> see(count)));

        JobStats stats = runner().start(topology.graph()).await();

        assertThat(stats.state()).isEqualTo(JobState.FINISHED);
        assertThat(stats.recordsLate()).isZero();
        assertThat(seen.stream().mapToLong(count -> (Long) count).sum()).isEqualTo(stats.recordsIn());
        assertThat(seen).hasSize(200);
    }

    @Test
    void shouldTellOfTheSplitsThatWait() throws Exception {
        TestSource<Long> source = TestSource.of(io.thalweg.api.codec.Type.of(Long.class), 2);
        source.addTo(0, List.of(tens(0, 1_000))).addTo(1, List.of(5L));
        RunningJob job = start(source, Duration.ZERO, Duration.ZERO);
        next(job, 13);
        while (job.stats().tasks().stream()
                .noneMatch(task -> task.alignment().heldSplits() == 1
                        && task.alignment().heldNs() > 0
                        && task.alignment().aheadMs() == 105)) {
            assertThat(job.await(Duration.ofMillis(LOOK_MS))).isFalse();
        }
        source.end();
        assertThat(next(job, 89)).contains(1_000L);
        JobStats last = job.await();
        assertThat(last.tasks().stream()
                        .mapToLong(task -> task.alignment().heldNs())
                        .sum())
                .isPositive();
    }
}
