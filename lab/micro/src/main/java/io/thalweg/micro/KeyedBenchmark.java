// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.micro.BidSource.Bid;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What is kept for each of many keys: a running aggregate, state and a timer of a user's operator, and an interval join in which
 * each record has one partner, after six other keyed windows ran in the JVM. One invocation is a whole job.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 4)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
public class KeyedBenchmark {
    static final int RECORDS = 10_000_000;

    /** How many records later a record's partner comes, and the bound of the join: a key's next comes after that. */
    static final int DISTANCE = 10_000;

    static final long JOIN_MS = 20;

    @Param("100000")
    public int keys;

    @Setup(Level.Trial)
    public void others() throws Exception {
        SixOthers.keyed();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long running() throws Exception {
        Topology topology = Topology.named("running");
        bids(topology, false)
                .keyBy(Bid::key)
                .aggregate(Aggregates.into(
                        Figures.class, Aggregates.count(), Aggregates.sum(Bid::number), Aggregates.max(Bid::number)))
                .to(new Numbers<>("numbers", row -> row.value().max()));
        return run(topology, RECORDS, 0);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long process() throws Exception {
        Topology topology = Topology.named("process");
        bids(topology, false).keyBy(Bid::key).process(Last::new).to(new Numbers<>("numbers", n -> n));
        return run(topology, RECORDS, 0);
    }

    /** Of pairs, each of two records. */
    @Benchmark
    @OperationsPerInvocation(RECORDS - DISTANCE)
    public long join() throws Exception {
        Topology topology = Topology.named("join");
        int of = keys;
        Stream<Bid> bids = bids(topology, true);
        Stream<Bid> earlier = bids.map(bid -> partner(bid, of));
        earlier.join(bids)
                .where(Bid::key)
                .equalTo(Bid::key)
                .between(Duration.ZERO, Duration.ofMillis(JOIN_MS))
                .inner((first, second) -> second)
                .to(new Numbers<>("numbers", Bid::number));
        return run(topology, RECORDS - DISTANCE, DISTANCE);
    }

    private static Bid partner(Bid bid, int keys) {
        long number = bid.number() + DISTANCE;
        return new Bid(bid.timeMs(), number % keys, number);
    }

    private Stream<Bid> bids(Topology topology, boolean inTurns) {
        return topology.from(new BidSource(RECORDS, keys, inTurns)).eventTime(Bid::timeMs, Duration.ZERO);
    }

    private static long run(Topology topology, long count, long first) throws InterruptedException {
        Runs.run(topology, Runs.narrow());
        return Tally.check(count, count * (first + first + count - 1) / 2);
    }

    record Figures(long count, long sum, long max) {}

    /** Hands its records on, and keeps of each key the last number and a timer for a second after it. */
    private static final class Last implements KeyedOperator<Long, Bid, Long> {
        private @Nullable KeyedContext context;
        private @Nullable ValueState<Long> last;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            last = opened.state("last", Type.of(Long.class));
        }

        @Override
        public void process(Long key, Bid bid, Output<Long> output) throws Exception {
            KeyedContext in = Objects.requireNonNull(context);
            ValueState<Long> state = Objects.requireNonNull(last);
            Long before = state.get();
            state.set(bid.number());
            if (before == null) {
                in.setTimer(bid.timeMs() + 1_000);
            }
            output.emit(bid.number());
        }

        @Override
        public void onTimer(Long key, long time, Output<Long> output) {
            Objects.requireNonNull(last).clear();
        }
    }

    private interface ToNumber<T> extends Serializable {
        long of(T value);
    }

    /** Adds numbers up. */
    private record Numbers<T>(String name, ToNumber<T> number) implements Sink<T> {
        @Override
        public SinkWriter<T> open(SinkContext context) {
            return new Writer<>(number);
        }

        private static final class Writer<T> implements SinkWriter<T> {
            private final ToNumber<T> number;
            private long count;
            private long sum;

            Writer(ToNumber<T> number) {
                this.number = number;
            }

            @Override
            public void write(T value) {
                count++;
                sum += number.of(value);
            }

            @Override
            public void finish() {
                Tally.add(count, sum);
            }
        }
    }
}
