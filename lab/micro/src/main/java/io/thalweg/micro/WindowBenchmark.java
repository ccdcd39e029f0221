// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import java.time.Duration;
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
 * One invocation is a whole job of forty windows: long enough for what
 * is compiled anew in each job to weigh little. The floor is a loop over records from the same source, with a table of
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
    static final int RECORDS = 100_000_000;
    static final long WINDOW_MS = 5_000;

    private long results;
    private long digest;
    private long sum;

    @Setup(Level.Trial)
    public void others() throws Exception {
        expect();
        SixOthers.keyed();
    }

    /** Once more, with the plainest means: the key's number is its first four dimensions, read as digits. */
    private void expect() {
        Measured.Key[] keys = new Measured.Key[MeasuredSource.KEYS];
        long[][] sums = new long[MeasuredSource.KEYS][4];
        MeasuredSource.Reader reader = new MeasuredSource.Reader(RECORDS);
        long start = 0;
        for (Measured m = reader.poll(); m != null; m = reader.poll()) {
            if (m.time() / WINDOW_MS * WINDOW_MS != start) {
                close(start, keys, sums);
                start = m.time() / WINDOW_MS * WINDOW_MS;
            }
            int number = m.a() + 10 * m.b() + 100 * m.c() + 1_000 * m.d();
            keys[number] = m.key();
            sums[number][0] += m.p();
            sums[number][1] += m.q();
            sums[number][2] += m.r();
            sums[number][3] += m.s();
            sum += m.p();
        }
        close(start, keys, sums);
    }

    private void close(long start, @Nullable Measured.Key[] keys, long[][] sums) {
        for (int i = 0; i < keys.length; i++) {
            Measured.Key key = keys[i];
            if (key != null) {
                Measured.Sums result = new Measured.Sums(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
                digest += SumsDigest.digest(new WindowResult<>(key, start, start + WINDOW_MS, result));
                results++;
            }
            keys[i] = null;
            sums[i] = new long[4];
        }
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
