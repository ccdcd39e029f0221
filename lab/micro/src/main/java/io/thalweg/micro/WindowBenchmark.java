// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.operator.Aggregates;
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
 * A keyed tumbling window, after six other keyed windows ran in the JVM.
 *
 * <pre>
 *  source ──► event time ──► by 6 dimensions ──► 5 s: 4 sums ──► sink      one task
 *                              10,000 keys       2.5 M events
 * </pre>
 *
 * One invocation is a whole job of eight windows. The floor is a loop over records from the same source, with a table of
 * flat arrays written for this one query and windows closed as the engine closes them. What the source alone takes is
 * measured too.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
public class WindowBenchmark {
    static final int RECORDS = 20_000_000;
    static final long WINDOW_MS = 5_000;

    private long results;
    private long digest;
    private long sum;

    @Setup(Level.Trial)
    public void others() throws Exception {
        expect();
        SixOthers.keyed();
    }

    /** Once more, with the plainest means. */
    private void expect() {
        Map<Long, Map<Measured.Key, long[]>> windows = new HashMap<>();
        MeasuredSource.Reader reader = new MeasuredSource.Reader(RECORDS);
        for (Measured m = reader.poll(); m != null; m = reader.poll()) {
            long[] sums = windows.computeIfAbsent(m.time() / WINDOW_MS, start -> new HashMap<>())
                    .computeIfAbsent(m.key(), key -> new long[4]);
            sums[0] += m.p();
            sums[1] += m.q();
            sums[2] += m.r();
            sums[3] += m.s();
            sum += m.p();
        }
        windows.forEach((number, groups) -> groups.forEach((key, sums) -> {
            results++;
            digest += SumsDigest.digest(new WindowResult<>(
                    key,
                    number * WINDOW_MS,
                    (number + 1) * WINDOW_MS,
                    new Measured.Sums(sums[0], sums[1], sums[2], sums[3])));
        }));
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long ours() throws Exception {
        Runs.run(topology(), Runs.narrow());
        return Tally.check(results, digest);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long floor() {
        MeasuredSource.Reader reader = new MeasuredSource.Reader(RECORDS);
        ByHand byHand = new ByHand();
        while (!reader.finished()) {
            byHand.some(reader);
        }
        byHand.finish();
        return Tally.check(results, digest);
    }

    /** The source, and one sum over all. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long source() {
        MeasuredSource.Reader reader = new MeasuredSource.Reader(RECORDS);
        long all = 0;
        while (!reader.finished()) {
            all += sumOfSome(reader);
        }
        Tally.add(RECORDS, all);
        return Tally.check(RECORDS, sum);
    }

    private static long sumOfSome(MeasuredSource.Reader reader) {
        long some = 0;
        for (int i = 0; i < 65_536; i++) {
            Measured m = reader.poll();
            if (m == null) {
                break;
            }
            some += m.p();
        }
        return some;
    }

    private static final class ByHand {
        private final FlatTable table = new FlatTable();
        private final SumsDigest.Writer writer = new SumsDigest.Writer();
        private long start;

        /** In pieces, so that the JIT compiles the loop as a method, not only from its middle. */
        void some(MeasuredSource.Reader reader) {
            for (int i = 0; i < 65_536; i++) {
                Measured m = reader.poll();
                if (m == null) {
                    return;
                }
                if (m.time() >= start + WINDOW_MS) {
                    table.fire(start, start + WINDOW_MS, writer);
                    start += WINDOW_MS;
                }
                table.add(m);
            }
        }

        void finish() {
            table.fire(start, start + WINDOW_MS, writer);
            writer.finish();
        }
    }

    private static Topology topology() {
        Topology topology = Topology.named("window");
        topology.from(new MeasuredSource(RECORDS))
                .eventTime(Measured::time, Duration.ZERO)
                .keyBy(Measured::key)
                .window(Windows.tumbling(Duration.ofMillis(WINDOW_MS)))
                .aggregate(Aggregates.into(
                        Measured.Sums.class,
                        Aggregates.sum(Measured::p),
                        Aggregates.sum(Measured::q),
                        Aggregates.sum(Measured::r),
                        Aggregates.sum(Measured::s)))
                .to(new SumsDigest("digest"));
        return topology;
    }
}
