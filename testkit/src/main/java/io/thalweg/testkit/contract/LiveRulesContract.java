// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.LiveTestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules of live sources, which have one reader in each task, for any runner within this JVM. */
@Timeout(600)
public abstract class LiveRulesContract {
    /** More tasks than splits at first, so that one of them has none. */
    protected static final int PARALLELISM = 3;

    private static final long LOOK_MS = 100;

    /** What the sinks have received; static, because sinks are serialized. */
    private static volatile BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    private static volatile CountDownLatch held = new CountDownLatch(0);

    /** A runner with a parallelism of {@link #PARALLELISM}, without a guarantee. */
    protected abstract Runner runner();

    /** The same with a checkpoint every tenth of a second; what it promises is up to the runner. */
    protected abstract Runner checkpointing();

    private final Topology topology = Topology.named("live");
    private final LiveTestSource<Long> source = LiveTestSource.of(Long.class);

    @BeforeEach
    void empty() {
        seen = new LinkedBlockingQueue<>();
        held = new CountDownLatch(0);
    }

    private void toSeen(LiveTestSource<Long> from) {
        topology.from(from).name("numbers").to(Sinks.each(LiveRulesContract::see));
    }

    private static void see(Object record) throws InterruptedException {
        held.await();
        seen.add(record);
    }

    /** Of a job that runs: one that ends before so many came has failed. */
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

    private static void awaitSeen(RunningJob job, Object record) throws InterruptedException {
        while (!next(job, 1).contains(record)) {
            // those that come before do not matter
        }
    }

    private static Long[] numbers(long from, long to) {
        return LongStream.range(from, to).boxed().toArray(Long[]::new);
    }

