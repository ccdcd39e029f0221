// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.topology.Topology;
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
 * A long chain in one task, after six other pipelines ran in the JVM.
 *
 * <pre>
 *  source ──► map 1 ──► map 2 ──► … ──► map 10 ──► sink       one task, one record, which the source reuses
 *   (i)        +1       ^ >>> 7          * odd     (sum)
 * </pre>
 *
 * The maps add, mix and multiply by turns, so that no two of them can be made one. One invocation is a whole job. The
 * floor is a loop over one record that does the same.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
public class TenMapsBenchmark {
    static final int RECORDS = 300_000_000;
    static final int RECORDS_SHARED = 10_000_000;

    private final Point point = new Point();
    private long expected;
    private long expectedShared;

    @Setup(Level.Trial)
    public void others() throws Exception {
        expected = sumOf(RECORDS);
        expectedShared = sumOf(RECORDS_SHARED);
        SixOthers.fused();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long ours() throws Exception {
        Runs.run(topology(RECORDS), Runs.narrow());
        return Tally.check(RECORDS, expected);
    }

    /** With the classes that all pipelines share. */
    @Benchmark
    @OperationsPerInvocation(RECORDS_SHARED)
    public long shared() throws Exception {
        Runs.run(topology(RECORDS_SHARED), Runs.narrow().withSpecialise(false));
        return Tally.check(RECORDS_SHARED, expectedShared);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long floor() {
        Point p = point;
        long count = 0;
        long sum = 0;
        for (long i = 0; i < RECORDS; i++) {
            p.value = i;
            p.value = p.value + 1;
            p.value = p.value ^ (p.value >>> 7);
            p.value = p.value * 0x9E3779B97F4A7C15L;
            p.value = p.value ^ (p.value >>> 31);
            p.value = p.value + 0x1234567;
            p.value = p.value ^ (p.value << 13);
            p.value = p.value * 0xBF58476D1CE4E5B9L;
            p.value = p.value ^ (p.value >>> 27);
            p.value = p.value - 99;
            p.value = p.value ^ (p.value >>> 17);
            count++;
            sum += p.value;
        }
        Tally.add(count, sum);
        return Tally.check(RECORDS, expected);
    }

    static Topology topology(long records) {
        Topology topology = Topology.named("ten maps");
        topology.from(new PointSource(records))
                .map(p -> {
                    p.value = p.value + 1;
                    return p;
                })
                .map(p -> {
                    p.value = p.value ^ (p.value >>> 7);
                    return p;
                })
                .map(p -> {
                    p.value = p.value * 0x9E3779B97F4A7C15L;
                    return p;
                })
                .map(p -> {
                    p.value = p.value ^ (p.value >>> 31);
                    return p;
                })
                .map(p -> {
                    p.value = p.value + 0x1234567;
                    return p;
                })
                .map(p -> {
                    p.value = p.value ^ (p.value << 13);
                    return p;
                })
                .map(p -> {
                    p.value = p.value * 0xBF58476D1CE4E5B9L;
                    return p;
                })
                .map(p -> {
                    p.value = p.value ^ (p.value >>> 27);
                    return p;
                })
                .map(p -> {
                    p.value = p.value - 99;
                    return p;
                })
                .map(p -> {
                    p.value = p.value ^ (p.value >>> 17);
                    return p;
                })
                .to(new PointSum("sum"));
        return topology;
    }

    private static long sumOf(long records) {
        long sum = 0;
        for (long i = 0; i < records; i++) {
            long x = i + 1;
            x ^= x >>> 7;
            x *= 0x9E3779B97F4A7C15L;
            x ^= x >>> 31;
            x += 0x1234567;
            x ^= x << 13;
            x *= 0xBF58476D1CE4E5B9L;
            x ^= x >>> 27;
            x -= 99;
            x ^= x >>> 17;
            sum += x;
        }
        return sum;
    }
}
