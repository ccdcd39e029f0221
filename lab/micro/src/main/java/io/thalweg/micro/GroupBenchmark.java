// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.Keyed;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Groups of mixed aggregates: count, the greatest double and a sum of longs, by a key of two texts, 85,000 groups; over
 * the whole input, in tumbling and sliding windows, in sessions and as a running aggregate, after six other keyed windows ran
 * in the JVM. The floor is a loop over records from the same source, with a {@link HashMap} of objects that hold three
 * primitives each.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
public class GroupBenchmark {
    static final int RECORDS = 10_000_000;
    static final long WINDOW_MS = 5_000;

    private long wholeDigest;
    private long tumblingDigest;
    private long tumblingResults;
    private long runningDigest;
    private long slidingResults;
    private long slidingDigest;
    private long sessionsDigest;

    @Setup(Level.Trial)
    public void others() throws Exception {
        expect();
        SixOthers.keyed();
    }

    /** With the plainest means: a group is found by its number. */
    private void expect() {
        ByNumber whole = new ByNumber();
        ByNumber window = new ByNumber();
        ByNumber before = new ByNumber();
        SaleSource.Reader reader = new SaleSource.Reader(RECORDS);
        long start = 0;
        for (Sale sale = reader.poll(); sale != null; sale = reader.poll()) {
            if (sale.time() >= start + WINDOW_MS) {
                close(start, before, window);
                start += WINDOW_MS;
                before = window;
                window = new ByNumber();
            }
            runningDigest += digest(0, sale.group(), whole.add(reader.group(), sale));
            window.add(reader.group(), sale);
        }
        close(start, before, window);
        slidingResults += window.groups();
        slidingDigest += window.digest(start);
        wholeDigest = whole.digest(Long.MIN_VALUE);
        sessionsDigest = whole.digest(0);
    }

    /** Of the sliding windows, each two panes long, the one that begins a pane before. */
    private void close(long start, ByNumber before, ByNumber window) {
        tumblingResults += window.groups();
        tumblingDigest += window.digest(start);
        before.addAll(window);
        slidingResults += before.groups();
        slidingDigest += before.digest(start - WINDOW_MS);
    }

    private static final class ByNumber {
        final long[] counts = new long[SaleSource.GROUPS];
        final double[] highest = new double[SaleSource.GROUPS];
        final long[] amounts = new long[SaleSource.GROUPS];
        final Sale.Group[] groups = new Sale.Group[SaleSource.GROUPS];

        Sale.Figures add(int group, Sale sale) {
            if (counts[group] == 0) {
                groups[group] = sale.group();
            }
            counts[group]++;
            highest[group] = Math.max(highest[group], sale.price());
            amounts[group] += sale.amount();
            return figures(group);
        }

        void addAll(ByNumber others) {
            for (int group = 0; group < counts.length; group++) {
                if (counts[group] == 0) {
                    groups[group] = others.groups[group];
                }
                counts[group] += others.counts[group];
                highest[group] = Math.max(highest[group], others.highest[group]);
                amounts[group] += others.amounts[group];
            }
        }

        private Sale.Figures figures(int group) {
            return new Sale.Figures(counts[group], highest[group], amounts[group]);
        }

        long groups() {
            long all = 0;
            for (long count : counts) {
                all += count > 0 ? 1 : 0;
            }
            return all;
        }

