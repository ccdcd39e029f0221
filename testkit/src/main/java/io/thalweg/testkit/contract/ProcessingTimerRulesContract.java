// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.LiveTestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules of processing-time timers, for any runner within this JVM. */
@Timeout(900)
public abstract class ProcessingTimerRulesContract {
    private static final long LOOK_MS = 100;
    private static final long HOUR_MS = 3_600_000;

    /** What the sink has received; static, because it is serialized. */
    private static volatile BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    private final LiveTestSource<Long> source = LiveTestSource.of(Long.class);
    private final Topology topology = Topology.named("timers");

    /** A runner with two tasks, without a guarantee. */
    protected abstract Runner runner();

    @BeforeEach
    void empty() {
        seen = new LinkedBlockingQueue<>();
    }

    /** Of each record {@code key * 10 million + delay}, sets a timer after that many milliseconds. */
    public static final class Alarms implements KeyedOperator<Long, Long, String> {
        private static final long KEYS = 10_000_000;

        private @Nullable KeyedContext context;
        private @Nullable ValueState<Long> waits;

        /** The record that has the operator set a timer of the key. */
        public static long record(long key, long delayMs) {
            return key * KEYS + delayMs;
        }

        /** The key of such a record. */
        public static long key(long record) {
            return record / KEYS;
        }

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            waits = opened.state("waits", Type.of(Long.class));
        }

        @Override
        public void process(Long key, Long record, Output<String> output) {
            KeyedContext timers = opened(context);
            long now = timers.processingTime();
            timers.setProcessingTimer(now + record % KEYS);
            timers.setProcessingTimer(now + record % KEYS);
            timers.setProcessingTimer(now);
            timers.cancelProcessingTimer(now);
            opened(waits).set(record % KEYS);
        }

        @Override
        public void onProcessingTimer(Long key, long epochMs, Output<String> output) {
            boolean due = opened(context).processingTime() >= epochMs;
            output.emit(key + " after " + opened(waits).get() + (due ? "" : " too early")
                    + (opened(context).eventTime() == KeyedContext.NO_TIME ? "" : " with event time"));
        }

        private static <P> P opened(@Nullable P part) {
            if (part == null) {
                throw new IllegalStateException("not open");
            }
            return part;
        }
    }

    private RunningJob start(boolean timed) {
        var numbers = topology.from(source).name("numbers");
        (timed ? numbers.eventTime(record -> record, Duration.ZERO) : numbers)
                .keyBy(Alarms::key)
                .process(Alarms::new)
                .to(Sinks.each(text -> seen.add(text)));
        return runner().start(topology.graph());
    }

    private static List<String> next(RunningJob job, int count) throws InterruptedException {
        List<String> records = new ArrayList<>();
        while (records.size() < count) {
            String record = seen.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (record != null) {
                records.add(record);
            } else if (job.await(Duration.ofMillis(1)) && seen.isEmpty()) {
                throw new AssertionError("only " + records + " came until the end, " + job.await());
            }
        }
        return records;
    }

    /** Those that were cancelled, and those that were asked for twice, would come before the later ones. */
    @Test
    void shouldFireEachOnce_thoughNoRecordComes() throws Exception {
        source.add("s", Alarms.record(1, 20), Alarms.record(2, 1), Alarms.record(3, 40), Alarms.record(4, HOUR_MS));
        RunningJob job = start(false);
        assertThat(next(job, 3)).containsExactlyInAnyOrder("1 after 20", "2 after 1", "3 after 40");

        source.add("s", Alarms.record(1, 30), Alarms.record(2, 30));
        assertThat(next(job, 2)).containsExactlyInAnyOrder("1 after 30", "2 after 30");

        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(seen).isEmpty();
    }

    @Test
    void shouldDropThoseThatWait_whenTheInputEnds() throws Exception {
        source.add("s", Alarms.record(1, HOUR_MS), Alarms.record(2, HOUR_MS)).end();

        assertThat(start(true).await().state()).isEqualTo(JobState.FINISHED);
        assertThat(seen).isEmpty();
    }

    @Test
    void shouldEmitWithoutEventTime() throws Exception {
        source.add("s", Alarms.record(7, 5));
        RunningJob job = start(true);

        assertThat(next(job, 1)).containsExactly("7 after 5");
        job.cancel();
        assertThat(job.await().recordsBad()).isZero();
    }

    /** Waiting for the timer would take forever. */
    static final class Deaf implements KeyedOperator<Long, Long, String> {
        private @Nullable KeyedContext context;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
        }

        @Override
        public void process(Long key, Long record, Output<String> output) {
            if (context != null) {
                context.setProcessingTimer(record);
            }
        }
    }

    @Test
    void shouldRefuseATimerThatNobodyHears() {
        source.add("s", 1L).end();
        topology.from(source).keyBy(Alarms::key).process(Deaf::new).name("deaf").to(Sinks.discard());

        assertThatThrownBy(() -> runner().start(topology.graph()).await())
                .message()
                .contains(
                        "deaf",
                        "setProcessingTimer would do nothing: the operator does not override onProcessingTimer");
    }

    @Test
    void shouldBeMarkedInThePlan() {
        topology.from(source)
                .keyBy(Alarms::key)
                .process(Alarms::new)
                .name("alarms")
                .to(Sinks.discard());

        assertThat(runner().explain(topology.graph()))
                .containsPattern("alarms.*keyed-process, processing-time timers \\(not deterministic\\)");
    }

    /** Ticks, and says how many records there were since the last one. */
    public static final class Ticker implements TickingOperator<Long, String> {
        public static final long EVERY_MS = 20;

        private long records;
        private long last;

        @Override
        public void process(Long record, Output<String> output) {
            records++;
        }

        @Override
        public Duration tickEvery() {
            return Duration.ofMillis(EVERY_MS);
        }

        @Override
        public void onTick(long time, Output<String> output) {
            long since = time - last;
            boolean steady = last == 0 || (since > 0 && since % EVERY_MS == 0);
            last = time;
            output.emit((steady ? "tick " : since + " ms after the last, tick ") + records);
        }

        @Override
        public void finish(Output<String> output) {
            output.emit("end");
        }
    }

    private void describeTicks() {
        topology.from(source)
                .eventTime(record -> record, Duration.ZERO)
                .process(Ticker::new)
                .name("ticker")
                .parallelism(1)
                .to(Sinks.each(text -> seen.add(text)))
                .parallelism(1);
    }

    @Test
    void shouldTickUntilTheEnd_thoughNoRecordComes() throws Exception {
        source.add("s", 1L);
        describeTicks();
        RunningJob job = runner().start(topology.graph());
        assertThat(next(job, 3)).isSubsetOf("tick 0", "tick 1");

        source.add("s", 2L);
        String tick = next(job, 1).get(0);
        while (!tick.equals("tick 2")) {
            assertThat(tick).isIn("tick 0", "tick 1");
            tick = next(job, 1).get(0);
        }
        source.end();
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        List<String> rest = List.copyOf(seen);
        assertThat(rest).last().isEqualTo("end");
        assertThat(rest.subList(0, rest.size() - 1)).allMatch("tick 2"::equals);
    }

    @Test
    void shouldMarkTicksInThePlan() {
        describeTicks();

        assertThat(runner().explain(topology.graph()))
                .containsPattern("ticker.*process, ticks every 20 ms \\(not deterministic\\)");
    }
}
