// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.stats.BadReason;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.BadLimit;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A job with too many bad records fails, and leaves no output. */
final class BadLimitTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final Topology topology = Topology.named("test");
    private final Committed committed = new Committed();
    private RunSettings settings = RunSettings.defaults().withParallelism(1).withThreads(0);
    private long nowNs = 1;

    /** A sink that shows whether it was told to finish. */
    private static final class Committed implements Sink<Long> {
        final AtomicBoolean finished = new AtomicBoolean();

        @Override
        public String name() {
            return "committed";
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            return new SinkWriter<>() {
                @Override
                public void write(Long value) {}

                @Override
                public void finish() {
                    finished.set(true);
                }
            };
        }
    }

    /** Numbers that are there already, or come when they are told to; it cannot read some. */
    private record Numbers(long count, long unreadable, List<Long> live) implements Source<Long> {
        static Numbers of(long count, long unreadable) {
            return new Numbers(count, unreadable, List.of());
        }

        @Override
        public String name() {
            return "numbers";
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            return new SplitReader<>() {
                private long next;

                @Override
                public @Nullable Long poll() {
                    while (next < unreadable && next < count) {
                        context.bad(new BadRecord("all", next + 1, next, "cannot read " + next, new byte[0]));
                        next++;
                    }
                    if (next < count) {
                        return next++;
                    }
                    return live.isEmpty() ? null : live.remove(0);
                }

                @Override
                public boolean finished() {
                    return count > 0 && next == count;
                }

                @Override
                public long position() {
                    return next;
                }
            };
        }
    }

    private static Long upTo(long value, long limit) {
        if (value >= limit) {
            throw new BadRecordException("greater than " + limit + ": " + value, "" + value);
        }
        return value;
    }

    private static List<Long> ten(Long number) {
        return LongStream.range(number * 10, number * 10 + 10).boxed().toList();
    }

    private Job job() {
        return new EmbeddedRunner(settings).start(topology.graph());
    }

    private JobStats run() throws InterruptedException {
        Job job = job();
        while (settings.threads() == 0 && job.step()) {
            // on to the end
        }
        return job.await();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldFailWithoutASingleGoodRecord(int threads) {
        settings = settings.withThreads(threads);
        topology.from(Numbers.of(4, 4)).to(committed);

        assertThatThrownBy(this::run)
                .isInstanceOf(JobFailedException.class)
                .hasMessage("topology 'test': not one of 4 records was good; most often, 4 times, operator 'source',"
                        + " first in all, line 1, offset 0: cannot read 0; is it the input that the job expects?"
                        + " Another limit is set with --max-bad");
        assertThat(committed.finished).isFalse();
    }

    @Test
    void shouldFailWithoutASingleGoodRecordBehindAQueue() {
        topology.from(Sources.generate(4, n -> n))
                .map(n -> upTo(n, 0))
                .name("picky")
                .isolate()
                .to(committed);

        assertThatThrownBy(this::run)
                .hasMessageStartingWith(
                        "topology 'test': not one of 4 records was good; most often," + " 4 times, operator 'picky'");
        assertThat(committed.finished).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"50,false", "49,true"})
    void shouldFailWithMoreThanHalfBad(long good, boolean fails) throws Exception {
        topology.from(Sources.generate(100, n -> n)).map(n -> upTo(n, good)).to(committed);

        if (fails) {
            assertThatThrownBy(this::run)
                    .hasMessageContaining(": 51 of 100 records were bad, and the limit is 50 %; most often, 51 times");
        } else {
            JobStats stats = run();
            assertThat(stats.recordsBad()).isEqualTo(50);
            assertThat(stats.badReasons())
                    .containsExactly(new BadReason("map", "greater than #: #", 50, "0", 0, 50, "greater than 50: 50"));
        }
        assertThat(committed.finished.get()).isEqualTo(!fails);
    }

    @Test
    void shouldCountWhatTheSourceCannotReadAndWhatIsRefusedLater() {
        topology.from(Numbers.of(100, 30)).map(n -> upTo(n, 79)).isolate().to(committed);

        assertThatThrownBy(this::run).hasMessageContaining(": 51 of 100 records were bad");
    }

    @Test
    void shouldCountARecordOnceOfWhichManyBadOnesCome() throws Exception {
        Stream<Long> many = topology.from(Sources.generate(10, n -> n)).flatMap(BadLimitTest::ten);
        many.map(n -> upTo(n, 70)).to(committed);

        assertThat(run().recordsBad()).isEqualTo(30);
        assertThat(committed.finished).isTrue();
    }

    @Test
    void shouldMeasureALaterChainByItsOwnInput() throws Exception {
        Stream<Long> many = topology.from(Sources.generate(10, n -> n)).flatMap(BadLimitTest::ten);
        many.map(n -> upTo(n, 70)).isolate().to(committed);

        assertThat(run().recordsBad()).isEqualTo(30);
    }

    @Test
    void shouldAllowWhatItIsToldTo() throws Exception {
        topology.from(Sources.generate(100, n -> n)).map(n -> upTo(n, 0)).to(committed);
        settings = settings.withBadLimit(BadLimit.none());
        assertThat(run().recordsBad()).isEqualTo(100);

        settings = settings.withBadLimit(BadLimit.records(1_000));
        assertThatThrownBy(this::run).hasMessageContaining("not one of 100 records was good");
    }

    @ParameterizedTest
    @CsvSource({"10,false", "9,true"})
    void shouldFailWithMoreThanANumber(long limit, boolean fails) throws Exception {
        topology.from(Sources.generate(100, n -> n)).map(n -> upTo(n, 90)).to(committed);
        settings = settings.withBadLimit(BadLimit.records(limit));

        if (fails) {
            assertThatThrownBy(this::run).hasMessageContaining(": 10 records were bad, and the limit is 9; most often");
        } else {
            assertThat(run().recordsBad()).isEqualTo(10);
        }
    }

    /** As a service does that is asked at the end. */
    @ParameterizedTest
    @CsvSource({"0, true", "49, true", "50, false", "100, false"})
    void shouldCountWhatASinkHearsOnlyWhenItFinishes(int good, boolean fails) throws Exception {
        topology.from(Numbers.of(100, 0)).to(new Refused(good));

        if (fails) {
            assertThatThrownBy(this::run)
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining(good == 0 ? "not one of 100 records was good" : "51 of 100 records were bad");
        } else {
            assertThat(run().recordsBad()).isEqualTo(100 - good);
        }
    }

    /** A sink whose records turn out bad at its end, all but some. */
    private record Refused(int good) implements Sink<Long> {
        @Override
        public String name() {
            return "refused";
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            return new SinkWriter<>() {
                private final List<Long> written = new ArrayList<>();

                @Override
                public void write(Long value) {
                    written.add(value);
                }

                @Override
                public void finish() {
                    for (long value : written.subList(good, written.size())) {
                        context.reports().bad(new BadRecord("out", 0, value, "refused", new byte[0]));
                    }
                }
            };
        }
    }

    @Test
    void shouldTellTheShareAsItWasGiven() {
        topology.from(Sources.generate(1_000, n -> n)).map(n -> upTo(n, 990)).to(committed);
        settings = settings.withBadLimit(BadLimit.share(0.005));

        assertThatThrownBy(this::run).hasMessageContaining(": 10 of 1,000 records were bad, and the limit is 0.5 %;");
        assertThatIllegalArgumentException().isThrownBy(() -> BadLimit.share(-0.1));
    }

    @Test
    void shouldFinishWithoutAnyRecord() throws Exception {
        topology.from(Sources.generate(0, n -> n)).to(committed);

        assertThat(run().recordsIn()).isZero();
        assertThat(committed.finished).isTrue();
    }

    @Test
    void shouldNotFailAJobThatIsStopped() throws Exception {
        List<Long> live = new ArrayList<>(List.of(7L, 8L));
        topology.from(new Numbers(0, 0, live)).map(n -> upTo(n, 0)).to(committed);
        Job job = job();
        for (int step = 0; step < 20; step++) {
            job.step();
        }
        job.cancel();
        while (job.step()) {
            // on to the end
        }
        assertThat(job.await().recordsBad()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"1000,500,true", "1000,499,false", "999,999,false"})
    void shouldFailALiveJobByItsLastMinute(int records, int bad, boolean fails) throws Exception {
        List<Long> live = new ArrayList<>();
        settings = settings.withClock(() -> nowNs);
        topology.from(new Numbers(0, 0, live)).map(n -> upTo(n, 1)).to(committed);
        Job job = job();
        for (int second = 0; second < 100; second++) { // 10,000 good ones do not make up for it
            for (int i = 0; i < 100; i++) {
                live.add(0L);
            }
            advance(job);
        }
        for (int second = 0; second < 60; second++) {
            advance(job);
        }
        for (int i = 0; i < records; i++) {
            live.add(i < bad ? 1L : 0L);
        }
        boolean runs = true;
        for (int second = 0; second < 70; second++) {
            runs &= advance(job);
        }
        assertThat(runs).isEqualTo(!fails);
        if (fails) {
            assertThatThrownBy(job::await)
                    .hasMessageContaining(": 500 of 1,000 records of the last minute were bad, and the limit is 50 %");
            assertThat(committed.finished).isFalse();
        } else {
            job.kill();
            while (job.step()) {
                // on to the end
            }
        }
    }

    @Test
    void shouldLetAJobReadForAMinuteFirst() throws Exception {
        List<Long> live = new ArrayList<>();
        settings = settings.withClock(() -> nowNs);
        topology.from(new Numbers(0, 0, live)).map(n -> upTo(n, 1)).to(committed);
        Job job = job();
        for (int i = 0; i < 2_000; i++) {
            live.add(1L);
        }
        boolean runs = true;
        for (int second = 0; second < 59; second++) {
            runs &= advance(job);
        }
        assertThat(runs).as("the first records may be the worst").isTrue();
        for (int i = 0; i < 2_001; i++) {
            live.add(0L);
        }
        for (int second = 0; second < 5; second++) {
            runs &= advance(job);
        }
        assertThat(runs).isTrue();
        job.kill();
        while (job.step()) {
            // on to the end
        }
    }

    private boolean advance(Job job) {
        boolean runs = true;
        for (int step = 0; step < 10; step++) {
            runs = job.step();
        }
        nowNs += SECOND_NS;
        return runs;
    }

    @Test
    void shouldFailALiveJobOnThreads() throws Exception {
        settings = settings.withThreads(2).withBadLimit(BadLimit.records(10));
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n).rate(1_000))
                .map(n -> upTo(n, 1))
                .to(committed);
        Job job = job();

        assertThat(job.await(Duration.ofSeconds(60))).isTrue();
        assertThatThrownBy(job::await).hasMessageContaining("records were bad, and the limit is 10");
    }

    @Test
    void shouldFailAgainIfItIsStartedAgain(@TempDir Path folder) throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder);
        List<String> warnings = new ArrayList<>();
        settings = settings.withClock(() -> nowNs)
                .withSteps(10, 2, 4)
                .withRestart(Restart.fixed(3, Duration.ZERO))
                .withWarnings(warnings::add)
                .withGuarantee(Guarantee.AT_LEAST_ONCE, checkpoints);
        topology.from(Sources.generate(1_000, n -> n))
                .map(n -> upTo(n, 100))
                .isolate()
                .to(new Immediate());
        Job job = job();
        for (int step = 0; job.stats().recordsIn() < 995; step++) {
            job.step();
            if (step % 5 == 0) {
                job.checkpoint();
            }
        }
        while (job.step()) {
            // on to the end
        }
        assertThatThrownBy(job::await).hasMessageContaining(": 900 of 1,000 records were bad");
        assertThat(warnings).as("another start would not help").isEmpty();
        assertThat(SavedCheckpoint.in(folder)).isNotEmpty();

        settings = settings.withGuarantee(Guarantee.AT_LEAST_ONCE, checkpoints.restoringLatest());
        assertThatThrownBy(this::run)
                .as("what was read before counts")
                .hasMessageContaining(" of 1,000 records were bad");

        settings = settings.withBadLimit(BadLimit.none());
        assertThat(run().state()).isEqualTo(JobState.FINISHED);
    }

    private static final class Immediate implements Sink<Long> {
        @Override
        public String name() {
            return "immediate";
        }

        @Override
        public boolean immediate() {
            return true;
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            return value -> {};
        }
    }
}
