// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.stats.JobStats;
import io.thalweg.run.RunSettings;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What measuring costs where it costs most: in the shortest chain, {@link FusedBenchmark}'s.
 *
 * <p>The floor is the same job in a JVM that counts nothing and has a clock that stands still. Both take the same number
 * of records in a turn, which the engine would otherwise find by its clock.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public class MeasuringBenchmark {
    private static final int RECORDS = FusedBenchmark.RECORDS;

    /** What the engine comes to by itself in this chain. */
    private static final RunSettings SETTINGS = Runs.narrow().withSteps(65_536, 16, 512);

    @Benchmark
    @Fork(
            value = 1,
            jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"})
    @OperationsPerInvocation(RECORDS)
    public long ours() throws Exception {
        return run(SETTINGS, RECORDS);
    }

    @Benchmark
    @Fork(
            value = 1,
            jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-Dthalweg.measured=false"})
    @OperationsPerInvocation(RECORDS)
    public long floor() throws Exception {
        return run(SETTINGS.withClock(() -> 0), 0);
    }

    private static long run(RunSettings settings, long counted) throws Exception {
        JobStats stats = Runs.run(FusedBenchmark.topology(RECORDS), settings);
        if (stats.recordsIn() != counted) {
            throw new IllegalStateException(stats.recordsIn() + " records counted instead of " + counted);
        }
        return Tally.check(RECORDS, FusedBenchmark.expected(RECORDS));
    }
}
