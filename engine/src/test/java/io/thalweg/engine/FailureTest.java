// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.BadLimit;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong in each place ends the job, and the message says where. */
final class FailureTest {
    @TempDir
    private Path folder;

    private final Topology topology = Topology.named("test");
    private final Stream<Long> numbers =
            topology.from(Sources.generate(10, n -> n)).name("numbers");

    private AbstractThrowableAssert<?, ? extends Throwable> failure(int threads) throws Exception {
        return failure(RunSettings.defaults().withParallelism(1).withThreads(threads));
    }

    private AbstractThrowableAssert<?, ? extends Throwable> failure(RunSettings settings) throws Exception {
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        for (int step = 0; settings.threads() == 0 && step < 10_000 && job.step(); step++) {
            // on to the end
        }
        assertThat(job.await(Duration.ofMinutes(5))).as("the job has ended").isTrue();
        return assertThatThrownBy(job::await).isInstanceOf(JobFailedException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldNameTheSource(int threads) throws Exception {
        topology.from(Sources.generate(10, FailureTest::notFive)).name("picky").to(Sinks.discard());
        numbers.to(Sinks.discard());

        failure(threads)
                .hasMessageContaining("topology 'test', operator 'picky', task 'picky+sink")
                .hasMessageContaining("split '0', offset 5: ")
                .hasMessageContaining("five");
    }

    private static final Set<String> CLOSED = ConcurrentHashMap.newKeySet();

    /** Its readers can be neither read nor closed without a failure. */
    private record Fragile(boolean error) implements Source<Long> {
        @Override
        public String name() {
            return "fragile";
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("a", "b", "c");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            return new SplitReader<>() {
                @Override
                public Long poll() {
                    throw new IllegalStateException("it is torn");
                }

                @Override
                public boolean finished() {
                    return false;
                }

                @Override
                public long position() {
                    return 0;
                }

                @Override
                public void close() throws IOException {
                    CLOSED.add(split);
                    if (error) {
                        throw new StackOverflowError("it is torn, too");
                    }
                    throw new IOException("it is torn, too");
                }
            };
        }
    }

    /** A job that is restarted in the same process would have more and more of them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseAllReaders_evenIfThatFails(boolean error) throws Exception {
        CLOSED.clear();
        topology.from(new Fragile(error)).name("fragile").to(Sinks.discard());
        numbers.to(Sinks.discard());

        failure(0).hasMessageContaining("operator 'fragile'").hasMessageEndingWith("it is torn");
        assertThat(CLOSED).containsExactlyInAnyOrder("a", "b", "c");
    }

    /** Once it was read, it cannot be listed again. */
    private record Vanishing(AtomicBoolean read) implements Source<Long> {
        @Override
        public String name() {
            return "vanishing";
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public boolean replayable() {
            return true;
        }

        @Override
        public List<String> splits(int parallelism) {
            if (read.get()) {
                throw new NoClassDefFoundError("com/acme/Lister");
            }
            return List.of("a");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            return new SplitReader<>() {
                @Override
                public Long poll() {
                    read.set(true);
                    throw new IllegalStateException("it is gone");
                }

                @Override
                public boolean finished() {
                    return false;
                }

                @Override
                public long position() {
                    return 0;
                }

                @Override
                public void close() {}
            };
        }
    }

    @Test
    void shouldNotCountARestartThatFails() throws Exception {
        topology.from(new Vanishing(new AtomicBoolean())).name("vanishing").to(Sinks.discard());
        numbers.to(Sinks.discard());
        RunSettings settings = RunSettings.defaults()
                .withThreads(0)
                .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder))
                .withRestart(Restart.fixed(3, Duration.ZERO))
                .withWarnings(warning -> {});

        Job job = new EmbeddedRunner(settings).start(topology.graph());
        for (int step = 0; step < 10_000 && job.step(); step++) {
            // on to the end
        }

        assertThatThrownBy(job::await).hasMessageContaining("it is gone; and it could not be restarted: ");
        assertThat(job.restarts()).isZero();
    }

    /** It cannot be closed. */
    private static Operator<Long, Long> deep() {
        return new Operator<>() {
            @Override
            public void process(Long value, Output<Long> output) {
                output.emit(value);
            }

            @Override
            public void close() {
                throw new StackOverflowError("too deep");
            }
        };
    }

    private record Closing() implements Sink<Long> {
        @Override
        public String name() {
            return "closing";
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            return new SinkWriter<>() {
                @Override
                public void write(Long value) {}

                @Override
                public void close() {
                    CLOSED.add("sink");
                }
            };
        }
    }

    @Test
    void shouldCloseTheSink_evenIfItsSourceAndItsOperatorEndInErrors() throws Exception {
        CLOSED.clear();
        topology.from(new Fragile(true))
                .name("fragile")
                .process(FailureTest::deep)
                .as(Long.class)
                .to(new Closing());
        numbers.to(Sinks.discard());

        failure(0).hasMessageContaining("operator 'fragile'").hasMessageEndingWith("it is torn");
        assertThat(CLOSED).containsExactlyInAnyOrder("a", "b", "c", "sink");
    }

    private static Long lacking(long number) {
        throw new NoClassDefFoundError("com/acme/Parser" + number);
    }

    @Test
    void shouldSayWhatToDoAboutAMissingClass() throws Exception {
        numbers.map(FailureTest::lacking).name("parse").to(Sinks.discard());

        failure(0)
                .hasMessageContaining("operator 'parse'")
                .hasMessageEndingWith(
                        "java.lang.NoClassDefFoundError: com/acme/Parser0; give the job all jars that it needs");
    }

    private static Long notFive(long number) {
        if (number == 5) {
            throw new IllegalStateException("five");
        }
        return number;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldNameAFusedOperatorAndTheRecord(int threads) throws Exception {
        numbers.map(n -> 10 / (n - 7)).name("inverse").to(Sinks.discard());

        failure(threads)
                .hasMessageContaining("operator 'inverse'")
                .hasMessageContaining("split '0', offset 7: ")
                .hasMessageContaining("by zero");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldNameAnOperatorBehindAQueue(int threads) throws Exception {
        numbers.map(n -> 10 / (n - 7)).name("inverse").isolate().to(Sinks.discard());

        failure(threads).hasMessageContaining("operator 'inverse', task 'inverse[0]', split '0', offset 0");
    }

    /** Catches what its own work throws, and with it what emitting does. */
    private static Operator<Long, Long> catching() {
        return new Operator<>() {
            @Override
            public void process(Long value, Output<Long> output) {
                try {
                    output.emit(value);
                } catch (RuntimeException e) {
                    // the record is left out
                }
            }
        };
    }

    @Test
    void shouldFail_thoughTheOperatorBeforeCatchesWhatEmittingThrows() throws Exception {
        numbers.process(FailureTest::catching)
                .as(Long.class)
                .map(n -> 10 / (n - 7))
                .name("inverse")
                .to(Sinks.discard());

        failure(0)
                .hasMessageContaining("operator 'inverse'")
                .hasMessageContaining("split '0', offset 7: ")
                .hasMessageContaining("by zero");
    }

    /** Goes on whatever happens. */
    private static Operator<Long, Long> catchingAll() {
        return new Operator<>() {
            @Override
            public void process(Long value, Output<Long> output) {
                try {
                    output.emit(value);
                } catch (Throwable e) {
                    throw new BadRecordException("it cannot be emitted", "number " + value);
                }
            }
        };
    }

    @Test
    void shouldFail_thoughTheOperatorBeforeCatchesWhateverIsThrown() throws Exception {
        numbers.process(FailureTest::catchingAll)
                .as(Long.class)
                .map(n -> 10 / (n - 7))
                .name("inverse")
                .to(Sinks.discard());

        failure(0)
                .hasMessageContaining("operator 'inverse'")
                .hasMessageContaining("split '0', offset 7: ")
                .hasMessageContaining("by zero");
    }

    /** As where the disk with the dead letters is full. */
    @Test
    void shouldFailWhereABadRecordCannotBeKept_thoughTheOperatorBeforeCatchesWhatEmittingThrows() throws Exception {
        numbers.process(FailureTest::catching)
                .as(Long.class)
                .map(FailureTest::refused)
                .name("refusing")
                .to(Sinks.discard());

        failure(RunSettings.defaults()
                        .withParallelism(1)
                        .withThreads(0)
                        .withBadRecords((topology, operator, record) -> {
                            throw new IllegalStateException("no space left");
                        }))
                .hasMessageContaining("no space left");
    }

    private static Long refused(long number) {
        throw new BadRecordException("it is refused", "number " + number);
    }

    @Test
    void shouldFailOnABadRecord_thoughTheOperatorBeforeCatchesWhatEmittingThrows() throws Exception {
        numbers.process(FailureTest::catching)
                .as(Long.class)
                .map(FailureTest::refused)
                .name("refusing")
                .to(Sinks.discard());

        failure(RunSettings.defaults().withParallelism(1).withThreads(0).withFailOnBad(true))
                .hasMessageContaining("operator 'refusing': bad record in ")
                .hasMessageContaining("it is refused");
    }

    @Test
    void shouldNameAKeyedOperator() throws Exception {
        numbers.keyBy(n -> 1 / (n - 3)).distinct().name("once").to(Sinks.discard());

        failure(0)
                .hasMessageContaining("operator 'once'")
                .hasMessageContaining("offset 3")
                .hasMessageContaining("by zero");
    }

    @Test
    void shouldNameAWindow() throws Exception {
        numbers.eventTime(n -> n, Duration.ZERO)
                .window(Windows.tumbling(Duration.ofMillis(4)))
                .aggregate(Aggregates.sum(n -> 1 / (n - 6)))
                .name("sums")
                .to(Sinks.discard());

        failure(0)
                .hasMessageContaining("operator 'sums'")
                .hasMessageContaining("offset 6")
                .hasMessageContaining("by zero");
    }

    @Test
    void shouldNameWhoReturnsNull() throws Exception {
        numbers.flatMap(n -> java.util.Arrays.asList(n, n == 4 ? null : n))
                .as(Long.class)
                .name("pairs")
                .to(Sinks.discard());

        failure(0)
                .hasMessageContaining("operator 'pairs'")
                .hasMessageContaining("offset 4")
                .hasMessageContaining("null among its records");
    }

    private static Iterable<Long> badFromFour(Long number) {
        return () -> {
            if (number >= 4) {
                throw new BadRecordException("too large", number.toString());
            }
            return List.of(number).iterator();
        };
    }

    @Test
    void shouldNameTheOperatorWhoseIterableCallsARecordBad() throws Exception {
        List<String> bad = new ArrayList<>();
        numbers.flatMap(FailureTest::badFromFour).as(Long.class).name("picky").to(Sinks.discard());

        Job job = new EmbeddedRunner(RunSettings.defaults()
                        .withThreads(0)
                        .withParallelism(1)
                        .withBadLimit(BadLimit.none())
                        .withBadRecords((of, operator, record) -> bad.add(operator + " " + record.offset())))
                .start(topology.graph());
        for (int step = 0; step < 10_000 && job.step(); step++) {
            // on to the end
        }

        assertThat(job.await().recordsOut()).isEqualTo(4);
        assertThat(bad).containsExactly("picky 4", "picky 5", "picky 6", "picky 7", "picky 8", "picky 9");
    }

    /** A step in a user's operator. */
    enum Call {
        OPEN,
        PROCESS,
        NULL,
        FINISH,
        CLOSE
    }

    private record Breaking(Call at) {
        Operator<Long, Long> operator() {
            Call breaks = at;
            return new Operator<>() {
                private void call(Call call) {
                    if (call == breaks) {
                        throw new IllegalStateException("broken");
                    }
                }

                @Override
                public void open(OperatorContext context) {
                    call(Call.OPEN);
                }

                @Override
                @SuppressWarnings("NullAway") // what is wrong here
                public void process(Long value, Output<Long> output) {
                    call(Call.PROCESS);
                    output.emit(breaks == Call.NULL ? null : value);
                }

                @Override
                public void finish(Output<Long> output) {
                    call(Call.FINISH);
                }

                @Override
                public void close() {
                    call(Call.CLOSE);
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void shouldNameAUsersOperatorInEachOfItsCalls(Call at) throws Exception {
        numbers.process(() -> new Breaking(at).operator())
                .as(Long.class)
                .name("users")
                .to(Sinks.discard());

        failure(0)
                .hasMessageContaining("topology 'test', operator 'users', task 'numbers+users+sink[0]'")
                .hasMessageContaining(at == Call.NULL ? "emitted null" : "broken");
    }

    /** A step of a sink. */
    enum Step {
        OPEN,
        WRITE,
        FINISH,
        CLOSE
    }

    private record BreakingSink(Step at) implements Sink<Long> {
        @Override
        public String name() {
            return "breaking";
        }

        private void step(Step step) {
            if (step == at) {
                throw new IllegalStateException("broken");
            }
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            step(Step.OPEN);
            return new SinkWriter<>() {
                @Override
                public void write(Long value) {
                    step(Step.WRITE);
                }

                @Override
                public void finish() {
                    step(Step.FINISH);
                }

                @Override
                public void close() {
                    step(Step.CLOSE);
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void shouldNameASinkInEachOfItsSteps(Step at) throws Exception {
        numbers.to(new BreakingSink(at)).name("out");

        failure(2)
                .hasMessageContaining("topology 'test', operator 'out', task 'numbers+out[0]'")
                .hasMessageContaining("broken");
    }

    @Test
    void shouldGoOnBehindARecordThatASourceCallsBad() throws Exception {
        List<BadRecord> bad = new ArrayList<>();
        topology.from(Sources.generate(10, FailureTest::evenOnly)).name("even").to(Sinks.discard());
        numbers.to(Sinks.discard());

        Job job = new EmbeddedRunner(RunSettings.defaults()
                        .withThreads(0)
                        .withParallelism(1)
                        .withBadRecords((of, operator, record) -> bad.add(record)))
                .start(topology.graph());
        for (int step = 0; step < 10_000 && job.step(); step++) {
            // on to the end
        }

        assertThat(job.await().recordsOut()).isEqualTo(15);
        assertThat(bad).extracting(BadRecord::offset).containsExactly(1L, 3L, 5L, 7L, 9L);
    }

    private static Long evenOnly(long number) {
        if (number % 2 == 1) {
            throw new BadRecordException("odd", "" + number);
        }
        return number;
    }
}