        long digest(long start) {
            long digest = 0;
            for (int group = 0; group < counts.length; group++) {
                digest += counts[group] == 0 ? 0 : GroupBenchmark.digest(start, groups[group], figures(group));
            }
            return digest;
        }
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long whole() throws Exception {
        Topology topology = Topology.named("groups");
        topology.from(new SaleSource(RECORDS))
                .keyBy(Sale::group)
                .window(Windows.whole())
                .aggregate(figures())
                .to(new OfWindows());
        Runs.run(topology, Runs.narrow());
        return Tally.check(SaleSource.GROUPS, wholeDigest);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long tumbling() throws Exception {
        Topology topology = Topology.named("groups");
        topology.from(new SaleSource(RECORDS))
                .eventTime(Sale::time, Duration.ZERO)
                .keyBy(Sale::group)
                .window(Windows.tumbling(Duration.ofMillis(WINDOW_MS)))
                .aggregate(figures())
                .to(new OfWindows());
        Runs.run(topology, Runs.narrow());
        return Tally.check(tumblingResults, tumblingDigest);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long sliding() throws Exception {
        Topology topology = Topology.named("groups");
        topology.from(new SaleSource(RECORDS))
                .eventTime(Sale::time, Duration.ZERO)
                .keyBy(Sale::group)
                .window(Windows.sliding(Duration.ofMillis(2 * WINDOW_MS), Duration.ofMillis(WINDOW_MS)))
                .aggregate(figures())
                .to(new OfWindows());
        Runs.run(topology, Runs.narrow());
        return Tally.check(slidingResults, slidingDigest);
    }

    /** One session for each group, as long as the input. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long sessions() throws Exception {
        Topology topology = Topology.named("groups");
        topology.from(new SaleSource(RECORDS))
                .eventTime(Sale::time, Duration.ZERO)
                .keyBy(Sale::group)
                .window(Windows.session(Duration.ofDays(1)))
                .aggregate(figures())
                .to(new OfSessions());
        Runs.run(topology, Runs.narrow());
        return Tally.check(SaleSource.GROUPS, sessionsDigest);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long running() throws Exception {
        Topology topology = Topology.named("groups");
        topology.from(new SaleSource(RECORDS))
                .keyBy(Sale::group)
                .aggregate(figures())
                .to(new OfRunning());
        Runs.run(topology, Runs.narrow());
        return Tally.check(RECORDS, runningDigest);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long floor() {
        SaleSource.Reader reader = new SaleSource.Reader(RECORDS);
        Map<Sale.Group, OfGroup> groups = new HashMap<>();
        while (!reader.finished()) {
            some(reader, groups);
        }
        long digest = 0;
        for (Map.Entry<Sale.Group, OfGroup> each : groups.entrySet()) {
            OfGroup of = each.getValue();
            digest += digest(Long.MIN_VALUE, each.getKey(), new Sale.Figures(of.count, of.highest, of.amount));
        }
        Tally.add(groups.size(), digest);
        return Tally.check(SaleSource.GROUPS, wholeDigest);
    }

    private static void some(SaleSource.Reader reader, Map<Sale.Group, OfGroup> groups) {
        for (int i = 0; i < 65_536; i++) {
            Sale sale = reader.poll();
            if (sale == null) {
                break;
            }
            OfGroup of = groups.computeIfAbsent(sale.group(), group -> new OfGroup());
            of.count++;
            of.highest = Math.max(of.highest, sale.price());
            of.amount += sale.amount();
        }
    }

    private static final class OfGroup {
        long count;
        double highest;
        long amount;
    }

    static Aggregate<Sale, ?, Sale.Figures> figures() {
        return Aggregates.into(
                Sale.Figures.class, Aggregates.count(), Aggregates.max(Sale::price), Aggregates.sum(Sale::amount));
    }

    /** One number that any wrong result changes, in any order of the results. */
    private static long digest(long start, Sale.Group group, Sale.Figures figures) {
        long k = group.shop().hashCode() + 31L * group.item().hashCode();
        long v = figures.count()
                + 1_000_003 * (Double.doubleToLongBits(figures.highest()) + 1_000_003 * figures.amount());
        return ((k * 0x9E3779B97F4A7C15L) ^ start) * 0xBF58476D1CE4E5B9L * (v | 1) + v;
    }

    private abstract static class Digest<T> implements Sink<T> {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return "digest";
        }

        abstract long of(T result);

        @Override
        public SinkWriter<T> open(SinkContext context) {
            return new SinkWriter<>() {
                private long count;
                private long digest;

                @Override
                public void write(T result) {
                    count++;
                    digest += of(result);
                }

                @Override
                public void finish() {
                    Tally.add(count, digest);
                }
            };
        }
    }

    static final class OfWindows extends Digest<WindowResult<Sale.Group, Sale.Figures>> {
        private static final long serialVersionUID = 1L;

        @Override
        long of(WindowResult<Sale.Group, Sale.Figures> result) {
            return digest(result.start(), result.key(), result.value());
        }
    }

    /** Where they begin depends on each group's first record: that is left out. */
    static final class OfSessions extends Digest<WindowResult<Sale.Group, Sale.Figures>> {
        private static final long serialVersionUID = 1L;

        @Override
        long of(WindowResult<Sale.Group, Sale.Figures> result) {
            return digest(0, result.key(), result.value());
        }
    }

    static final class OfRunning extends Digest<Keyed<Sale.Group, Sale.Figures>> {
        private static final long serialVersionUID = 1L;

        @Override
        long of(Keyed<Sale.Group, Sale.Figures> result) {
            return digest(0, result.key(), result.value());
        }
    }
}
