// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.HeldRecord;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.PeekFunction;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.stats.AckStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.AckSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that belong to several, embedded. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AnchorsTest {
    private final Topology topology = Topology.named("anchors");
    private final TestSource<Long> numbers = TestSource.of(Long.class);
    private final CollectSink<String> sink = CollectSink.of(String.class);
    private final Hands pairs = new Hands();
    private long nowNs = 1;

    private final RunSettings settings = RunSettings.defaults()
            .withParallelism(1)
            .withThreads(0)
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

    private Job acked(PeekFunction<String> behind) {
        Hands one = pairs;
        topology.from(numbers)
                .process(() -> one)
                .name("pairs")
                .shuffle()
                .peek(behind)
                .isolate()
                .to(sink);
        return new EmbeddedRunner(settings.withAcks(AckSettings.defaults(), null)).start(topology.graph());
    }

    private static void step(Job job) {
        for (int step = 0; step < 100; step++) {
            job.step();
        }
    }

    private static AckStats acks(Job job) {
        return job.stats().acks();
    }

    private void emitPair() {
        HeldRecord<String> one = pairs.held(1);
        HeldRecord<String> two = pairs.held(2);
        pairs.shared().emit(List.of(one, two, one), "1+2");
        one.ack();
        two.ack();
    }

    @Test
    void shouldAckAllThatARecordBelongsTo() throws Exception {
        Job job = acked(text -> {});
        numbers.add(1L, 2L, 3L);
        step(job);

        pairs.shared().emit(List.of(pairs.held(1), pairs.held(2)), "1+2");
        pairs.held(1).ack();
        step(job);
        assertThat(acks(job).acked()).isEqualTo(1);

        pairs.held(2).ack();
        pairs.held(3).ack();
        numbers.end();
        step(job);
        assertThat(job.await().acks().acked()).isEqualTo(3);
        assertThat(sink.records()).containsExactly("1+2");
    }

    @Test
    void shouldRetryAllThatARecordBelongsTo_ifItFails() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        Job job = acked(text -> {
            if (failures.getAndIncrement() == 0) {
                throw new RecordFailedException("not yet");
            }
        });
        numbers.add(1L, 2L, 3L);
        step(job);

        emitPair();
        step(job);
        assertThat(acks(job).failed()).isEqualTo(2);
        assertThat(acks(job).acked()).isZero();

        nowNs += 10_000_000_000L;
        step(job);
        assertThat(pairs.seen()).containsExactlyInAnyOrder(1L, 2L, 3L, 1L, 2L);
        emitPair();
        pairs.held(3).ack();
        numbers.end();
        step(job);
        assertThat(job.await().acks().acked()).isEqualTo(3);
        assertThat(sink.records()).containsExactly("1+2");
    }

    @Test
    void shouldRetryOnlyWhatIsHeldAndFails() throws Exception {
        Job job = acked(text -> {});
        numbers.add(1L, 2L);
        step(job);

        pairs.shared().emit(List.of(pairs.held(1), pairs.held(2)), "1+2");
        pairs.held(1).fail("not I");
        pairs.held(2).ack();
        step(job);

        assertThat(acks(job).failed()).isEqualTo(1);
        assertThat(acks(job).acked()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAnchorsThatAreNotHeld() throws Exception {
        Job job = acked(text -> {});
        numbers.add(1L, 2L);
        step(job);
        HeldRecord<String> one = pairs.held(1);
        HeldRecord<String> two = pairs.held(2);
        two.ack();

        assertThatThrownBy(() -> pairs.shared().emit(List.of(one, two), "both"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("operator 'pairs' emits through a record that it has acked or failed; emit before ack()");
        Hands others = new Hands();
        TestSource<Long> more = TestSource.of(Long.class);
        more.add(7L);
        Topology second = Topology.named("others");
        second.from(more).process(() -> others).to(CollectSink.of(String.class));
        Job other = new EmbeddedRunner(settings).start(second.graph());
        step(other);
        assertThatThrownBy(() -> pairs.shared().emit(List.of(one, others.held(7)), "both"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "operator 'pairs' emits a record that is to belong to one that another task holds; anchor it to"
                                + " records of this task");
        pairs.shared().emit(List.of(), "none");
        step(job);
        assertThat(sink.records()).containsExactly("none");
    }

    /** Holds records until there are some, and emits what belongs to all of them, from another thread. */
    static final class Groups implements ThreadedOperator<Long, List<Long>> {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final List<HeldRecord<List<Long>>> held = new ArrayList<>();
        private final List<Long> values = new ArrayList<>();
        private SharedOutput<List<Long>> shared;

        @Override
        public void start(SharedOutput<List<Long>> output) {
            shared = output;
        }

        @Override
        public void process(Long value, Output<List<Long>> output) {
            held.add(shared.hold());
            values.add(value);
            if (held.size() > ThreadLocalRandom.current().nextInt(4)) {
                List<HeldRecord<List<Long>>> anchors = List.copyOf(held);
                List<Long> group = List.copyOf(values);
                held.clear();
                values.clear();
                thread.execute(() -> {
                    shared.emit(anchors, group);
                    anchors.forEach(HeldRecord::ack);
                });
            }
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }

    /** At least once by a bitmap: groups fail at random behind a queue, in a task that makes several records, and in one that does not. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldLoseNothing_ifGroupsFail(int parallelism) throws Exception {
        int count = 20_000;
        CollectSink<Long> out = CollectSink.of(Long.class);
        topology.from(Sources.generate(count, n -> n).splitInto(3))
                .process(Groups::new)
                .shuffle()
                .peek(AnchorsTest::failsAtRandom)
                .shuffle()
                .flatMap(group -> group)
                .as(Long.class)
                .shuffle()
                .peek(AnchorsTest::failsAtRandom)
                .to(out);

        Job job = new EmbeddedRunner(RunSettings.defaults()
                        .withParallelism(parallelism)
                        .withThreads(2)
                        .withSteps(0, 2, 16)
                        .withAcks(AckSettings.defaults().withMaxPending(500).withTimeout(Duration.ofSeconds(1)), null))
                .start(topology.graph());

        AckStats acks = job.await().acks();
        BitSet seen = new BitSet();
        out.records().forEach(n -> seen.set(n.intValue()));
        assertThat(seen.cardinality()).isEqualTo(count);
        assertThat(acks.acked()).isEqualTo(count);
        assertThat(acks.failed()).isPositive();
    }

    private static void failsAtRandom(Object any) {
        if (ThreadLocalRandom.current().nextInt(500) == 0) {
            throw new RecordFailedException("bad luck");
        }
    }
}
