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
 * The least work there is, in one task, after six other pipelines ran in the JVM.
 *
 * <pre>
 *  source ──► map ──► sink         one task, one record, which the source reuses
 *  (i)       31x+7    (sum)
 * </pre>
 *
 * One invocation is a whole job. The floor is a loop over one record that does the same.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
public class FusedBenchmark {
    static final int RECORDS = 1_000_000_000;
    static final int RECORDS_SHARED = 50_000_000;

    private final Point point = new Point();

    @Setup(Level.Trial)
    public void others() throws Exception {
        SixOthers.fused();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long ours() throws Exception {
        Runs.run(topology(RECORDS), Runs.narrow());
        return Tally.check(RECORDS, expected(RECORDS));
    }

    /** With the classes that all pipelines share. */
    @Benchmark
    @OperationsPerInvocation(RECORDS_SHARED)
    public long shared() throws Exception {
        Runs.run(topology(RECORDS_SHARED), Runs.narrow().withSpecialise(false));
        return Tally.check(RECORDS_SHARED, expected(RECORDS_SHARED));
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long floor() {
        PointSource.Reader reader = new PointSource.Reader(RECORDS);
        PointSum.Writer writer = new PointSum.Writer();
        while (!reader.finished()) {
            some(reader, writer);
        }
        writer.finish();
        return Tally.check(RECORDS, expected(RECORDS));
    }

    /** In pieces, so that the JIT compiles the loop as a method, not only from its middle. */
    private static void some(PointSource.Reader reader, PointSum.Writer writer) {
        for (int i = 0; i < 65_536; i++) {
            Point p = reader.poll();
            if (p == null) {
                return;
            }
            p.value = 31 * p.value + 7;
            writer.write(p);
        }
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long bare() {
        Point p = point;
        long count = 0;
        long sum = 0;
        for (long i = 0; i < RECORDS; i++) {
            p.value = i;
            p.value = 31 * p.value + 7;
            count++;
            sum += p.value;
        }
        Tally.add(count, sum);
        return Tally.check(RECORDS, expected(RECORDS));
    }

    static Topology topology(long records) {
        Topology topology = Topology.named("fused");
        topology.from(new PointSource(records))
                .map(p -> {
                    p.value = 31 * p.value + 7;
                    return p;
                })
                .to(new PointSum("sum"));
        return topology;
    }

    static long expected(long n) {
        return 31 * (n * (n - 1) / 2) + 7 * n;
    }
}