    @Test
    void shouldReadAllSplitsOfATaskThroughOneReader_andEndWithThem() throws Exception {
        for (int split = 0; split < 10; split++) {
            source.add("s" + split, numbers(split * 10L, split * 10L + split));
        }
        source.end();
        toSeen(source);

        assertThat(runner().start(topology.graph()).await().recordsOut()).isEqualTo(45);

        List<Object> expected = new ArrayList<>();
        for (long split = 0; split < 10; split++) {
            expected.addAll(List.of(numbers(split * 10, split * 10 + split)));
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(source.readers()).isEqualTo(PARALLELISM);
    }

    @Test
    void shouldReadSplitsThatAppearWhileItRuns_fromTheirBeginning() throws Exception {
        LiveTestSource<Long> growing = source.discoverEvery(Duration.ofMillis(5));
        growing.add("a", numbers(0, 5)).add("b", numbers(5, 10));
        toSeen(growing);
        RunningJob job = runner().start(topology.graph());
        assertThat(next(job, 10)).containsExactlyInAnyOrder((Object[]) numbers(0, 10));

        growing.add("c", numbers(10, 20)).add("d").add("e", numbers(20, 25));
        assertThat(next(job, 15)).containsExactlyInAnyOrder((Object[]) numbers(10, 25));
        growing.add("a", 25L).add("d", 26L).add("e", 27L);
        assertThat(next(job, 3)).containsExactlyInAnyOrder(25L, 26L, 27L);

        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(seen).isEmpty();
        assertThat(List.of(growing.given("a"), growing.given("b"))).isEqualTo(List.of(List.of("add"), List.of("add")));
        assertThat(List.of(growing.given("c"), growing.given("d"), growing.given("e")))
                .isEqualTo(List.of(List.of("addFound"), List.of("addFound"), List.of("addFound")));
    }

    /** A broker that is away for a moment is no reason to fail: readers wait for it, too. */
    @Test
    void shouldGoOn_whileNewSplitsCannotBeLookedFor() throws Exception {
        LiveTestSource<Long> growing = source.discoverEvery(Duration.ofMillis(5));
        growing.add("a", numbers(0, 5));
        toSeen(growing);
        RunningJob job = runner().start(topology.graph());
        assertThat(next(job, 5)).containsExactlyInAnyOrder((Object[]) numbers(0, 5));

        growing.failToList("nobody answers");
        growing.awaitUnlisted(2);
        growing.add("a", 5L);
        assertThat(next(job, 1)).containsExactly(5L);
        growing.failToList(null);
        growing.add("b", 6L);
        assertThat(next(job, 1)).containsExactly(6L);

        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }

    /** Neither a task without splits nor a newly discovered split holds the watermark back forever. */
    @Test
    void shouldFireWindows_whileATaskHasNoSplit() throws Exception {
        LiveTestSource<Long> growing = source.discoverEvery(Duration.ofMillis(5));
        growing.add("a", 1L, 2L, 11L).add("b", 3L, 12L);
        topology.from(growing)
                .eventTime(time -> time, Duration.ZERO)
                .keyBy(time -> 0L)
                .window(Windows.tumbling(Duration.ofMillis(10)))
                .allowedLateness(Duration.ofDays(1)) // of a split that is read only once the others have gone on
                .aggregate(Aggregates.count())
                .map(result -> result.value() + " until " + result.end())
                .to(Sinks.each(
                        text -> see(text))); // a reference that is used with two types is read as one: JDK-8208752
        RunningJob job = runner().start(topology.graph());
        awaitSeen(job, "3 until 10");

        growing.add("c", 13L, 21L);
        growing.add("a", 22L).add("b", 23L);
        awaitSeen(job, "3 until 20");

        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }

    /** The watermark has advanced without it, so its partner may have expired. */
    @Test
    void shouldCountARecordAsLate_thatComesToAJoinAfterItsInputWasIdle() throws Exception {
        LiveTestSource<Long> payments = LiveTestSource.of(Long.class).add("b");
        source.add("a", 1_000L, 20_000L);
        SideOutput<Long> late = SideOutput.of("late", Long.class);
        Stream<String> joined = topology.from(source)
                .name("orders")
                .eventTime(time -> time, Duration.ZERO)
                .join(topology.from(payments)
                        .name("payments")
                        .eventTime(time -> time, Duration.ZERO, Duration.ofMillis(20)))
                .where(time -> 0L)
                .equalTo(time -> 0L)
                .between(Duration.ZERO, Duration.ofSeconds(5))
                .lateRightTo(late)
                .left((order, payment) -> order + " " + payment);
        joined.to(Sinks.each(text -> see(text)));
        joined.side(late).to(Sinks.each(time -> see(time)));
        RunningJob job = runner().start(topology.graph());
        awaitSeen(job, "1000 null");

        payments.add("b", 2_000L);
        assertThat(next(job, 1)).containsExactly(2_000L);

        job.cancel();
        assertThat(job.await().recordsLate()).isEqualTo(1);
    }

    @Test
    void shouldPauseASplit_ofWhichTheTaskTakesNoMore() throws Exception {
        held = new CountDownLatch(1);
        source.add("a", numbers(0, 10_000)).end();
        toSeen(source);
        RunningJob job = runner().start(topology.graph());

        source.awaitPaused("a");
        assertThat(source.fetched("a")).isLessThan(5_000);
        held.countDown();

        assertThat(job.await().recordsOut()).isEqualTo(10_000);
        assertThat(source.fetched("a")).isEqualTo(10_000);
    }

    @Test
    void shouldConfirmWhatACheckpointHolds() throws Exception {
        source.add("a", numbers(0, 7)).add("b");
        toSeen(source);
        RunningJob job = checkpointing().start(topology.graph());

        source.awaitConfirmed("a", 7);
        source.add("b", 7L);
        source.awaitConfirmed("b", 1);

        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(next(job, 8)).containsExactlyInAnyOrder((Object[]) numbers(0, 8));
    }

    @Test
    void shouldConfirmTheEndOfASplit() throws Exception {
        source.add("a", numbers(0, 7)).add("b", 7L).end();
        toSeen(source);

        assertThat(checkpointing().start(topology.graph()).await().state()).isEqualTo(JobState.FINISHED);

        source.awaitConfirmed("a", 7);
        source.awaitConfirmed("b", 1);
    }

    @Test
    void shouldFailWithTheReader() throws Exception {
        source.add("a", 1L);
        toSeen(source);
        RunningJob job = runner().start(topology.graph());
        next(job, 1);

        source.fail("the broker is gone");

        assertThatThrownBy(job::await).hasMessageContaining("the broker is gone");
    }
}
